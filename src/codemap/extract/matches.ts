import type { Node, Query, Tree } from "web-tree-sitter";
import type { Runtime } from "./runtime.js";

/**
 * What a query found, as numbers: for each match its pattern, how many captures it has, and then for each of these
 * {@link CAPTURE_CELLS} cells, of which the first is the capture's index and the one at {@link START_CELL} where its node starts.
 */
export interface Matches {
  cells: Int32Array;
  count: number;
  /** Where the first match is in `cells`. */
  at: number;
  /** Where the node of the capture at a cell ends. */
  endOf(cell: number): number;
  /** Whether a pattern has predicates. */
  isGuarded(pattern: number): boolean;
  /** Whether the predicates of a match's pattern hold; `cell` is that of its first capture. */
  holds(pattern: number, cell: number, captures: number): boolean;
}

/** Cells of one match before its captures. */
export const MATCH_CELLS = 2;
/** Cells of one capture. */
export const CAPTURE_CELLS = 6;
/** Place of a node's start among the cells of its capture. */
export const START_CELL = 2;

/** One query that can be run over trees of its language. */
export interface Matcher {
  /** Hands over what it finds in a tree of `text`, until `isLate`; the matches are gone when `read` returns. */
  run<T>(
    tree: Tree,
    { text, isLate }: { text: string; isLate: () => boolean },
    read: (matches: Matches) => T,
  ): T;
}

/** Reads a query's answers as they lie in the memory of the runtime, or through the library's nodes where there is none. */
export function createMatcher(query: Query, runtime: Runtime | null): Matcher {
  const predicates = runtime && predicatesOf(query);
  return {
    run: (tree, { text, isLate }, read) =>
      runtime && predicates
        ? runInMemory({ runtime, query, predicates, tree, text }, isLate, read)
        : read(throughNodes(query, tree, isLate)),
  };
}

type Predicate = (captures: { name: string; node: Pick<Node, "text"> }[]) => boolean;

/** The library's own functions for `#eq?` and the like, which it keeps by pattern; null where it does so no more. */
function predicatesOf(query: Query): readonly (readonly Predicate[])[] | null {
  const kept: unknown = Reflect.get(query, "textPredicates");
  return Array.isArray(kept) && kept.every(Array.isArray) ? (kept as Predicate[][]) : null;
}

interface Run {
  runtime: Runtime;
  query: Query;
  predicates: readonly (readonly Predicate[])[];
  tree: Tree;
  text: string;
}

/** The places that the query may look at and start at, and how many matches may be open: all of them. */
const NO_LIMITS = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1];

/**
 * Relies on how the library's own `Query.matches` asks its module: a node takes five cells of the transfer buffer, and there the
 * number of matches and their address are found afterwards.
 */
function runInMemory<T>(
  { runtime, query, predicates, tree, text }: Run,
  isLate: () => boolean,
  read: (matches: Matches) => T,
): T {
  const buffer = runtime._ts_init() >> 2;
  const address = handleOf(tree);
  writeRoot(runtime, buffer, tree.rootNode);
  runtime.currentQueryProgressCallback = isLate;
  runtime._ts_query_matches_wasm(handleOf(query), address, ...NO_LIMITS);
  runtime.currentQueryProgressCallback = null;
  const cells = runtime.HEAP32;
  const [count = 0, start = 0] = [cells[buffer], cells[buffer + 1]];
  const endOf = (cell: number) => {
    for (let part = 0; part < 5; part++) cells[buffer + part] = cells[cell + 1 + part] ?? 0;
    return runtime._ts_node_end_index_wasm(address);
  };
  const isGuarded = (pattern: number) => (predicates[pattern]?.length ?? 0) > 0;
  const holds = (pattern: number, cell: number, captures: number) => {
    const named = Array.from({ length: captures }, (_, index) => {
      const at = cell + index * CAPTURE_CELLS;
      const name = query.captureNames[cells[at] ?? 0] ?? "";
      return { name, node: { text: text.slice(cells[at + START_CELL], endOf(at)) } };
    });
    return (predicates[pattern] ?? []).every((each) => each(named));
  };
  try {
    return read({ cells, count, at: start >> 2, endOf, isGuarded, holds });
  } finally {
    runtime._free(start);
  }
}

function writeRoot({ HEAP32 }: Runtime, buffer: number, root: Node): void {
  const { row, column } = root.startPosition;
  HEAP32.set([root.id, root.startIndex, row, column, handleOf(root)], buffer);
}

/** The address of what stands in the runtime's memory for an object of the library. */
function handleOf(object: object): number {
  return Number(Reflect.get(object, 0));
}

const END_CELL = 3;

function throughNodes(query: Query, tree: Tree, isLate: () => boolean): Matches {
  const numbers = new Map(query.captureNames.map((name, index) => [name, index]));
  const found = query.matches(tree.rootNode, { progressCallback: isLate });
  const cells: number[] = [];
  for (const { patternIndex, captures } of found) {
    cells.push(patternIndex, captures.length);
    for (const { name, node } of captures)
      cells.push(numbers.get(name) ?? -1, node.id, node.startIndex, node.endIndex, 0, 0);
  }
  const kept = Int32Array.from(cells);
  return {
    cells: kept,
    count: found.length,
    at: 0,
    endOf: (cell) => kept[cell + END_CELL] ?? 0,
    isGuarded: () => false,
    holds: () => true,
  };
}
