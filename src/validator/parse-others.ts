import type { Parsed } from "./parsed.js";
import type { Failure } from "./types.js";

/** `go test -v`: each test's end, and after a failed one the lines it wrote. */
export function parseGo(text: string): Parsed | null {
  if (!/^\s*--- (PASS|FAIL|SKIP): |^(ok|FAIL|---|\?)\s+\S+\s+(\(cached\)|[\d.]+s|\[)/m.test(text))
    return null;
  const ends = [...text.matchAll(/^\s*--- (PASS|FAIL): (\S+) /gm)];
  // A test with subtests fails because of them.
  const names = ends.map(([, , name = ""]) => name);
  const leaves = ends.filter(([, , name = ""]) => !names.some((other) => other.startsWith(`${name}/`)));
  const failures = leaves
    .filter(([, verdict]) => verdict === "FAIL")
    .map(([, , title = ""]): Failure => {
      const place = placeInGo(text, title);
      return { title, path: place?.path ?? null, line: place?.line ?? null, message: place?.message ?? "" };
    });
  const broken = [...text.matchAll(/^(\S+\.go):(\d+):\d+: (.*)$/gm)].map(
    ([, path = "", line, message = ""]): Failure => ({ title: "build", path, line: Number(line), message }),
  );
  const ran = ends.filter(([, verdict]) => verdict === "PASS").map(([, , name = ""]) => name);
  const passed = leaves.length - failures.length;
  const all = [...failures, ...broken];
  return { passed, failed: all.length, failures: all, ...(ends.length > 0 && { ran }) };
}

function placeInGo(text: string, title: string): { path: string; line: number; message: string } | null {
  // With -v a test's lines come after its start, without it after its end.
  for (const start of [`=== RUN   ${title}\n`, `--- FAIL: ${title} `]) {
    const at = text.indexOf(start);
    if (at < 0) continue;
    const section = text.slice(at + start.length).split(/^\s*(?:=== RUN|--- )/m)[0] ?? "";
    const [, path, line, message = ""] = /^\s+(\S+\.go):(\d+): (.*)$/m.exec(section) ?? [];
    if (path && line) return { path, line: Number(line), message };
  }
  return null;
}

const PANIC = /^.*panicked at (?<path>[^\s']\S*?):(?<line>\d+):\d+:\n(?<message>.*)/;
const OLD_PANIC = /^.*panicked at '(?<message>[^\n]*)[^]*?', (?<path>\S+?):(?<line>\d+):\d+$/m;

/** `cargo test`. */
export function parseCargo(text: string): Parsed | null {
  const results = [...text.matchAll(/^test result: \w+\. (\d+) passed; (\d+) failed/gm)];
  if (results.length === 0) return null;
  const sum = (group: 1 | 2) => results.reduce((total, result) => total + Number(result[group]), 0);
  const failures = [...text.matchAll(/^test (.+?) \.\.\. FAILED$/gm)].map(([, title = ""]): Failure => {
    const at = text.indexOf(`thread '${title}'`);
    const said = at < 0 ? "" : text.slice(at);
    // Until Rust 1.72 the message stood before the place.
    const place = PANIC.exec(said)?.groups ?? OLD_PANIC.exec(said)?.groups ?? {};
    const { path, line, message = "" } = place;
    return { title, path: path ?? null, line: line ? Number(line) : null, message };
  });
  const ran = [...text.matchAll(/^test (.+?)(?: - should panic)? \.\.\. ok$/gm)].map(([, name = ""]) => name);
  return { passed: sum(1), failed: sum(2), failures, ran };
}

/** Mocha's spec reporter. */
export function parseMocha(text: string): Parsed | null {
  const passing = /^ {2}(\d+) passing\b/m.exec(text)?.[1];
  if (passing === undefined) return null;
  const [, summary = ""] = text.split(/^ {2}\d+ failing$/m);
  const failures = summary
    .split(/^ {2}\d+\) /m)
    .slice(1)
    .map((block): Failure => {
      const [names = "", ...rest] = block.split(":\n");
      const place = /\(?([^\s()]+):(\d+):\d+\)?\s*$/m.exec(block.slice(block.indexOf(" at ")));
      const title = names
        .split("\n")
        .map((line) => line.trim())
        .join(" > ");
      const message = rest.join(":\n").trim().split("\n")[0] ?? "";
      return { title, path: place?.[1] ?? null, line: place ? Number(place[2]) : null, message };
    });
  const failing = /^ {2}(\d+) failing$/m.exec(text)?.[1];
  const ran = [...text.matchAll(/^\s*[✔✓] (.+?)(?: \(\d+ms\))?$/gm)].map(([, title = ""]) => title);
  return { passed: Number(passing), failed: Number(failing ?? 0), failures, ran };
}

/** The TypeScript compiler: each error is a failure, and there is nothing to count as passed. */
export function parseTsc(text: string): Parsed | null {
  const failures = [...text.matchAll(/^(\S.*?)[(:](\d+)[,:]\d+\)?(?: -|:) error (TS\d+): (.*)$/gm)].map(
    ([, path = "", line, title = "", message = ""]): Failure => ({
      title,
      path,
      line: Number(line),
      message,
    }),
  );
  return failures.length > 0 ? { passed: null, failed: failures.length, failures } : null;
}
