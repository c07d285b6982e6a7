import { partOf } from "./part-of.js";
import type { Command } from "./types.js";

/** The commands that run these test files: only them where a runner takes a list, else all its tests. */
export function testsIn(
  commands: readonly Command[],
  of: { tests: readonly string[]; paths: readonly string[] },
): Command[] {
  const paths = new Set(of.paths);
  const parts = commands.flatMap((command) => partOf(command, { reached: of.tests, paths }) ?? []);
  return parts.length > 0 ? parts : commands.filter(({ kind }) => kind === "tests");
}
