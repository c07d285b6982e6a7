import type { Parsed } from "./parsed.js";
import type { Failure } from "./types.js";

/** Vitest's default reporter. */
export function parseVitest(text: string): Parsed | null {
  const tests = /^\s*Tests {2}(.+)$/m.exec(text)?.[1];
  const isVitest = tests !== undefined || /^No test files found/m.test(text);
  if (!isVitest) return null;
  const failures = text
    .split(/^\s*FAIL {2}/m)
    .slice(1)
    .map((block): Failure => {
      const [heading = "", ...rest] = block.split("\n");
      const [path = "", ...names] = heading
        .replace(/^\|[^|]+\| /, "")
        .trim()
        .split(" > ");
      const places = [...block.matchAll(/^\s*❯ (?:\S+ )?(\S+?):(\d+):\d+/gm)];
      const file = path.replace(/ \[.*\]$/, "");
      const place = places.find((each) => each[1] === file);
      return {
        title: names.join(" > ") || file,
        path: file,
        line: place ? Number(place[2]) : null,
        message: rest.find((line) => line.trim() !== "")?.trim() ?? "",
      };
    });
  const counts = countsOf(tests ?? "");
  // A file that cannot be loaded is listed, but none of its tests is counted.
  return { ...counts, failed: Math.max(counts.failed, failures.length), failures };
}

/** Jest's default reporter. */
export function parseJest(text: string): Parsed | null {
  const tests = /^Tests: +(.+)$/m.exec(text)?.[1];
  if (tests === undefined) return null;
  const failures = text
    .split(/^FAIL /m)
    .slice(1)
    .flatMap(failuresOfFile);
  // Jest repeats all failures at the end of a long run.
  const unique = new Map(failures.map((failure) => [`${failure.path}\0${failure.title}`, failure]));
  const counts = countsOf(tests);
  return { ...counts, failed: Math.max(counts.failed, unique.size), failures: [...unique.values()] };
}

function failuresOfFile(block: string): Failure[] {
  const path = /^(\S+)/.exec(block)?.[1] ?? null;
  return block
    .split(/^ {2}● /m)
    .slice(1)
    .map((part): Failure => {
      const [title = "", ...rest] = part.split("\n");
      const place = path === null ? null : new RegExp(`${escapeRegExp(path)}:(\\d+):\\d+`).exec(part);
      return {
        title: title.trim().replaceAll(" › ", " > "),
        path,
        line: place ? Number(place[1]) : null,
        message: rest.find((line) => line.trim() !== "")?.trim() ?? "",
      };
    });
}

/** `1 failed | 3 passed (4)` and `1 failed, 3 passed, 4 total`. */
function countsOf(summary: string): { passed: number; failed: number } {
  const count = (word: string) => Number(new RegExp(`(\\d+) ${word}`).exec(summary)?.[1] ?? 0);
  return { passed: count("passed"), failed: count("failed") };
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
