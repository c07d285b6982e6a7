import { clipMiddle, estimateTokens } from "../shared/index.js";
import type { Conversation, Entry } from "./conversation.js";

/** How much of each tool result is shown to the summary, from plenty to a glimpse. */
const RESULT_CHARACTERS = [8_000, 1_500, 300];
/** Others' words must not close what tells them from instructions. */
const CLOSING = /<(?=\s*\/\s*(?:history|earlier-summary)\s*>)/giu;

function asMaterial(text: string): string {
  return text.replace(CLOSING, "&lt;");
}

/** Thinking is left out: what counts of it was said or done. */
function entryText({ type, content }: Entry, resultCharacters: number): string {
  const parts = content.flatMap((block) => {
    if (block.type === "text") return [`${type === "note" ? "LOOP" : "AGENT"}: ${block.text}`];
    if (block.type === "tool_use") {
      return [`CALL ${block.name}: ${clipMiddle(JSON.stringify(block.input), resultCharacters)}`];
    }
    if (block.type !== "tool_result") return [];
    return [
      `${block.is_error === true ? "ERROR" : "RESULT"}: ${clipMiddle(block.content, resultCharacters)}`,
    ];
  });
  return asMaterial(parts.join("\n"));
}

/**
 * Entries as text for the summary, in at most `maxTokens`: first the tool results are cut shorter, then the oldest entries are
 * left out. An earlier summary always stays. Null when not even the newest entry fits.
 */
export function historyText(
  { summary }: Conversation,
  entries: readonly Entry[],
  maxTokens: number,
  leftOut: string,
): string | null {
  const head = summary === "" ? [] : [`<earlier-summary>\n${asMaterial(summary)}\n</earlier-summary>`];
  const room = maxTokens - estimateTokens(["<history>", ...head, leftOut, "</history>"].join("\n\n"));
  for (const characters of RESULT_CHARACTERS) {
    const texts = entries.map((entry) => entryText(entry, characters));
    const isLast = characters === RESULT_CHARACTERS.at(-1);
    const fitting = newestWithin(texts, room);
    if (fitting.length < texts.length && !isLast) continue;
    if (fitting.length === 0) return null;
    const gap = fitting.length < texts.length ? [leftOut] : [];
    return ["<history>", ...head, ...gap, ...fitting, "</history>"].join("\n\n");
  }
  return null;
}

function newestWithin(texts: readonly string[], maxTokens: number): string[] {
  let left = maxTokens;
  const first = texts.findLastIndex((text) => {
    left -= estimateTokens(text) + 1;
    return left < 0;
  });
  return texts.slice(first + 1);
}
