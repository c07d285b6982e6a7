import { eventPath, formatEvent } from "../requirements/index.js";
import { eventsFile } from "./memory-events.js";
import type { Run } from "./types.js";
import { leftOut, undoEvents } from "./undo-events.js";

/** Commits what the checkout holds, without what agents did to events. */
export async function commitWork(run: Run, message: string): Promise<void> {
  const own = new Map(run.events.map((event) => [eventPath(event), formatEvent(event)]));
  const uses = eventsFile(run);
  if (uses) own.set(...uses);
  const foreign = await undoEvents(run.workspace, (path) => own.get(path) ?? run.knowledge.get(path));
  if (foreign.length > 0) run.board.notices.push(leftOut(foreign));
  await run.workspace.commit({ message });
}
