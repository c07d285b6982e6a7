import type { Parsed } from "./parsed.js";
import type { Failure } from "./types.js";

const LOCATION = /^(?:file:\/\/)?(.+?):(\d+):\d+$/;

/** The Test Anything Protocol as `node --test` and others print it. */
export function parseTap(text: string): Parsed | null {
  if (!/^(TAP version \d+|1\.\.\d+$|\s*(not )?ok \d+)/m.test(text)) return null;
  const lines = text.split("\n");
  const failures: Failure[] = [];
  let passed = 0;
  let failed = 0;
  for (const [i, line] of lines.entries()) {
    const [, not, description = ""] = /^\s*(not )?ok \d+(?: - )?(.*)$/.exec(line) ?? [];
    if (!/^\s*(not )?ok \d+/.test(line)) continue;
    if (/# (SKIP|TODO)\b/i.test(description)) continue;
    const details = yamlBlock(lines, i + 1);
    // A group fails because of what is in it, and is no test itself.
    if (details["type"] === "suite" || details["failureType"] === "subtestsFailed") continue;
    if (!not) {
      passed += 1;
      continue;
    }
    failed += 1;
    const [, path, at] = LOCATION.exec(details["location"] ?? "") ?? [];
    const title = description.trim().replace(/\\#/g, "#");
    failures.push({
      title,
      path: path ?? null,
      line: at ? Number(at) : null,
      message: details["error"] ?? "",
    });
  }
  const summary = (name: string) =>
    /^\d+$/.exec(lastMatch(text, new RegExp(`^# ${name} (\\d+)$`, "gm")) ?? "");
  const [pass] = summary("pass") ?? [];
  const [fail] = summary("fail") ?? [];
  return { passed: pass ? Number(pass) : passed, failed: fail ? Number(fail) : failed, failures };
}

/** The indented block between `---` and `...` after a test line: flat keys, and block texts joined. */
function yamlBlock(lines: readonly string[], from: number): Record<string, string> {
  const values: Record<string, string> = {};
  if (lines[from]?.trim() !== "---") return values;
  let key = "";
  for (let i = from + 1; i < lines.length; i++) {
    const line = (lines[i] ?? "").trim();
    if (line === "...") break;
    const [, name, value = ""] = /^([A-Za-z]\w*):(?: (.*))?$/.exec(line) ?? [];
    if (name !== undefined && !(key in values && values[key] === "" && /^\s{6,}/.test(lines[i] ?? ""))) {
      key = name;
      values[key] = /^[|>]-?$/.test(value) ? "" : value.replace(/^(['"])(.*)\1$/, "$2");
    } else if (key) {
      values[key] = `${values[key] ?? ""}${values[key] ? "\n" : ""}${line}`;
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
  return { passed: Number(pass), failed: Number(fail), failures };
}

function lastMatch(text: string, pattern: RegExp): string | null {
  return [...text.matchAll(pattern)].at(-1)?.[1] ?? null;
}
