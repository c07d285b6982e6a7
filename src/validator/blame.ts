import type { Check, Failure, Validation } from "./types.js";

/** A check's failures, parted by whether the untouched base had them too. */
export interface Blame {
  check: Check;
  /** `ours`: at least one is new. `known`: all were there before. `unclear`: the base fails too and no detail tells. */
  verdict: "none" | "ours" | "known" | "unclear";
  known: Failure[];
}

/** Compares a failed check with the same check on the base. */
export function blame(check: Check, baseline: Validation | null): Blame {
  if (check.outcome !== "failed") return { check, verdict: "none", known: [] };
  const before = baseline?.checks.find((other) => other.kind === check.kind && other.name === check.name);
  if (before?.outcome !== "failed") return { check, verdict: "ours", known: [] };
  if (check.failures.length === 0 && before.failures.length === 0) {
    // A rule that says the same word for word has found nothing new.
    const isSame = check.kind === "custom" && check.output.trim() !== "" && check.output === before.output;
    const whole = { title: check.name, path: null, line: null, message: check.reason };
    return isSame ? { check, verdict: "known", known: [whole] } : { check, verdict: "unclear", known: [] };
  }
  const keys = countKeys(before.failures);
  const known: Failure[] = [];
  const fresh: Failure[] = [];
  for (const failure of check.failures) {
    const left = keys.get(keyOf(failure)) ?? 0;
    if (left > 0) keys.set(keyOf(failure), left - 1);
    (left > 0 ? known : fresh).push(failure);
  }
  // Failures that were counted but not listed could be anything.
  const unlisted = (check.failed ?? 0) > check.failures.length;
  const isOurs = fresh.length > 0 || unlisted || known.length === 0;
  return { check, verdict: isOurs ? "ours" : "known", known };
}

/** Lines move with every edit, so they do not tell one failure from another; equal ones are counted. */
function keyOf(failure: Failure): string {
  return JSON.stringify([failure.path, failure.title, /^TS\d+$/.test(failure.title) ? failure.message : ""]);
}

function countKeys(failures: readonly Failure[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const failure of failures) counts.set(keyOf(failure), (counts.get(keyOf(failure)) ?? 0) + 1);
  return counts;
}
