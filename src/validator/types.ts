import type { ChangedFile, SourceReader } from "../codemap/index.js";
import type { Outcome } from "../shared/index.js";
import type { QueryRule } from "./options.js";

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
  kind: "syntax" | "imports" | "types" | "tests" | "rule" | "custom";
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
  /** Names of the tests that ran and passed; null or absent where the output does not name them. */
  ran?: string[] | null;
  /** What a command exited with; null when a signal ended it. Absent where no command ran. */
  exitCode?: number | null;
  /** The whole command, where only the tests that the change can reach were run, before all of them. */
  partOf?: string;
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
  /** Of tests: how they are run in part, where that can be told. */
  part?: PartRun;
  /** Of types: the code map's names of the languages that it compiles, so that it knows better what can be parsed. */
  compiles?: readonly string[];
}

/** How some of the tests are run: what the command begins with, and what it is given after that. */
export interface PartRun {
  start: string;
  takes:
    | "script-files"
    | "python-files"
    | "go-packages"
    | "cargo-targets"
    | "maven-classes"
    | "gradle-classes";
}

/** What is known of a change besides its paths. */
export interface ChangeKnowledge {
  source: SourceReader;
  /** A file's text on the base; null when it is not there. */
  before(path: string): Promise<string | null>;
  /** What changed in each file, as lines. */
  diff: readonly ChangedFile[];
  /** Test files that the change can reach. */
  reached: readonly string[];
  rules: readonly QueryRule[];
}
