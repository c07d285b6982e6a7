import type { FilePast } from "../git/index.js";
import type { RefreshableIndex } from "./store/index.js";
import type { Binder, Index } from "./map-types.js";
import { definitionOf } from "./queries/definition.js";
import { findSymbols } from "./queries/find.js";
import { follow } from "./queries/follow.js";
import { graphOf } from "./queries/graph.js";
import { impactOf, impactOfDiff } from "./queries/impact.js";
import { listing } from "./queries/listing.js";
import { overviewOf } from "./queries/overview.js";
import { cleanPath, resolveSymbol } from "./queries/resolve.js";
import { importersOf, outlineOf, unusedOf } from "./queries/structure.js";
import { mapped } from "./queries/symbols.js";
import type { CodeMap } from "./queries/types.js";
import { type Bound, dependentsOf, implementersOf, usesOf, withMembers } from "./queries/uses.js";

/** What a code map asks: an index of one tree, what binds its names, and the text of its files. */
export interface CodeMapDeps {
  index: Pick<RefreshableIndex, keyof Index | "refresh">;
  binder: Binder;
  read(path: string): Promise<Buffer | null>;
  /** How files were called before; without it only the tree itself tells. */
  past?: FilePast | null;
}

const DEFAULT_LIMIT = 30;
const LOOKUP_LIMIT = 10;

/** Answers questions about a tree. Its answers are of the last refresh: refresh before asking. */
export function createCodeMap({ index, binder, read, past = null }: CodeMapDeps): CodeMap {
  const bound: Bound = { index, binder, kept: null };
  const symbolOf = (key: string) => {
    const found = mapped(index, resolveSymbol(index, key));
    if (found) return found;
    throw new Error(`${key} was found, and is not there`);
  };
  const implementers: CodeMap["implementers"] = (key, { limit = DEFAULT_LIMIT } = {}) =>
    listing(index, implementersOf(bound, resolveSymbol(index, key)), limit, ({ path }) => path);
  const references: CodeMap["references"] = (key, options) =>
    usesOf(bound, resolveSymbol(index, key), options);
  return {
    refresh: (signal, paths) => index.refresh(paths ? { paths } : {}, signal),
    hasFile: (path) => index.file(cleanPath(path)) !== null,
    find: (name, options) => findSymbols(index, name, options),
    symbol: symbolOf,
    definition: (key) => definitionOf(index, read, symbolOf(key)),
    references,
    callers: (key, { limit = DEFAULT_LIMIT, depth = 1 } = {}) => {
      const seeds = withMembers(index, resolveSymbol(index, key));
      const { symbols } = dependentsOf(bound, seeds, { depth, least: "likely" });
      return listing(index, symbols, limit, ({ symbol }) => symbol.path);
    },
    implementers,
    impact: (keyOrPath, options) => impactOf(bound, keyOrPath, options),
    impactOfDiff: (diff, options) => impactOfDiff(bound, diff, options),
    importers: (path, options) => importersOf(bound, path, options),
    outline: (path, options) => outlineOf(index, path, options),
    unused: (options) => unusedOf(bound, options),
    overview: (maxTokens) => overviewOf(index, maxTokens),
    graph: (keyOrPath, options) => graphOf(bound, keyOrPath, options),
    follow: (names) => follow({ index, read, past }, names),
    lookup: async (key, knowledge, { limit = LOOKUP_LIMIT } = {}) => {
      const symbol = symbolOf(key);
      return {
        symbol,
        references: references(key, { limit }),
        implementers: implementers(key, { limit: LOOKUP_LIMIT }).items,
        knowledge: knowledge ? await knowledge(symbol) : null,
      };
    },
  };
}
