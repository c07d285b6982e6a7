import type { Command, PartRun } from "./types.js";

const TESTS_LIMIT_MS = 15 * 60_000;
const TYPES_LIMIT_MS = 5 * 60_000;
const CUSTOM_LIMIT_MS = 10 * 60_000;

/** What is read of a repository to find its commands; a file that is not there is an empty text. */
export interface Look {
  paths: readonly string[];
  has(path: string): boolean;
  read(path: string): Promise<string>;
}

/** A command that runs tests; with `part`, also some of them. */
export function tests(name: string, command: string, part?: PartRun): Command {
  return { kind: "tests", name, command, timeoutMs: TESTS_LIMIT_MS, ...(part && { part }) };
}

/** A command that checks types, or whatever else a compiler finds in languages of the code map. */
export function types(name: string, command: string, compiles: readonly string[] = []): Command {
  return { kind: "types", name, command, timeoutMs: TYPES_LIMIT_MS, compiles };
}

/** Any other command that has to end well. */
export function custom(name: string, command: string): Command {
  return { kind: "custom", name, command, timeoutMs: CUSTOM_LIMIT_MS };
}
