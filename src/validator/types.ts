import type { Outcome } from "../shared/index.js";

/** One thing that failed, as exact as the tool's output allows. */
export interface Failure {
  /** Test name or rule. */
  title: string;
  path: string | null;
  line: number | null;
  message: string;
}

/** One command or check and what was observed. */
export interface Check {
  kind: "syntax" | "types" | "tests" | "custom";
  name: string;
  command: string;
  outcome: Outcome;
  /** Why it was not run, or what failed, in a sentence; empty when passed. */
  reason: string;
  durationMs: number;
  /** Cut to what helps. */
  output: string;
  /** Numbers of single tests where the output tells them, else null. */
  passed: number | null;
  failed: number | null;
  failures: Failure[];
}

/** All checks of one state of the tree. `not-run` when nothing ran: never green for nothing. */
export interface Validation {
  outcome: Outcome;
  /** One sentence: `38 checks passed`, `2 of 41 tests fail`, `no test command found`. */
  reason: string;
  checks: Check[];
  /** Failures that the untouched base had too: said, and not blamed on the change. */
  known: Failure[];
}

/** A command that a repository is checked with. */
export interface Command {
  kind: "types" | "tests" | "custom";
  name: string;
  command: string;
  timeoutMs: number;
}
