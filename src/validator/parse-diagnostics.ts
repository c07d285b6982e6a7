import type { Parsed } from "./parsed.js";
import type { Failure } from "./types.js";

/** How compilers and checkers name a place, and what they say of it: path, line, title, message. */
const FORMS: readonly RegExp[] = [
  // mypy: `a.py:3: error: Incompatible types  [assignment]`; javac: `A.java:3: error: ';' expected`
  /^(?<path>[\w./\\@+-]+\.\w+):(?<line>\d+):(?:\d+:)? error: (?<message>.*?)(?: {2}\[(?<title>[\w-]+)\])?$/gm,
  // pyright: `  /srv/a.py:3:5 - error: message (reportX)`
  /^\s*(?<path>[\w./\\@+-]+\.\w+):(?<line>\d+):\d+ - error: (?<message>.*?)(?: \((?<title>report\w+)\))?$/gm,
  // ruff: `a.py:1:8: F401 [*] message`
  /^(?<path>[\w./\\@+-]+\.pyi?):(?<line>\d+):\d+: (?<title>[A-Z]+\d+|SyntaxError):? (?<message>.*)$/gm,
  // go vet: `vet: ./a.go:3:5: message`
  /^(?:vet: )?(?<path>[\w./\\@+-]+\.go):(?<line>\d+):\d+: (?<message>.*)$/gm,
  // Maven's compiler: `[ERROR] /srv/A.java:[3,5] message`
  /^\[ERROR\] (?<path>[\w./\\@+-]+\.\w+):\[(?<line>\d+),\d+\] (?<message>.*)$/gm,
];

/** What compilers and checkers say that have one line for each place. */
export function parseDiagnostics(text: string): Parsed | null {
  for (const form of FORMS) {
    const failures = [...text.matchAll(form)].map(({ groups = {} }): Failure => {
      const { path = "", line, title, message = "" } = groups;
      return { title: title ?? "error", path, line: Number(line), message };
    });
    const unique = [...new Map(failures.map((each) => [JSON.stringify(each), each])).values()];
    if (unique.length > 0) return { passed: null, failed: unique.length, failures: unique };
  }
  return null;
}

/** ESLint's own format: a file on a line of its own, and below it a line for each finding. */
export function parseEslint(text: string): Parsed | null {
  if (!/^✖ \d+ problems? \(/m.test(text)) return null;
  const failures = text.split(/\n\s*\n/).flatMap((block): Failure[] => {
    const [path = "", ...lines] = block.trim().split("\n");
    return lines.flatMap((line) => {
      const { at, message = "", title } = ESLINT_LINE.exec(line)?.groups ?? {};
      return at === undefined ? [] : { title: title ?? "error", path, line: Number(at), message };
    });
  });
  return { passed: null, failed: failures.length, failures };
}

const ESLINT_LINE = /^\s+(?<at>\d+):\d+ {2,}error {2,}(?<message>.*?)(?: {2,}(?<title>\S+))?\s*$/;

/** Rust's compiler: `error[E0308]: message`, and the place on a line of its own. */
export function parseRustc(text: string): Parsed | null {
  const found = text.matchAll(/^error(?:\[(E\d+)\])?: (.*)\n(?:.*\n){0,2}? +--> (.+?):(\d+):\d+$/gm);
  const failures = [...found].map(([, title = "error", message = "", path = "", line]): Failure => ({
    title,
    path,
    line: Number(line),
    message,
  }));
  // Each target of a project is compiled for itself.
  const unique = [...new Map(failures.map((each) => [JSON.stringify(each), each])).values()];
  return unique.length > 0 ? { passed: null, failed: unique.length, failures: unique } : null;
}
