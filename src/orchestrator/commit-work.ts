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
  await run.workspace.commit({
    message,
    review: (changes) => restoreEvents(run, changes.filter(isOfEvents)),
  });
}

/** Writes events back as they were; false when there was nothing to do. */
async function restoreEvents(run: Run, touched: readonly Change[]): Promise<boolean> {
  const { files } = run.workspace;
  const own = new Map(run.events.map((event) => [eventPath(event), formatEvent(event)]));
  const uses = eventsFile(run);
  if (uses) own.set(...uses);
  const foreign: string[] = [];
  let isRestored = false;
  for (const { path } of touched) {
    const text = own.get(path) ?? run.knowledge.get(path);
    if (text === undefined) foreign.push(path);
    else if ((await files.read(path))?.toString("utf8") !== text) {
      await files.write(path, text);
      isRestored = true;
    }
  }
  for (const path of foreign) await files.remove(path);
  if (foreign.length > 0) {
    run.board.notices.push(
      `An agent wrote ${foreign.join(", ")}: left out, events are not an agent's to write.`,
    );
  }
  return isRestored || foreign.length > 0;
}

/** The events, or what was put in the place of their folder. */
function isOfEvents({ path }: Change): boolean {
  return EVENTS.some(
    (folder) => path.startsWith(`${folder}/`) || folder === path || folder.startsWith(`${path}/`),
  );
}
