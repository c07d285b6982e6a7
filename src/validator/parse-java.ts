import type { Parsed } from "./parsed.js";
import type { Failure } from "./types.js";

/** Maven's surefire: counts for each class, and what failed with its line. */
export function parseSurefire(text: string): Parsed | null {
  // Each class has a line, and the sum has another without a class.
  const sums = [
    ...text.matchAll(/Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+)(?!.*(?: in |--))/g),
  ];
  const last = sums.at(-1);
  if (!last) return null;
  const [run = 0, failed = 0, errors = 0, skipped = 0] = last.slice(1).map(Number);
  const failures = [...text.matchAll(/^\[ERROR\] +(\w[\w$]*)\.(\w+):(\d+)(?:->\S+)? (.*)$/gm)].map(
    ([, owner = "", name = "", line, message = ""]): Failure => ({
      title: `${owner}.${name}`,
      path: placeOf(text, owner),
      line: Number(line),
      message,
    }),
  );
  return { passed: run - failed - errors - skipped, failed: failed + errors, failures };
}

/** The file of a class, from the name with its package that stands in the output. */
function placeOf(text: string, owner: string): string {
  const name = new RegExp(
    `\\b((?:[\\w$]+\\.)*${owner.replace(/\W/g, "\\$&")})\\b(?:\\.\\w+)? *(?:--|<<<)`,
  ).exec(text)?.[1];
  return `src/test/java/${(name ?? owner).replaceAll(".", "/")}.java`;
}

/** Gradle names only what failed, and says how many ran when something did. */
export function parseGradle(text: string): Parsed | null {
  const failures = [
    ...text.matchAll(/^(\w[\w.$]*) > (.+?)(?:\(\))? FAILED\n(?: +(.*)\n(?: +at .*\((\w+\.\w+):(\d+)\))?)?/gm),
  ].map(([, owner = "", name = "", message = "", , line]): Failure => ({
    title: `${owner.split(".").at(-1) ?? owner}.${name}`,
    path: `src/test/java/${owner.replaceAll(".", "/")}.java`,
    line: line ? Number(line) : null,
    message,
  }));
  const [, all, failed] = /^(\d+) tests? completed, (\d+) failed/m.exec(text) ?? [];
  if (all === undefined || failed === undefined) return null;
  const skipped = Number(/^\d+ tests? completed, .*?(\d+) skipped/m.exec(text)?.[1] ?? 0);
  return { passed: Number(all) - Number(failed) - skipped, failed: Number(failed), failures };
}
