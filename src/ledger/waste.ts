import { INTERRUPTED } from "./calls.js";
import { billedCalls, groupsOf } from "./totals.js";
import type { LedgerEntry, Waste, WasteKind } from "./types.js";

/** Answers that are cut off or refused: none of it is kept or run. */
const DISCARDED = ["max_tokens", "refusal", "model_context_window_exceeded"];
/** What the door to the model says of a call that was given up because the run stopped. */
const CANCELLED = "cancelled";

/** Adds up by kind what was spent for nothing; each entry counts once. */
export function wasteOf(entries: readonly LedgerEntry[]): Waste[] {
  const repeated = new Set(repeats(entries).flatMap(([, ...again]) => again));
  const kinds = new Map(entries.map((entry) => [entry, kindOf(entry, repeated.has(entry))]));
  const wasted = entries.filter((entry) => kinds.get(entry) !== null);
  return groupsOf(wasted, (entry) => kinds.get(entry) ?? "failed");
}

/** Calls of one run that asked exactly the same and were answered each time, two or more each. */
export function repeats(entries: readonly LedgerEntry[]): LedgerEntry[][] {
  const groups = new Map<string, LedgerEntry[]>();
  for (const entry of entries) {
    // A try after a failed one asks the same, as it should.
    if (entry.requestHash === undefined || entry.wasted) continue;
    const key = `${entry.run} ${entry.requestHash}`;
    groups.set(key, [...(groups.get(key) ?? []), entry]);
  }
  return [...groups.values()].filter(({ length }) => length > 1);
}

function kindOf(entry: LedgerEntry, isRepeated: boolean): WasteKind | null {
  if (!entry.wasted) {
    if (DISCARDED.includes(entry.stopReason)) return "discarded";
    return isRepeated ? "repeated" : null;
  }
  if (entry.stopReason === INTERRUPTED) return "interrupted";
  if (entry.stopReason === CANCELLED) return "stopped";
  return billedCalls(entry) === 0 ? "unanswered" : "failed";
}
