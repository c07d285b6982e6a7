import type { Failure } from "./types.js";

/** What a tool's output says about single tests; null where it does not say. */
export interface Parsed {
  passed: number | null;
  failed: number | null;
  failures: Failure[];
  /** Names of the tests that passed, where it names them. */
  ran?: string[];
}

/** Reads one tool's output; null when the output is not that tool's. Paths are as printed. */
export type Parser = (output: string) => Parsed | null;
