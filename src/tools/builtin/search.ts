import { z } from "zod";
import { AccrueError, clipEnd } from "../../shared/index.js";
import { defineTool } from "../define-tool.js";
import { quoted } from "../quoted.js";
import { searchPattern } from "./search-pattern.js";

const MAX_MATCHES = 100;
const MAX_LINE_CHARS = 300;
const TIMEOUT_MS = 30_000;
const NO_MATCH = 1;

/** The same search for three programs; which of them there are is for the box to say. */
function commandFor(pattern: string, folder: string, isLiteral: boolean): string {
  const { rust, posix, ignoreCase } = isLiteral
    ? { rust: pattern, posix: pattern, ignoreCase: false }
    : searchPattern(pattern);
  const flags = `${isLiteral ? "-F" : ""} ${ignoreCase ? "-i" : ""}`;
  const what = (own: string) => `${flags} -e ${quoted(own)} -- ${quoted(folder)}`;
  const grepStyle = isLiteral ? "" : "-E";
  return [
    // Without it, grep takes every letter beyond ASCII for a sign of a binary file.
    "export LC_ALL=C.UTF-8",
    `if command -v rg >/dev/null 2>&1; then rg --no-config --no-heading -nH --color never --hidden --sort path --no-require-git -g '!.git' ${what(rust)};`,
    `elif git rev-parse --git-dir >/dev/null 2>&1; then git --no-pager grep -nI --no-color --untracked ${grepStyle} ${what(posix)};`,
    `else grep -rnI --exclude-dir=.git --exclude-dir=node_modules ${grepStyle} ${what(posix)}; fi`,
  ].join("\n");
}

/** Each program has its own order of files; within a file all give the lines in order. */
function sorted(lines: readonly string[]): string[] {
  const keyed = lines.map((line) => {
    const clean = line.replace(/^\.\//, "");
    return { clean, path: /^(.*?):\d+:/.exec(clean)?.[1] ?? "" };
  });
  keyed.sort((a, b) => (a.path === b.path ? 0 : a.path < b.path ? -1 : 1));
  return keyed.map(({ clean }) => clean);
}

function noMatches(pattern: string, isLiteral: boolean): string {
  const hasOperator = !isLiteral && /[.$^*+?()[\]{}|]/.test(pattern);
  return hasOperator
    ? "(no matches; for plain text with signs such as $ or ( set literal: true)"
    : "(no matches)";
}

function shorten(line: string): string {
  return clipEnd(line.replace(/\r$/, ""), MAX_LINE_CHARS);
}

const SingleLine = z.string().regex(/^[^\0\n\r]+$/, "must be one line and not empty");

/** Finds where something is written. */
export const searchTool = defineTool({
  name: "search",
  description: `Searches the text files of the workspace, without ignored ones; gives path:line:text, at most ${MAX_MATCHES} matches.`,
  kind: "read",
  timeoutMs: TIMEOUT_MS + 5_000,
  input: z.strictObject({
    pattern: SingleLine.describe(
      "Regular expression within a line: . [] () | * + ? {2,3} ^ $ \\b \\w \\d \\s, (?i) at the start; no look-around",
    ),
    folder: SingleLine.default(".").describe("Folder or file, relative to the workspace"),
    literal: z.boolean().default(false).describe("Take the pattern as plain text"),
  }),
  async run({ pattern, folder, literal }, { box }, signal) {
    if (folder.startsWith("/") || folder.split("/").includes("..")) {
      throw new AccrueError("PATH_OUTSIDE", `${folder} is outside the workspace. Name a folder inside.`);
    }
    const command = commandFor(pattern, folder, literal);
    const { exitCode, output, timedOut } = await box.run({ command, timeoutMs: TIMEOUT_MS }, signal);
    if (exitCode === NO_MATCH) return noMatches(pattern, literal);
    if (exitCode !== 0) {
      const reason = timedOut ? `timed out after ${TIMEOUT_MS / 1000} s` : `failed (exit code ${exitCode})`;
      throw new AccrueError("INPUT_INVALID", `The search ${reason}: ${output.trim()}. Narrow or correct it.`);
    }
    const lines = sorted(output.trimEnd().split("\n"));
    const more = lines.length - MAX_MATCHES;
    const notice = more > 0 ? [`(${more} more matches: narrow the pattern or the folder)`] : [];
    return [...lines.slice(0, MAX_MATCHES).map(shorten), ...notice].join("\n");
  },
});
