import { formatTokens, formatUsd } from "../ledger/index.js";
import type { Board, Front, Run } from "../orchestrator/index.js";
import { type Output, paint } from "./output.js";

const SIGNS = { waiting: " ", active: "⠹", done: "✓", paused: "⏸", failed: "✗" } as const;

/**
 * Shows a run in a terminal: one line per finished step, and on a terminal a last line that lives. A pipe gets plain lines only.
 */
export function createTerminalFront(output: Output, tokensOf: (run: string) => number): Front {
  const printed = new Set<string>();
  let isLive = false;

  function line(text: string): void {
    output.err(`${isLive ? "\r\u001b[K" : ""}  ${text}\n`);
    isLive = false;
  }

  function live(text: string): void {
    if (!output.isTty) return;
    output.err(`\r\u001b[K  ${text}`);
    isLive = true;
  }

  function once(key: string, text: () => string): void {
    if (printed.has(key)) return;
    printed.add(key);
    line(text());
  }

  async function show(board: Board): Promise<void> {
    once("head", () => `${paint(output, "bold", board.requirement)}  ${board.title}`);
    if (board.branch) once("branch", () => paint(output, "dim", `branch ${board.branch ?? ""}`));
    for (const { id, level, text } of board.reminders) {
      once(id, () => `${level === "info" ? "·" : paint(output, "yellow", "⚠")} ${id}  ${text}`);
    }
    for (const notice of board.notices) once(notice, () => `${paint(output, "yellow", "⚠")} ${notice}`);
    const spent = `${formatTokens(tokensOf(board.run))}  ${formatUsd(board.spentNanoUsd)}`;
    for (const { phase, mark, result } of board.rows) {
      if (mark === "waiting" || mark === "active") continue;
      const sign = mark === "done" ? paint(output, "green", SIGNS.done) : paint(output, "red", SIGNS[mark]);
      once(`${phase} ${mark}`, () => `${sign} ${phase.padEnd(12)} ${plain(result).padEnd(44)} ${spent}`);
    }
    if (board.mark === "active")
      live(`${SIGNS.active} ${board.headline}${board.activity ? ` · ${board.activity}` : ""}   ${spent}`);
    else
      once(
        `end ${board.mark}`,
        () =>
          `${board.mark === "done" ? paint(output, "green", SIGNS.done) : paint(output, "red", SIGNS[board.mark])} ${board.headline}`,
      );
  }

  return {
    acknowledge: () => Promise.resolve(),
    show,
    publish: (_run: Run) => Promise.resolve(null),
    bill: () => Promise.resolve(),
  };
}

/** A Markdown result without link addresses. */
function plain(text: string): string {
  return text.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
}
