// What a git history would have cost in output tokens: its changes as edits of the fewest unique lines, and as whole files.
import { execFileSync } from "node:child_process";
import { estimateTokens } from "../../dist/shared/index.js";

/** Output tokens of a call's arguments, as the scripted model counts them. */
export const tokensOf = (input) => estimateTokens(JSON.stringify(input));

function git(root, ...args) {
  return execFileSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 1 << 28 });
}

/** Hunks without context: which lines of the old file are replaced by which lines. */
function hunksOf(diff) {
  const hunks = [];
  for (const line of diff.split("\n")) {
    const head = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@/.exec(line);
    if (head) {
      const count = Number(head[2] ?? 1);
      // Of a pure insertion git names the line before it.
      const start = Number(head[1]) - (count === 0 ? 0 : 1);
      hunks.push({ start, end: start + count, lines: [] });
    } else if (line.startsWith("+") && hunks.length > 0) hunks.at(-1).lines.push(line.slice(1));
  }
  return hunks;
}

function occursOnce(text, part) {
  const at = text.indexOf(part);
  return part !== "" && at >= 0 && text.indexOf(part, at + 1) < 0;
}

/** The smallest edit around a hunk whose old text is unique: lines are added by turns after and before it. */
function editOf(lines, hunk) {
  const text = lines.join("\n");
  let { start, end } = hunk;
  for (let round = 0; ; round++) {
    const kept = [lines.slice(start, hunk.start), hunk.lines, lines.slice(hunk.end, end)].flat();
    // Lines that go without a trace take their line end with them.
    const lineEnd = kept.length === 0 ? "\n" : "";
    const old_text = lines.slice(start, end).join("\n") + lineEnd;
    if (end > start && occursOnce(text, old_text)) return { old_text, new_text: kept.join("\n") };
    if (start === 0 && end >= lines.length) return null;
    if ((round % 2 === 0 && end < lines.length) || start === 0) end++;
    else start--;
  }
}

/** The edits of one file, each against the text as the ones before it leave it; null when it was empty. */
export function editsOf(before, diff) {
  const edits = [];
  let lines = before.split("\n");
  // From the last to the first, so that line numbers of the ones above still hold.
  for (const hunk of hunksOf(diff).toReversed()) {
    const edit = editOf(lines, hunk);
    if (edit === null) return null;
    edits.push(edit);
    lines = lines.toSpliced(hunk.start, hunk.end - hunk.start, ...hunk.lines);
  }
  return edits;
}

/** What edit_file would make of them; null when an old text does not occur exactly once. */
function applied(before, edits) {
  let text = before;
  for (const { old_text, new_text } of edits) {
    if (!occursOnce(text, old_text)) return null;
    text = text.replace(old_text, () => new_text);
  }
  return text;
}

/** Over the last commits, every modified file below a folder. */
export function measureHistory(root, { commits, folder }) {
  const shas = git(root, "log", "--no-merges", "--format=%H", "-n", String(commits), "HEAD")
    .trim()
    .split("\n");
  const total = {
    commits: shas.length,
    files: 0,
    leftOut: 0,
    edits: 0,
    editTokens: 0,
    wholeTokens: 0,
    perFile: [],
  };
  for (const sha of shas) {
    const listed = git(
      root,
      "diff-tree",
      "-r",
      "--root",
      "--no-commit-id",
      "--diff-filter=M",
      "--name-only",
      sha,
      "--",
      folder,
    );
    for (const path of listed.split("\n").filter(Boolean)) {
      const before = git(root, "show", `${sha}~:${path}`);
      const after = git(root, "show", `${sha}:${path}`);
      const edits = editsOf(before, git(root, "diff", "-U0", `${sha}~`, sha, "--", path));
      // A file that was empty, or whose mode or last line end alone changed, is no matter of edits.
      if (edits === null || edits.length === 0 || applied(before, edits) !== after) {
        total.leftOut++;
        continue;
      }
      const editTokens = edits.reduce((sum, edit) => sum + tokensOf({ path, ...edit }), 0);
      const wholeTokens = tokensOf({ path, content: after });
      total.files++;
      total.edits += edits.length;
      total.editTokens += editTokens;
      total.wholeTokens += wholeTokens;
      total.perFile.push(editTokens / wholeTokens);
    }
  }
  const sorted = total.perFile.toSorted((a, b) => a - b);
  const { perFile: _, ...sums } = total;
  return {
    ...sums,
    share: sums.editTokens / sums.wholeTokens,
    medianShare: sorted[Math.floor(sorted.length / 2)],
  };
}
