import type { Check } from "./types.js";

/** A check of which nothing is known yet. */
export function emptyCheck(kind: Check["kind"], name: string, command: string): Check {
  const unknown = { outcome: "not-run" as const, reason: "", durationMs: 0, output: "" };
  return { kind, name, command, ...unknown, passed: null, failed: null, failures: [] };
}

/** How a check ends that found these failures, with one line for each as its output. */
export function withFindings(check: Check, failures: Check["failures"], reason: string): Check {
  if (failures.length === 0) return { ...check, outcome: "passed" };
  const output = failures
    .map(({ path, line, message }) => `${path ?? ""}:${line ?? 1}: ${message}`)
    .join("\n");
  return { ...check, outcome: "failed", reason, output, failed: failures.length, failures };
}
