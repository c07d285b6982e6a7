import { parseJest, parseVitest } from "./parse-javascript.js";
import { parseNodeSpec, parseTap } from "./parse-node.js";
import { parsePytest, parseUnittest } from "./parse-python.js";
import { parseCargo, parseGo, parseMocha, parseTsc } from "./parse-others.js";
import { parseGradle, parseSurefire } from "./parse-java.js";
import { parseDiagnostics, parseEslint, parseRustc } from "./parse-diagnostics.js";
import type { Parsed, Parser } from "./parsed.js";

const PARSERS: readonly Parser[] = [
  parseVitest,
  parseJest,
  parsePytest,
  parseUnittest,
  parseGo,
  parseCargo,
  parseNodeSpec,
  parseTap,
  parseMocha,
  parseSurefire,
  parseGradle,
  parseTsc,
  parseRustc,
  parseEslint,
  parseDiagnostics,
];
// Colours and cursor movements, which tools also write into pipes when told to.
// eslint-disable-next-line no-control-regex
const ANSI = /\u001b\[[0-9;?]*[A-Za-z]/g;

/** Reads counts and failures from whatever tool printed the output, with paths made relative to the repository. */
export function parseOutput(output: string, knownPaths: ReadonlySet<string>): Parsed {
  const text = output.replace(ANSI, "").replaceAll("\r\n", "\n");
  for (const parse of PARSERS) {
    const parsed = parse(text);
    if (!parsed) continue;
    const failures = parsed.failures.map((failure) => {
      const path = failure.path === null ? null : relativePath(failure.path, knownPaths);
      return { ...failure, path, line: path === null ? null : failure.line };
    });
    return { ...parsed, failures };
  }
  return { passed: null, failed: null, failures: [] };
}

/** The longest end of a printed path that is a file of the repository, or the only file of that name; null when none is. */
function relativePath(printed: string, knownPaths: ReadonlySet<string>): string | null {
  const parts = printed.replace(/^file:\/\//, "").split("/");
  for (let i = 0; i < parts.length; i++) {
    const candidate = parts.slice(i).join("/").replace(/^\.\//, "");
    if (knownPaths.has(candidate)) return candidate;
  }
  // Go and Java print a file without its folder.
  const named = parts.length === 1 ? [...knownPaths].filter((path) => path.endsWith(`/${printed}`)) : [];
  return named.length === 1 ? (named[0] ?? null) : null;
}
