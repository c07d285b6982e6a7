import type { Change, Workspace } from "../workspace/index.js";

/** Where what happened is kept, of requirements and of memories. */
export const EVENTS: readonly string[] = ["requirements/events", "context/events"];

/**
 * Undoes what agents did to the events of requirements and memories: whoever could write one would raise his own budget, approve his
 * own design, or make his own lesson weigh more. `textOf` says what stands at a path by right. Gives the paths that nobody may write.
 */
export async function undoEvents(
  workspace: Pick<Workspace, "changes" | "files">,
  textOf: (path: string) => string | undefined,
): Promise<string[]> {
  const touched = (await workspace.changes()).filter(isOfEvents);
  const foreign = touched.filter(({ path }) => textOf(path) === undefined);
  for (const { path } of foreign) await workspace.files.remove(path);
  for (const { path } of touched) {
    const text = textOf(path);
    if (text !== undefined) await workspace.files.write(path, text);
  }
  return foreign.map(({ path }) => path);
}

/** What people are told of paths that an agent wrote and that were left out. */
export function leftOut(paths: readonly string[]): string {
  return `An agent wrote ${paths.join(", ")}: left out, events are not an agent's to write.`;
}

/** The events, or what was put in the place of their folder. */
function isOfEvents({ path }: Change): boolean {
  return EVENTS.some(
    (folder) => path.startsWith(`${folder}/`) || folder === path || folder.startsWith(`${path}/`),
  );
}
