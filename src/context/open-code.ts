import { type CodeMap, type OpenDeps, type TreeSource, openCodeMap } from "../codemap/index.js";
import type { HistoryCommit } from "../git/index.js";
import { createContext } from "./create-context.js";
import type { Context } from "./types.js";

/** A checkout whose code is to be known. Checkouts with one database share what is known of equal files. */
export interface CodePlace {
  tree: TreeSource;
  history(limit: number): Promise<readonly HistoryCommit[]>;
  /** File that everything is kept in that can be read again from the repository. */
  database: string;
}

/** What is known of the code of one checkout, until it is closed. */
export interface Code {
  map: CodeMap;
  context: Context;
  /** Of all its files, as last refreshed. */
  paths(): readonly string[];
  close(): Promise<void>;
}

/** Opens the code map of a checkout and the packing of what matters for a task. */
export async function openCode(deps: OpenDeps, place: CodePlace): Promise<Code> {
  const { map, index, db, close } = await openCodeMap(deps, place);
  const { tree, history } = place;
  const context = createContext({ db, index, read: (path) => tree.read(path), history });
  return { map, context, paths: index.paths, close };
}
