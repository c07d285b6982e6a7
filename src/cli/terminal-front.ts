import { formatTokens, formatUsd } from "../ledger/index.js";
import type { Board, Front, Run } from "../orchestrator/index.js";
import { type Output, paint } from "./output.js";

const ERASE = "\r\u001b[K";
/** Blanks around the live line, and one column that stays free. */
const MARGIN = 6;
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u;
const SIGNS = { waiting: " ", active: "⠹", done: "✓", paused: "⏸", failed: "✗" } as const;

/**
 * Shows a run in a terminal: one line per finished step, and on a terminal a last line that lives. A pipe gets plain lines only.
 */
export function createTerminalFront(output: Output, tokensOf: (run: string) => number): Front {
  const printed = new Set<string>();
  let isLive = false;

  function line(text: string): void {
    output.err(`${isLive ? ERASE : ""}  ${text}\n`);
    isLive = false;
  }

  function live(text: string, spent: string): void {
    if (!output.isTty) return;
    // A line that wraps could not be taken back.
    const room = output.columns() - displayWidth(spent) - MARGIN;
    output.err(`${ERASE}  ${fit(text, room)}   ${spent}`);
    isLive = true;
  }

  function once(key: string, text: () => string): void {
    if (printed.has(key)) return;
    printed.add(key);
    line(text());
  }

  function ended({ mark, headline }: Board): string {
    const sign = mark === "done" ? paint(output, "green", SIGNS.done) : paint(output, "red", SIGNS[mark]);
    return `${sign} ${plain(headline)}`;
  }

  async function show(board: Board): Promise<void> {
    once("head", () => `${paint(output, "bold", board.requirement)}  ${plain(board.title)}`);
    if (board.branch) once("branch", () => paint(output, "dim", `branch ${board.branch ?? ""}`));
    const warning = paint(output, "yellow", "⚠");
    for (const { id, level, text } of board.reminders) {
      once(id, () => `${level === "info" ? "·" : warning} ${id}  ${plain(text)}`);
    }
    for (const notice of board.notices) once(notice, () => `${warning} ${plain(notice)}`);
    const spent = `${formatTokens(tokensOf(board.run))}  ${formatUsd(board.spentNanoUsd)}`;
    for (const { phase, mark, result } of board.rows) {
      if (mark === "waiting" || mark === "active") continue;
      const sign = mark === "done" ? paint(output, "green", SIGNS.done) : paint(output, "red", SIGNS[mark]);
      once(`${phase} ${mark}`, () => `${sign} ${phase.padEnd(12)} ${plain(result).padEnd(44)} ${spent}`);
    }
    if (board.mark !== "active") return once(`end ${board.mark}`, () => ended(board));
    const activity = board.activity ? ` · ${board.activity}` : "";
    live(`${SIGNS.active} ${plain(board.headline + activity)}`, spent);
  }

  return {
    acknowledge: () => Promise.resolve(),
    show,
    publish: (_run: Run) => Promise.resolve(null),
    bill: () => Promise.resolve(),
    // It stands among the notices, which a terminal prints at once.
    alert: () => Promise.resolve(),
    // A terminal has no boxes: what is waited for stands in the last line, and is ticked in tasks.md.
    showParts: () => Promise.resolve(),
    askPerson: () => Promise.resolve(),
    abandon: () => Promise.resolve(),
  };
}

/** A Markdown text on one line, without link addresses and without what would steer the terminal: models write some of it. */
function plain(text: string): string {
  return text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim();
}

/** Columns that a text takes in a terminal: two for East Asian characters and emoji. */
function displayWidth(text: string): number {
  let width = 0;
  for (const char of text) width += WIDE.test(char) ? 2 : 1;
  return width;
}

function fit(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  let clipped = "";
  for (const char of text) {
    if (displayWidth(clipped + char) >= columns) break;
    clipped += char;
  }
  return `${clipped}…`;
}
