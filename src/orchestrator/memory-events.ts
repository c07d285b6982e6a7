import { eventsPath, formatEvents } from "../memory/index.js";
import { isoTime } from "../shared/index.js";
import type { Run } from "./types.js";

/** Where the events of a run's memories lie, and their text; null while it has none. */
export function eventsFile(run: Pick<Run, "id" | "startedMs" | "memoryEvents">): [string, string] | null {
  if (run.memoryEvents.length === 0) return null;
  return [eventsPath(run.id, isoTime(run.startedMs)), formatEvents(run.memoryEvents)];
}
