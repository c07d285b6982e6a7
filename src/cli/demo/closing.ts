import { formatTokens } from "../../ledger/index.js";
import { type Output, paint } from "../output.js";
import type { Spent } from "./spent.js";
import type { Chapter } from "./story.js";

const MAX_DIFF_LINES = 60;

/** The end of the demo: the pull request's diff, its check, both bills side by side, and where to look. */
export function closingText(
  output: Output,
  told: { chapters: [Chapter, Chapter]; diff: string; pages: string; totalMs: number },
): string {
  const [first, second] = told.chapters;
  const { pull, check } = first;
  return [
    "",
    paint(
      output,
      "bold",
      `#${pull.number} ${pull.title}  +${pull.additions} −${pull.deletions} in ${pull.changed_files} files`,
    ),
    colourDiff(output, told.diff),
    "",
    `${paint(output, "bold", "Check")}   ${check.conclusion ?? "?"} — ${check.title}`,
    "",
    paint(output, "bold", "Bills, side by side"),
    billTable(first, second),
    "",
    `#${second.pull.number} waits for a person: ${second.pull.mergeable ? "mergeable" : "not mergeable"}, check ${second.check.conclusion ?? "?"}.`,
    `Time    ${(told.totalMs / 1000).toFixed(1)} s for both requirements`,
    `Pages   ${told.pages}`,
    "",
  ].join("\n");
}

function billTable(first: Chapter, second: Chapter): string {
  const rows: [string, (spent: Spent) => number, (value: number) => string][] = [
    ["model calls", ({ calls }) => calls, String],
    ["input tokens", ({ input, cacheRead, cacheWrite }) => input + cacheRead + cacheWrite, formatTokens],
    ["  from cache", ({ cacheRead }) => cacheRead, formatTokens],
    ["output tokens", ({ output }) => output, formatTokens],
    ["cost", ({ usd }) => usd, (usd) => `$${usd.toFixed(4)}`],
  ];
  const head = `${"".padEnd(16)}${first.requirement.padStart(10)}${second.requirement.padStart(10)}`;
  const lines = rows.map(([name, value, text]) => {
    const [a, b] = [value(first.spent), value(second.spent)];
    return `${name.padEnd(16)}${text(a).padStart(10)}${text(b).padStart(10)}${a > 0 ? `${Math.round((100 * b) / a)} %`.padStart(8) : ""}`;
  });
  return [head, ...lines].join("\n");
}

/** The code's part of a diff, coloured, cut to what fits a screen or two. */
function colourDiff(output: Output, diff: string): string {
  const parts = diff
    .split(/^(?=diff --git )/m)
    .filter((part) => !/^diff --git a\/(requirements|context)\//.test(part));
  const lines = parts
    .join("")
    .trimEnd()
    .split("\n")
    .filter((line) => !/^(index|diff --git|---|new file mode)/.test(line));
  const shown = lines.slice(0, MAX_DIFF_LINES).map((line) => {
    if (line.startsWith("+++ b/")) return paint(output, "bold", line.slice(6));
    if (line.startsWith("+")) return paint(output, "green", line);
    return line.startsWith("-") ? paint(output, "red", line) : paint(output, "dim", line);
  });
  return [
    ...shown,
    ...(lines.length > MAX_DIFF_LINES ? [`… ${lines.length - MAX_DIFF_LINES} more lines`] : []),
  ]
    .map((line) => `  ${line}`)
    .join("\n");
}
