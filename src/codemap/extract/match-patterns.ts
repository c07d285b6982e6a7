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

/**
 * Finds the matches of patterns among nodes, those of one outermost node together. A part that may be missing is taken where it is
 * there; what is not captured is looked for once only.
 */
export function createPatternMatcher(
  { isNamed, single, nested }: Patterns,
  nodes: Nodes,
): (run: MatchRun) => void {
  const cells = new Int32Array(MAX_CAPTURES * CAPTURE_CELLS);
  const matched = new Int32Array(MAX_DEPTH);
  let { kinds, fields, starts, ends, nexts } = nodes;
  let { text, isLate, take }: MatchRun = { text: "", isLate: () => false, take: () => false };
  let used = 0;
  let left = STRIDE;
  let isOver = false;

  /** Whether a node is what a step asks for, with all that must stand in it. */
  function fits({ field, absent, isLast, guards, inner, depth }: Step, node: number): boolean {
    if (field !== 0 && fields[node] !== field) return false;
    if (isLast && !isLastNamed(node, depth)) return false;
    for (const each of absent) if (hasField(node, each)) return false;
    for (const guard of guards) if (!guard(text.slice(starts[node], ends[node]))) return false;
    if (inner === null) return true;
    const before = matched[depth] ?? 0;
    matched[depth] = node;
    const isThere = search(inner, node + 1, false);
    matched[depth] = before;
    return isThere;
  }

  function isLastNamed(node: number, depth: number): boolean {
    const end = nexts[matched[depth - 1] ?? 0] ?? 0;
    for (let next = nexts[node] ?? end; next < end; next = nexts[next] ?? end)
      if (isNamed[kinds[next] ?? 0] === 1) return false;
    return true;
  }

  function hasField(parent: number, field: number): boolean {
    const end = nexts[parent] ?? 0;
    for (let node = parent + 1; node < end; node = nexts[node] ?? end)
      if (fields[node] === field) return true;
    return false;
  }

  /** Tries a branch on the nodes from one on; true where the pattern became complete. */
  function search(branch: Branch, from: number, emits: boolean): boolean {
    const { depth, steps, isAnchored, isAnyGood, isOptional, otherwise } = branch;
    const end = nexts[matched[depth - 1] ?? 0] ?? 0;
    let isFound = false;
    for (let node = from; node < end && !isOver; node = nexts[node] ?? end) {
      if (--left < 0) lookAtClock();
      const kind = kinds[node] ?? 0;
      for (const step of steps) {
        if (step.kinds[kind] !== 1 || !fits(step, node) || !goOn(step, node, emits)) continue;
        isFound = true;
        if (isAnyGood || !emits) return true;
      }
      if (isAnchored && isNamed[kind] === 1) break;
    }
    if (isFound || !isOptional) return isFound;
    if (otherwise === null) return complete(branch.pattern, emits);
    return search(otherwise, otherwise.depth === depth ? from : after(otherwise.depth), emits);
  }

  /** Goes on after a node that fits. */
  function goOn({ depth, then, captures, pattern }: Step, node: number, emits: boolean): boolean {
    const before = matched[depth] ?? 0;
    const had = used;
    matched[depth] = node;
    for (const capture of captures) {
      cells[used] = capture;
      cells[used + START_CELL] = starts[node] ?? 0;
      cells[used + END_CELL] = ends[node] ?? 0;
      used += CAPTURE_CELLS;
    }
    const isFound =
      then === null
        ? complete(pattern, emits)
        : search(then, then.depth > depth ? node + 1 : after(then.depth), emits);
    used = had;
    matched[depth] = before;
    return isFound;
  }

  /** The node after the one that was taken at a depth. */
  function after(depth: number): number {
    return nexts[matched[depth] ?? 0] ?? 0;
  }

  function complete(pattern: number, emits: boolean): boolean {
    if (emits && !take(pattern, cells, used / CAPTURE_CELLS)) isOver = true;
    return true;
  }

  function lookAtClock(): void {
    left = STRIDE;
    isOver ||= isLate();
  }

  function tryRoots(steps: readonly Step[], node: number): void {
    for (const step of steps) if (fits(step, node)) goOn(step, node, true);
  }

  return (run) => {
    ({ kinds, fields, starts, ends, nexts } = nodes);
    ({ text, isLate, take } = run);
    isOver = false;
    for (let node = 0; node < nodes.count && !isOver; node++) {
      if (--left < 0) lookAtClock();
      const kind = kinds[node] ?? 0;
      tryRoots(single[kind] ?? [], node);
      if (nexts[node] !== node + 1) tryRoots(nested[kind] ?? [], node);
    }
  };
}
