import type { Parsed } from "./parsed.js";
import type { Failure } from "./types.js";

const LOCATION = /^(?:file:\/\/)?(.+?):(\d+):\d+$/;

/** The Test Anything Protocol as `node --test` and others print it. */
export function parseTap(text: string): Parsed | null {
  if (!/^(TAP version \d+|1\.\.\d+$|\s*(not )?ok \d+)/m.test(text)) return null;
  const lines = text.split("\n");
  const failures: Failure[] = [];
  const ran: string[] = [];
  let passed = 0;
  let failed = 0;
  for (const [i, line] of lines.entries()) {
    const [matched, not, description = ""] = /^\s*(not )?ok \d+(?: - )?(.*)$/.exec(line) ?? [];
    if (matched === undefined) continue;
    if (/# (SKIP|TODO)\b/i.test(description)) continue;
    const details = yamlBlock(lines, i + 1);
    // A group fails because of what is in it, and is no test itself.
    const isGroup = details["type"] === "suite" || details["failureType"] === "subtestsFailed";
    const title = description.trim().replace(/\\([#\\])/g, "$1");
    if (!not) ran.push(title);
    if (!not && !isGroup) passed += 1;
    if (!not || isGroup) continue;
    failed += 1;
    const [, path, at] = LOCATION.exec(details["location"] ?? "") ?? [];
    failures.push({
      title,
      path: path ?? null,
      line: at ? Number(at) : null,
      message: details["error"] ?? "",
    });
  }
  return { passed, failed, failures, ran };
}

/** The indented block between `---` and `...` after a test line: flat keys, and deeper lines joined to the key above. */
function yamlBlock(lines: readonly string[], from: number): Record<string, string> {
  const values: Record<string, string> = {};
  const [, indent] = /^(\s*)---$/.exec(lines[from] ?? "") ?? [];
  if (indent === undefined) return values;
  let key = "";
  for (const line of lines.slice(from + 1)) {
    if (line === `${indent}...`) break;
    const [, name, value = ""] = /^([A-Za-z]\w*):(?: (.*))?$/.exec(line.slice(indent.length)) ?? [];
    if (name !== undefined) {
      key = name;
      values[key] = /^[|>][-+]?$/.test(value) ? "" : value.replace(/^(['"])(.*)\1$/, "$2");
    } else {
      values[key] = `${values[key] ?? ""}\n${line.trim()}`.trim();
    }
  }
  return values;
}

/** What `node --test` prints for people. */
export function parseNodeSpec(text: string): Parsed | null {
  const pass = lastMatch(text, /^ℹ pass (\d+)$/gm);
  const fail = lastMatch(text, /^ℹ fail (\d+)$/gm);
  if (pass === null || fail === null) return null;
  const section = text.split(/^✖ failing tests:\s*$/m)[1] ?? "";
  const failures = section
    .split(/^test at /m)
    .slice(1)
    .map((block): Failure => {
      const [place = "", heading = "", ...rest] = block.split("\n");
      const [, path, line] = LOCATION.exec(place.trim()) ?? [];
      const title = heading
        .replace(/^\s*✖ /, "")
        .replace(/ \([\d.]+ms\).*$/, "")
        .trim();
      const message = rest.map((each) => each.trim()).find((each) => each !== "") ?? "";
      return { title, path: path ?? null, line: line ? Number(line) : null, message };
    });
  // Tests that only fail because of tests inside them are counted there, but they are no failures of their own.
  const own = failures.filter((failure) => !/^'?\d+ subtests? failed'?$/.test(failure.message));
  const ran = [...text.matchAll(/^\s*✔ (.+?) \([\d.]+ms\)/gm)].map(([, title = ""]) => title);
  return { passed: Number(pass), failed: own.length || Number(fail), failures: own, ran };
}

function lastMatch(text: string, pattern: RegExp): string | null {
  return [...text.matchAll(pattern)].at(-1)?.[1] ?? null;
}
