import { oneLine } from "./format-rule.js";
import { closesFence, openedFence, splitLines } from "./lines.js";
import { foldText } from "./words.js";

const BLOCK_START = "<!-- accrue:start";
const BLOCK_END = "<!-- accrue:end -->";
const ITEM = /^\s*[-*+]\s+/;

/** What adding a line to the instructions for agents gives. */
export interface AddedInstruction {
  /** The whole file; null when it says this already. */
  text: string | null;
  /** The line as it stands there. */
  line: string;
}

/**
 * Adds one bullet to `AGENTS.md`: to the list that ends the people's part of it, else at its end, never within our own block.
 * Contract: what is there keeps every byte.
 */
export function addInstruction(before: string | null, said: string): AddedInstruction {
  // A marker in the words would begin or end a block.
  const line = `- ${oneLine(said.replaceAll(/<!--|-->/g, " ")).replace(ITEM, "")}`;
  const text = before ?? "";
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = splitLines(text);
  if (lines.some((known) => plain(known) === plain(line))) return { text: null, line };
  const at = lastItem(lines);
  if (at !== null)
    return { text: [...lines.slice(0, at + 1), line, ...lines.slice(at + 1)].join(lineEnd), line };
  const body = text.trimEnd();
  return { text: `${body}${body === "" ? "" : lineEnd + lineEnd}${line}${lineEnd}`, line };
}

/** Where the last list of people's own ends, if nothing but our block follows; else null. */
function lastItem(lines: readonly string[]): number | null {
  let fence: string | null = null;
  let isOurs = false;
  let item: number | null = null;
  for (const [index, line] of lines.entries()) {
    const wasFenced = fence !== null;
    if (fence === null) fence = openedFence(line);
    else if (closesFence(line, fence)) fence = null;
    if (line.includes(BLOCK_START)) isOurs = true;
    const isTheirs = !isOurs && line.trim() !== "";
    if (line.includes(BLOCK_END)) isOurs = false;
    if (!isTheirs) continue;
    const isPart: boolean = ITEM.test(line) || (item !== null && /^\s/.test(line));
    item = !wasFenced && fence === null && isPart ? index : null;
  }
  return item;
}

function plain(line: string): string {
  return foldText(line).replace(/[^\p{L}\p{N}]+/gu, "");
}
