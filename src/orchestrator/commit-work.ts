import { eventPath, formatEvent } from "../requirements/index.js";
import type { Change } from "../workspace/index.js";
import { eventsFile } from "./memory-events.js";
import type { Run } from "./types.js";

/** Where what happened is kept, of requirements and of memories. */
const EVENTS = ["requirements/events", "context/events"];

/**
 * Commits what the checkout holds. What agents did to the events of requirements and memories is undone before: whoever could
 * write one would raise his own budget, approve his own design, or make his own lesson weigh more.
 */
export async function commitWork(run: Run, message: string): Promise<void> {
  const touched = (await run.workspace.changes()).filter(isOfEvents);
  const own = new Map(run.events.map((event) => [eventPath(event), formatEvent(event)]));
  const uses = eventsFile(run);
  if (uses) own.set(...uses);
  const textOf = ({ path }: Change) => own.get(path) ?? run.knowledge.get(path);
  const foreign = touched.filter((change) => textOf(change) === undefined);
  for (const { path } of foreign) await run.workspace.files.remove(path);
  for (const change of touched) {
    const text = textOf(change);
    if (text !== undefined) await run.workspace.files.write(change.path, text);
  }
  if (foreign.length > 0) {
    run.board.notices.push(
      `An agent wrote ${foreign.map(({ path }) => path).join(", ")}: left out, events are not an agent's to write.`,
    );
  }
  await run.workspace.commit({ message });
}

/** The events, or what was put in the place of their folder. */
function isOfEvents({ path }: Change): boolean {
  return EVENTS.some(
    (folder) => path.startsWith(`${folder}/`) || folder === path || folder.startsWith(`${path}/`),
  );
}
