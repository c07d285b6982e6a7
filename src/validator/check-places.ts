import picomatch from "picomatch";
import type { Change } from "../workspace/index.js";
import { emptyCheck, withFindings } from "./empty-check.js";
import type { Check } from "./types.js";

/** Finds changed files outside of what may be changed, globs of which are given. Null where there are none, or all may be. */
export function checkPlaces(changed: readonly Change[], within: readonly string[]): Check | null {
  if (within.length === 0) return null;
  const isWithin = picomatch([...within], { dot: true });
  const outside = changed.filter(({ path }) => !isWithin(path));
  if (outside.length === 0) return null;
  const allowed = within.map((glob) => `\`${glob}\``).join(", ");
  const failures = outside.map(({ path }) => ({
    title: "outside of the paths that may be changed",
    path,
    line: null,
    message: `Only ${allowed} may be changed here: put this file back as it was.`,
  }));
  const what = failures.length === 1 ? "file lies" : "files lie";
  const reason = `${failures.length} changed ${what} outside of ${allowed}.`;
  return withFindings(emptyCheck("rule", "paths", "changed files"), failures, reason);
}
