import { clipMiddle } from "../shared/index.js";
import type { ToolCall, ToolResultBlock } from "../model/index.js";

const MAX_CYCLE = 5;
const REPEATS = 5;
const MAX_SAME_ERROR = 4;
const MAX_FAILED_EDITS = 3;
const MAX_WARNINGS = 2;
const SHOWN_CHARACTERS = 300;
const EDIT_TOOL = "edit_file";

/** What goes round in circles. */
export interface Repetition {
  /** Which notice fits. */
  notice: "repeating" | "same-error" | "failing-edit";
  /** For model and people: what was repeated. */
  what: string;
  /** True when the agent was warned of it before, or too often altogether. */
  isFinal: boolean;
}

/** Notices an agent that goes round in circles. */
export interface LoopGuard {
  /** Contract: one result per call, in the order of the calls. */
  observe(calls: readonly ToolCall[], results: readonly ToolResultBlock[]): Repetition | null;
}

type Found = Omit<Repetition, "isFinal">;

/** The same arguments in another order are the same call. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === "object" && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}

/** 1 to 5 turns that were repeated 5 times with equal calls; reading on in a file is no circle. */
function createCycleFinder(): (calls: readonly ToolCall[]) => Found | null {
  let turns: string[] = [];
  const isCycle = (length: number) => {
    const recent = turns.slice(-length * REPEATS);
    return recent.length === length * REPEATS && recent.every((turn, at) => turn === recent[at % length]);
  };
  return (calls) => {
    turns.push(canonical(calls.map(({ name, input, problem }) => [name, input, problem])));
    turns = turns.slice(-MAX_CYCLE * REPEATS);
    const length = [1, 2, 3, 4, 5].find(isCycle);
    if (length === undefined) return null;
    const cycle = turns.slice(-length).sort();
    turns = [];
    return { notice: "repeating", what: cycle.join(" ") };
  };
}

/** The same tool failing with the same words in turn after turn, whatever its arguments. */
function createErrorFinder(): (
  calls: readonly ToolCall[],
  results: readonly ToolResultBlock[],
) => Found | null {
  const last = new Map<string, { error: string; turns: number }>();
  return (calls, results) => {
    // A tool that was called twice in a turn and once worked is a tool that works.
    const errors = new Map<string, string | null>();
    for (const [at, { name }] of calls.entries()) {
      const result = results[at];
      const error = result?.is_error === true ? result.content : null;
      errors.set(name, errors.get(name) === null ? null : error);
    }
    let found: Found | null = null;
    for (const [tool, error] of errors) {
      const before = last.get(tool);
      const turns = error !== null && before?.error === error ? before.turns + 1 : 1;
      if (error === null || turns >= MAX_SAME_ERROR) last.delete(tool);
      else last.set(tool, { error, turns });
      if (error !== null && turns >= MAX_SAME_ERROR)
        found = { notice: "same-error", what: `${tool}: ${error}` };
    }
    return found;
  };
}

/** Edits of one file that fail one after the other. */
function createEditFinder(): (
  calls: readonly ToolCall[],
  results: readonly ToolResultBlock[],
) => Found | null {
  const failures = new Map<unknown, number>();
  return (calls, results) => {
    let found: Found | null = null;
    for (const [at, { name, input }] of calls.entries()) {
      if (name !== EDIT_TOOL) continue;
      const path = input["path"];
      const count = results[at]?.is_error === true ? (failures.get(path) ?? 0) + 1 : 0;
      failures.set(path, count % MAX_FAILED_EDITS);
      if (count === MAX_FAILED_EDITS) found = { notice: "failing-edit", what: `${name} ${String(path)}` };
    }
    return found;
  };
}

/** Warns once of each repetition, and at most twice altogether: what comes after that is final. */
export function createLoopGuard(): LoopGuard {
  const findEdit = createEditFinder();
  const findError = createErrorFinder();
  const findCycle = createCycleFinder();
  const warned = new Set<string>();
  return {
    observe(calls, results) {
      const all = [findEdit(calls, results), findError(calls, results), findCycle(calls)];
      const found = all.find((one) => one !== null);
      if (!found) return null;
      const isFinal = warned.has(found.what) || warned.size >= MAX_WARNINGS;
      warned.add(found.what);
      return { notice: found.notice, what: clipMiddle(found.what, SHOWN_CHARACTERS), isFinal };
    },
  };
}
