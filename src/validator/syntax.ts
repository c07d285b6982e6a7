import { isAccrueError, messageOf } from "../shared/index.js";
import type { Box, Change, CommandResult, Files } from "../workspace/index.js";
import { emptyCheck } from "./empty-check.js";
import type { Check, Failure } from "./types.js";

/** Files that one command looks at: the command line must stay short. */
const FILES_PER_COMMAND = 50;
const COMMAND_LIMIT_MS = 2 * 60_000;
const OUTPUT_LIMIT = 8000;
const REGULAR = /^100/;
/** JSON by name, but read by tools that allow comments in it. */
const COMMENTED_JSON =
  /(^|\/)(\.vscode|\.devcontainer)\/|(^|\/)(tsconfig|jsconfig|devcontainer|api-extractor|\.eslintrc|\.babelrc|\.swcrc)[^/]*\.json$/;
const END_MARK = "@@accrue-end";

/** One language whose syntax can be checked without its project's tools. */
interface Language {
  name: string;
  files: RegExp;
  /** The shell words that check the file `"$f"`; null when it is read here. */
  command: string | null;
  line: RegExp;
  message: RegExp;
}

const LANGUAGES: readonly Language[] = [
  {
    name: "JavaScript",
    files: /\.[cm]?js$/,
    command: 'node --check "$f"',
    line: /^\S*?:(\d+)$/m,
    message: /^(\w*Error: .*)$/m,
  },
  {
    name: "Python",
    files: /\.pyi?$/,
    command: 'PYTHONPYCACHEPREFIX="$HOME/.pycache" python3 -m py_compile "$f"',
    line: /line (\d+)/,
    message: /^(\w*Error: .*)$/m,
  },
  { name: "JSON", files: /\.json$/, command: null, line: /line (\d+)/, message: /(.*)/ },
];

/**
 * Checks that the changed files can be parsed at all: JavaScript, Python and JSON. One check per language; a single
 * `not-run` when none of the files is of these.
 */
export async function checkSyntax(
  input: { files: Files; box: Box; changed: readonly Change[] },
  signal: AbortSignal,
): Promise<Check[]> {
  const present = input.changed.filter((change) => change.status !== "deleted" && REGULAR.test(change.mode));
  const checks: Check[] = [];
  for (const language of LANGUAGES) {
    const paths = present.map((change) => change.path).filter((path) => isOf(language, path));
    if (paths.length === 0) continue;
    checks.push(
      language.command === null
        ? await checkJson(input.files, paths)
        : await checkInBox(input.box, language, paths, signal),
    );
  }
  if (checks.length > 0) return checks;
  return [
    { ...emptyCheck("syntax", "syntax", ""), reason: "No changed file is JavaScript, Python or JSON." },
  ];
}

function isOf(language: Language, path: string): boolean {
  return language.files.test(path) && !COMMENTED_JSON.test(path);
}

async function checkJson(files: Files, paths: readonly string[]): Promise<Check> {
  const started = performance.now();
  const failures: Failure[] = [];
  for (const path of paths) {
    try {
      const text = (await files.read(path))?.toString("utf8") ?? "null";
      JSON.parse(text.replace(/^\ufeff/, ""));
    } catch (error) {
      if (!(error instanceof SyntaxError) && !isAccrueError(error)) throw error;
      failures.push({ title: "JSON", path, line: null, message: messageOf(error) });
    }
  }
  const durationMs = Math.round(performance.now() - started);
  return concluded(
    { ...emptyCheck("syntax", "syntax (JSON)", "JSON.parse"), durationMs },
    paths.length,
    failures,
  );
}

async function checkInBox(
  box: Box,
  language: Language,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<Check> {
  const check = emptyCheck("syntax", `syntax (${language.name})`, language.command ?? "");
  const failures: Failure[] = [];
  const outputs: string[] = [];
  for (let from = 0; from < paths.length; from += FILES_PER_COMMAND) {
    const chunk = paths.slice(from, from + FILES_PER_COMMAND);
    const result = await box.run({ command: script(language, chunk), timeoutMs: COMMAND_LIMIT_MS }, signal);
    check.durationMs += result.durationMs;
    const answers = answersOf(result, chunk.length);
    if (answers === null) {
      const reason = result.timedOut ? "The check did not end in time." : "The check itself failed.";
      return { ...check, reason, output: result.output.slice(-OUTPUT_LIMIT) };
    }
    for (const [i, { code, text }] of answers.entries()) {
      const path = chunk[i] ?? "";
      if (code === 0) continue;
      if (code === 127)
        return { ...check, reason: `The program for ${language.name} is not installed here.` };
      const line = language.line.exec(text)?.[1];
      const message = language.message.exec(text)?.[1]?.trim() ?? text.trim().slice(0, 300);
      failures.push({ title: language.name, path, line: line ? Number(line) : null, message });
      outputs.push(text.trim());
    }
  }
  const output = outputs.join("\n\n").slice(0, OUTPUT_LIMIT);
  return concluded({ ...check, output }, paths.length, failures);
}

/** Names come in single quotes: nothing in them is read by the shell. */
function script(language: Language, paths: readonly string[]): string {
  const words = paths.map((path) => `'./${path.replaceAll("'", "'\\''")}'`).join(" ");
  return `for f in ${words}; do ${language.command}; printf '\\n${END_MARK} %s\\n' "$?"; done`;
}

function answersOf(result: CommandResult, count: number): { code: number; text: string }[] | null {
  const parts = result.output.split(new RegExp(`^${END_MARK} (\\d+)$`, "m"));
  const answers: { code: number; text: string }[] = [];
  for (let i = 0; i + 1 < parts.length; i += 2) {
    answers.push({ text: parts[i] ?? "", code: Number(parts[i + 1]) });
  }
  return answers.length === count ? answers : null;
}

function concluded(check: Check, count: number, failures: Failure[]): Check {
  const [first] = failures;
  const counted = { passed: count - failures.length, failed: failures.length, failures };
  if (!first) return { ...check, ...counted, outcome: "passed" };
  const others = failures.length > 1 ? ` and ${failures.length - 1} more` : "";
  return { ...check, ...counted, outcome: "failed", reason: `${first.path}${others} cannot be parsed.` };
}
