import type { Branch, Patterns, Step } from "./patterns.js";
import type { Nodes } from "./tree-memory.js";

/** Cells of one capture: its number, and where its node starts and ends. */
export const CAPTURE_CELLS = 3;
/** Places of a node's start and end among the cells of its capture. */
export const START_CELL = 1;
/** @see START_CELL */
export const END_CELL = 2;

/** Takes one match: its pattern and the cells of its captures, which are gone when it returns. False where it wants no more. */
export type TakeMatch = (pattern: number, cells: Int32Array, captures: number) => boolean;

/** How many captures a match may have, and how deep a pattern may be. */
const MAX_CAPTURES = 64;
const MAX_DEPTH = 64;
/** So many nodes are looked at between two looks at the clock. */
const STRIDE = 4096;

/** What a run of a matcher needs beside the nodes. */
export interface MatchRun {
  text: string;
  isLate: () => boolean;
  take: TakeMatch;
}

/** How far the search for matches is. */
interface Search {
  nodes: Nodes;
  isNamed: Uint8Array;
  run: MatchRun;
  /** The node that stands for each depth of the pattern. */
  matched: Int32Array;
  cells: Int32Array;
  /** Cells of the captures so far. */
  used: number;
  /** Nodes until the next look at the clock. */
  left: number;
  isOver: boolean;
}

/**
 * Finds the matches of patterns among nodes, those of one outermost node together. A part that may be missing is taken where it is
 * there; what is not captured is looked for once only.
 */
export function createPatternMatcher(
  { isNamed, single, nested }: Patterns,
  nodes: Nodes,
): (run: MatchRun) => void {
  const matched = new Int32Array(MAX_DEPTH);
  const cells = new Int32Array(MAX_CAPTURES * CAPTURE_CELLS);
  return (run) => {
    const search: Search = { nodes, isNamed, run, matched, cells, used: 0, left: STRIDE, isOver: false };
    const { count, kinds, nexts } = nodes;
    for (let node = 0; node < count && !search.isOver; node++) {
      if (--search.left < 0) lookAtClock(search);
      const kind = kinds[node] ?? 0;
      tryAll(search, single[kind] ?? [], node);
      if (nexts[node] !== node + 1) tryAll(search, nested[kind] ?? [], node);
    }
  };
}

function tryAll(search: Search, steps: readonly Step[], node: number): void {
  for (const step of steps) if (fits(search, step, node)) goOn(search, step, node, true);
}

/** Whether a node is what a step asks for, with all that must stand in it. */
function fits(search: Search, step: Step, node: number): boolean {
  const { field, absent, isLast, guards, inner, depth } = step;
  const { nodes, matched, run } = search;
  if (field !== 0 && nodes.fields[node] !== field) return false;
  if (isLast && !isLastNamed(search, node, depth)) return false;
  for (const each of absent) if (hasField(nodes, node, each)) return false;
  for (const guard of guards) if (!guard(run.text.slice(nodes.starts[node], nodes.ends[node]))) return false;
  if (inner === null) return true;
  const before = matched[depth] ?? 0;
  matched[depth] = node;
  const isThere = find(search, inner, node + 1, false);
  matched[depth] = before;
  return isThere;
}

function isLastNamed({ nodes, isNamed, matched }: Search, node: number, depth: number): boolean {
  const { kinds, nexts } = nodes;
  const end = nexts[matched[depth - 1] ?? 0] ?? 0;
  for (let next = nexts[node] ?? end; next < end; next = nexts[next] ?? end)
    if (isNamed[kinds[next] ?? 0] === 1) return false;
  return true;
}

function hasField({ fields, nexts }: Nodes, parent: number, field: number): boolean {
  const end = nexts[parent] ?? 0;
  for (let node = parent + 1; node < end; node = nexts[node] ?? end) if (fields[node] === field) return true;
  return false;
}

/** Tries a branch on the nodes from one on; true where the pattern became complete. It `emits` the matches, or ends with the first. */
function find(search: Search, branch: Branch, from: number, emits: boolean): boolean {
  const { depth, steps, isAnchored, isAnyGood, isOptional, otherwise } = branch;
  const { kinds, nexts } = search.nodes;
  const end = nexts[search.matched[depth - 1] ?? 0] ?? 0;
  let isFound = false;
  for (let node = from; node < end && !search.isOver; node = nexts[node] ?? end) {
    if (--search.left < 0) lookAtClock(search);
    const kind = kinds[node] ?? 0;
    for (const step of steps) {
      if (step.kinds[kind] !== 1 || !fits(search, step, node) || !goOn(search, step, node, emits)) continue;
      if (isAnyGood || !emits) return true;
      isFound = true;
    }
    if (isAnchored && search.isNamed[kind] === 1) break;
  }
  if (isFound || !isOptional) return isFound;
  if (otherwise === null) return complete(search, branch.pattern, emits);
  return find(search, otherwise, otherwise.depth === depth ? from : nextAt(search, otherwise.depth), emits);
}

/** Goes on after a node that fits. */
function goOn(search: Search, step: Step, node: number, emits: boolean): boolean {
  const { depth, next, captures, pattern } = step;
  const { nodes, matched, cells, used } = search;
  const before = matched[depth] ?? 0;
  matched[depth] = node;
  for (const capture of captures) {
    cells[search.used] = capture;
    cells[search.used + START_CELL] = nodes.starts[node] ?? 0;
    cells[search.used + END_CELL] = nodes.ends[node] ?? 0;
    search.used += CAPTURE_CELLS;
  }
  const isFound =
    next === null
      ? complete(search, pattern, emits)
      : find(search, next, next.depth > depth ? node + 1 : nextAt(search, next.depth), emits);
  search.used = used;
  matched[depth] = before;
  return isFound;
}

/** The node after the one that stands for a depth. */
function nextAt({ nodes, matched }: Search, depth: number): number {
  return nodes.nexts[matched[depth] ?? 0] ?? 0;
}

function complete(search: Search, pattern: number, emits: boolean): boolean {
  if (emits && !search.run.take(pattern, search.cells, search.used / CAPTURE_CELLS)) search.isOver = true;
  return true;
}

function lookAtClock(search: Search): void {
  search.left = STRIDE;
  search.isOver ||= search.run.isLate();
}
