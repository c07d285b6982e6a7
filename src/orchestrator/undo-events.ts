import type { Change, Workspace } from "../workspace/index.js";
import { readOrNothing } from "./read-or-nothing.js";
import type { Run } from "./types.js";

/** Where what happened is kept, of requirements and of memories. */
export const EVENTS: readonly string[] = ["requirements/events", "context/events"];

/**
 * Undoes in what is about to be committed what agents did to the events of requirements and memories: whoever could write one would
 * raise his own budget, approve his own design, or make his own lesson weigh more. `textOf` says what stands at a path by right; what
 * nobody may write is left out, which is said.
 */
export function undoEvents(
  run: Pick<Run, "board">,
  { files }: Pick<Workspace, "files">,
  textOf: (path: string) => string | undefined,
): (changes: readonly Change[]) => Promise<boolean> {
  return async (changes) => {
    const foreign: string[] = [];
    let isRestored = false;
    for (const { path } of changes.filter(isOfEvents)) {
      const text = textOf(path);
      if (text === undefined) foreign.push(path);
      else if ((await readOrNothing(files, path))?.toString("utf8") !== text) {
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
  };
}

/** The events, or what was put in the place of their folder. */
function isOfEvents({ path }: Change): boolean {
  return EVENTS.some(
    (folder) => path.startsWith(`${folder}/`) || folder === path || folder.startsWith(`${path}/`),
  );
}
