import { z } from "zod";
import { AccrueError } from "../../shared/index.js";
import { defineTool } from "../define-tool.js";

const MAX_MATCHES = 100;
const MAX_LINE_CHARS = 300;
const TIMEOUT_MS = 30_000;
const NO_MATCH = 1;

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** The same search for three programs; which of them there are is for the box to say. */
function commandFor(pattern: string, folder: string, literal: boolean): string {
  const what = `-e ${quoted(pattern)} -- ${quoted(folder)}`;
  const style = literal ? "-F" : "";
  const grepStyle = literal ? "-F" : "-E";
  return [
    `if command -v rg >/dev/null 2>&1; then rg --no-config --no-heading -nH --color never --hidden --no-require-git -g '!.git' --sort path ${style} ${what};`,
    `elif git rev-parse --git-dir >/dev/null 2>&1; then git --no-pager grep -nI --no-color --untracked ${grepStyle} ${what};`,
    `else grep -rnI --exclude-dir=.git --exclude-dir=node_modules ${grepStyle} ${what}; fi`,
  ].join("\n");
}

function shorten(line: string): string {
  const clean = line.replace(/^\.\//, "").replace(/\r$/, "");
  return clean.length <= MAX_LINE_CHARS ? clean : `${clean.slice(0, MAX_LINE_CHARS)}…`;
}

const SingleLine = z.string().regex(/^[^\0\n\r]+$/, "must be one line and not empty");

/** Finds where something is written. */
export const searchTool = defineTool({
  name: "search",
  description: `Searches the files of the workspace for a regular expression; gives path:line:text, at most ${MAX_MATCHES} matches.`,
  kind: "read",
  timeoutMs: TIMEOUT_MS + 5_000,
  input: z.strictObject({
    pattern: SingleLine.describe("Regular expression, matched within a line"),
    folder: SingleLine.default(".").describe("Folder or file, relative to the workspace"),
    literal: z.boolean().default(false).describe("Take the pattern as plain text"),
  }),
  async run({ pattern, folder, literal }, { box }, signal) {
    if (folder.startsWith("/") || folder.split("/").includes("..")) {
      throw new AccrueError("PATH_OUTSIDE", `${folder} is outside the workspace. Name a folder inside.`);
    }
    const command = commandFor(pattern, folder, literal);
    const { exitCode, output, timedOut } = await box.run({ command, timeoutMs: TIMEOUT_MS }, signal);
    if (exitCode === NO_MATCH) return "(no matches)";
    if (exitCode !== 0) {
      const reason = timedOut ? `timed out after ${TIMEOUT_MS / 1000} s` : `failed (exit code ${exitCode})`;
      throw new AccrueError("INPUT_INVALID", `The search ${reason}: ${output.trim()}. Narrow or correct it.`);
    }
    const lines = output.trimEnd().split("\n");
    const more = lines.length - MAX_MATCHES;
    const notice = more > 0 ? [`(${more} more matches: narrow the pattern or the folder)`] : [];
    return [...lines.slice(0, MAX_MATCHES).map(shorten), ...notice].join("\n");
  },
});
