import { eventPath, formatEvent } from "../requirements/index.js";
import { eventsFile } from "./memory-events.js";
import type { Run } from "./types.js";
import { undoEvents } from "./undo-events.js";

/** Commits what the checkout holds, without what agents did to events. */
export async function commitWork(run: Run, message: string): Promise<void> {
  const own = new Map(run.events.map((event) => [eventPath(event), formatEvent(event)]));
  const uses = eventsFile(run);
  if (uses) own.set(...uses);
  const review = undoEvents(run, run.workspace, (path) => own.get(path) ?? run.knowledge.get(path));
  await run.workspace.commit({ message, review });
}
