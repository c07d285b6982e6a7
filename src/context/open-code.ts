import {
  type CodeMap,
  type OpenDeps,
  type SourceReader,
  type TreeSource,
  createSourceReader,
  keepTexts,
  openCodeMap,
} from "../codemap/index.js";
import type { FilePast, HistoryCommit } from "../git/index.js";
import { createWordBridge } from "../memory/index.js";
import { createContext } from "./create-context.js";
import type { CallerItem, Context, ContextBridge } from "./types.js";

/** So many users of one definition are shown: who wants them all asks the map. */
const CALLERS_EACH = 4;

/** What opening the code of a checkout needs of the machine. */
export interface OpenCodeDeps extends OpenDeps {
  /** Default: Chinese to English, by the table of word vectors that ships. */
  bridge?: ContextBridge;
}

/** A checkout whose code is to be known. Checkouts with one database share what is known of equal files. */
export interface CodePlace {
  tree: TreeSource;
  history(limit: number): Promise<readonly HistoryCommit[]>;
  /** How its files were called before; without it only the tree itself tells where a definition went. */
  past?: FilePast;
  /** File that everything is kept in that can be read again from the repository. */
  database: string;
}

/** What is known of the code of one checkout, until it is closed. */
export interface Code {
  map: CodeMap;
  /** Reads single texts as the map does. */
  source: SourceReader;
  context: Context;
  /** Of all its files, as last refreshed. */
  paths(): readonly string[];
  close(): Promise<void>;
}

/** Opens the code map of a checkout and the packing of what matters for a task. */
export async function openCode(deps: OpenCodeDeps, place: CodePlace): Promise<Code> {
  const { history } = place;
  const tree = keepTexts(place.tree);
  const { map, index, db, close } = await openCodeMap(deps, { ...place, tree });
  const context = createContext({
    db,
    index,
    read: (path) => tree.read(path),
    history,
    callers: (keys) => callersOf(map, keys),
    bridge: deps.bridge ?? createWordBridge(),
  });
  return { map, source: createSourceReader(deps.now), context, paths: index.paths, close };
}

/** What of the product uses some definitions and is none of them, in the order of these. */
function callersOf(map: CodeMap, keys: readonly string[]): CallerItem[] {
  const seen = new Set(keys);
  return keys.flatMap((used) =>
    map.callers(used, { limit: CALLERS_EACH }).items.flatMap(({ symbol }) => {
      const { path, key, line, signature, isTest } = symbol;
      if (isTest || seen.has(key)) return [];
      seen.add(key);
      return [{ path, symbol: key, line, signature }];
    }),
  );
}
