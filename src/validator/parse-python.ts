import type { Parsed } from "./parsed.js";
import type { Failure } from "./types.js";

/** Pytest, with and without `-q`. */
export function parsePytest(text: string): Parsed | null {
  const summaries = [...text.matchAll(/^(?:=+ )?((?:\d+ \w+(?:, )?)+|no tests ran)(?: in [\d.]+s.*)$/gm)];
  const summary = summaries.at(-1)?.[1];
  if (summary === undefined) return null;
  const count = (word: string) => Number(new RegExp(`(\\d+) ${word}`).exec(summary)?.[1] ?? 0);
  const places = new Map(
    [...text.matchAll(/^(\S+\.py):(\d+): \w*(?:Error|Exception|Failed|Warning)\b/gm)].map(
      ([, path = "", line]) => [path, Number(line)],
    ),
  );
  const failures = [...text.matchAll(/^(?:FAILED|ERROR) (\S+?\.py)(?:::(.+?))?(?: - (.*))?$/gm)].map(
    ([, path = "", title, message = ""]): Failure => ({
      title: title ?? path,
      path,
      line: lineOf(text, title) ?? places.get(path) ?? null,
      message,
    }),
  );
  const ran = [...text.matchAll(/^PASSED \S+?\.py::(.+)$/gm)].map(([, title = ""]) => title);
  const counts = { passed: count("passed"), failed: count("failed") + count("errors?") };
  return { ...counts, failures, ...(ran.length > 0 && { ran }) };
}

/** The line in a failure's own section, whose heading is the test's name between underscores. */
function lineOf(text: string, title: string | undefined): number | null {
  const name = title?.replaceAll("::", ".");
  const start = name ? text.indexOf(`_ ${name} _`) : -1;
  if (start < 0) return null;
  const section = text.slice(start).split(/^_{3,} .* _{3,}$/m)[1] ?? text.slice(start);
  const place = /^\S+\.py:(\d+): /m.exec(section);
  return place ? Number(place[1]) : null;
}

/** Python's own unittest. */
export function parseUnittest(text: string): Parsed | null {
  const count = /^Ran (\d+) tests? in/m.exec(text)?.[1];
  if (count === undefined) return null;
  const sections = text.split(/^={20,}\n/m).slice(1);
  const failures = sections.map((section): Failure => {
    const [, name = "", owner = ""] = /^(?:FAIL|ERROR): (\S+)(?: \((.*?)\))?/.exec(section) ?? [];
    const places = [...section.matchAll(/^ {2}File "(.+?)", line (\d+)/gm)];
    const place = places.at(-1);
    const lines =
      section
        .split(/^-{20,}$/m)[1]
        ?.split("\n")
        .filter((line) => /^\S/.test(line)) ?? [];
    return {
      title: owner && !owner.endsWith(name) ? `${owner}.${name}` : owner || name,
      path: place?.[1] ?? null,
      line: place ? Number(place[2]) : null,
      message:
        lines.find(
          (line) => /^[\w.]+(Error|Exception|Failure)?(:|$)/.test(line) && !line.startsWith("Traceback"),
        ) ?? "",
    };
  });
  const skipped = Number(/skipped=(\d+)/.exec(text)?.[1] ?? 0);
  const passed = Math.max(0, Number(count) - failures.length - skipped);
  const ran = [...text.matchAll(/^(\S+) \((.*?)\)(?:\n.*)? \.\.\. ok$/gm)].map(([, name = "", owner = ""]) =>
    owner.endsWith(name) ? owner : `${owner}.${name}`,
  );
  return { passed, failed: failures.length, failures, ...(ran.length > 0 && { ran }) };
}
