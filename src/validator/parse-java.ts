import type { Parsed } from "./parsed.js";
import type { Failure } from "./types.js";

/** Maven's surefire: counts for each class and their sum, and what failed with its line. */
export function parseSurefire(text: string): Parsed | null {
  // A class's own line goes on with its time.
  const sums = [...text.matchAll(/Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+)\s*$/gm)];
  const last = sums.at(-1);
  if (!last) return null;
  const [run = 0, failed = 0, errors = 0, skipped = 0] = last.slice(1).map(Number);
  const failures = [...text.matchAll(/^\[ERROR\] +(\w[\w$]*)\.(\w+):(\d+)(?:->\S+)? (.*)$/gm)].map(
    ([, owner = "", name = "", line, message = ""]): Failure => ({
      title: `${owner}.${name}`,
      path: `${owner.split("$")[0] ?? owner}.java`,
      line: Number(line),
      message,
    }),
  );
  return { passed: run - failed - errors - skipped, failed: failed + errors, failures };
}

/** Gradle names only what failed, and says how many ran only then. */
export function parseGradle(text: string): Parsed | null {
  const [, all, failed] = /^(\d+) tests? completed, (\d+) failed/m.exec(text) ?? [];
  if (all === undefined || failed === undefined) return null;
  const failures = [
    ...text.matchAll(/^(\w[\w.$]*) > (.+?)(?:\(\))? FAILED\n +(\S.*?)(?: at (\w+\.\w+):(\d+))?$/gm),
  ].map(([, owner = "", name = "", message = "", file, line]): Failure => ({
    title: `${owner.split(".").at(-1) ?? owner}.${name}`,
    path: file ?? null,
    line: line ? Number(line) : null,
    message,
  }));
  const skipped = Number(/^\d+ tests? completed, .*?(\d+) skipped/m.exec(text)?.[1] ?? 0);
  return { passed: Number(all) - Number(failed) - skipped, failed: Number(failed), failures };
}
