import { formatUsd } from "../../ledger/index.js";
import { inertLine } from "../../shared/index.js";
import type { Board, Mark } from "../types.js";
import { gateText } from "./gate.js";
import { type Links, words } from "./words.js";

const SIGNS: Record<Mark, string> = { waiting: "○", active: "⏳", done: "✅", paused: "⏸", failed: "❌" };

/** The sticky status comment of an issue: where things stand first, everything else below. */
export function statusText(board: Board, links: Links, mention: string): string {
  return [
    head(board, links),
    ...services(board),
    ...(board.gate ? gateText(board.gate, board.language) : []),
    ...notices(board),
    table(board, links),
    todoList(board),
    ...reminders(board, links),
    controls(board, mention),
    foot(board),
  ]
    .filter(Boolean)
    .join("\n\n");
}

function head(board: Board, links: Links): string {
  const say = words(board.language);
  const branch = board.branch ? ` · ${say.branch} [\`${board.branch}\`](${links.branch(board.branch)})` : "";
  const money = `${formatUsd(board.spentNanoUsd)} ${say.of} ${board.budget}`;
  return `${SIGNS[board.mark]} **${inertLine(board.headline)}**${branch} · ${money}`;
}

/** One line for each other repository that it changes. */
function services({ services: all, language }: Board): string[] {
  return all.map(({ name, repository, branch, url, pull }) => {
    const shown = pull === null ? `\`${repository}\`` : `${repository}#${pull}`;
    return `**${name}** · ${shown} · ${words(language).branch} [\`${branch}\`](${url})`;
  });
}

function notices(board: Board): string[] {
  return board.notices.map((notice) => `⚠ ${inertLine(notice)}`);
}

function table(board: Board, links: Links): string {
  const say = words(board.language);
  const rows = board.rows.map(({ phase, mark, result }) => {
    const tasks = phase === "implement" && mark !== "done" ? taskList(board) : "";
    return `| ${SIGNS[mark]} | ${say.phases[phase]} | ${[tasks, linkFiles(result, board, links)].filter(Boolean).join(" · ")} |`;
  });
  return [`| | ${say.phase} | ${say.result} |`, "| --- | --- | --- |", ...rows].join("\n");
}

function taskList(board: Board): string {
  return board.tasks.map(({ id, title, mark }) => `${SIGNS[mark]} ${id} ${quotedCell(title)}`).join(" · ");
}

/** The agent's own list, as it ticks it off; unfolded, because it is what moves. */
function todoList({ todo, language }: Board): string {
  if (todo.length === 0) return "";
  const done = todo.filter(({ state }) => state === "done").length;
  const signs = { open: "- [ ] ", active: "- [ ] ⏳ ", done: "- [x] " };
  const lines = todo.map(({ text, state }) => `${signs[state]}${inertLine(text).replace(/\s*\n\s*/g, " ")}`);
  return [`**${words(language).todo(done, todo.length)}**`, "", ...lines].join("\n");
}

/** Repository paths in Markdown links become addresses on the branch. */
function linkFiles(text: string, board: Board, links: Links): string {
  return quotedCell(text).replace(
    /\]\(((?:requirements|context)\/[^)\s]+)\)/g,
    (_, path: string) => `](${links.file(board.branch ?? board.base, path)})`,
  );
}

function reminders(board: Board, links: Links): string[] {
  if (board.reminders.length === 0) return [];
  const say = words(board.language);
  const items = board.reminders.map(({ id, level, text, place, isPending }) => {
    const sign = level === "info" ? "" : "⚠ ";
    const address = place && ("address" in place ? place.address : links.file(place.branch, place.path));
    const name = address === null ? id : `[${id}](${address})`;
    return `${sign}${name} ${quotedCell(text)}${isPending ? ` *(${say.pending})*` : ""}`;
  });
  return [`**${say.earlier}** — ${items.join(" · ")}`];
}

function controls(board: Board, mention: string): string {
  const say = words(board.language);
  const active = board.mark === "active";
  const replies = active
    ? ["stop", "ask …", "bill", "help"]
    : ["retry", "ask …", "bill", "remember …", "help"];
  // The command is shown without a live mention, so that the comment never summons the bot by itself.
  const list = replies.map((reply) => `\`${mention} ${reply}\``).join(" · ");
  return `<details><summary>${active ? say.controlsActive : say.controls}</summary>\n\n${list}\n</details>`;
}

function foot(board: Board): string {
  const activity = board.activity ? ` · ${board.activity}` : "";
  return `<sub>run ${board.run} · ${words(board.language).duration(board.elapsedMs)}${activity}</sub>`;
}

/** Words of others inside one table cell. */
export function quotedCell(text: string): string {
  return cell(inertLine(text));
}

/** Keeps a text inside one table cell. */
export function cell(text: string): string {
  return text.replace(/\s*\n\s*/g, " ").replaceAll("|", "\\|");
}
