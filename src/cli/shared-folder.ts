import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { type Tree, formatDeposit, parseDeposit, qualify } from "../knowledge/index.js";
import { readContextFiles } from "./context-files.js";
import type { Output } from "./output.js";

/** A folder whose knowledge several repositories share, and its files as they lie there. */
export interface SharedFolder {
  folder: string;
  tree: Tree;
}

/**
 * The folder that `knowledge.repository` names, to write there. Null where it names none: what stands on a server is written to by
 * comments there, and whoever types is told that theirs stays at home.
 */
export async function sharedFolder(
  { output }: { output: Output },
  { root, repository }: { root: string; repository: string },
): Promise<SharedFolder | null> {
  if (repository === "") return null;
  const folder = resolve(root, repository);
  const found = await stat(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
    throw error;
  });
  if (found?.isDirectory()) return { folder, tree: await readContextFiles(folder, []) };
  const cure = "say it on an issue to have it written there, or name a checkout of it";
  output.err(`accrue: knowledge.repository ${repository} is no folder here: it stays in ${root}; ${cure}.\n`);
  return null;
}

/** The files as they are written for several repositories: the code that they name is this one's. */
export function sharedWrites(writes: ReadonlyMap<string, string>, repository: string): Map<string, string> {
  return new Map(
    [...writes].map(([path, text]) => {
      const { deposit } = path.endsWith(".md") ? parseDeposit(path, text) : { deposit: null };
      return [path, deposit === null ? text : formatDeposit(qualify(deposit, repository))];
    }),
  );
}
