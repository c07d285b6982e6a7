import type { ToolCall } from "../model/index.js";

const MAX_CYCLE = 5;
const REPEATS = 5;

/** Notices an agent that goes round in circles. */
export interface LoopGuard {
  /** `warn` at the first circle, `stop` at the second. */
  observe(calls: readonly ToolCall[]): "fine" | "warn" | "stop";
}

/** The same arguments in another order are the same call. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === "object" && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}

function isCircle(turns: readonly string[], length: number): boolean {
  const recent = turns.slice(-length * REPEATS);
  return recent.length === length * REPEATS && recent.every((turn, at) => turn === recent[at % length]);
}

/** Looks for 1 to 5 turns that are repeated 5 times with equal calls; reading on in a file is no circle. */
export function createLoopGuard(): LoopGuard {
  let turns: string[] = [];
  let warned = false;
  return {
    observe(calls) {
      turns.push(canonical(calls.map(({ name, input, problem }) => [name, input, problem])));
      turns = turns.slice(-MAX_CYCLE * REPEATS);
      const lengths = Array.from({ length: MAX_CYCLE }, (_, at) => at + 1);
      if (!lengths.some((length) => isCircle(turns, length))) return "fine";
      if (warned) return "stop";
      warned = true;
      turns = [];
      return "warn";
    },
  };
}
