import { estimateTokens } from "../shared/index.js";
import type { Block, Message, ModelRequest } from "./types.js";

/** Half a surrogate pair, which a cut in the middle of an emoji leaves behind, makes an API refuse the whole request. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Cs}/gu, "\ufffd");
}

/** Thinking of another model than the one that is asked: its signature is worth nothing there. */
export function isForeignThinking(block: Block, message: Message, model: string): boolean {
  if (block.type !== "thinking" && block.type !== "redacted_thinking") return false;
  return message.model !== undefined && message.model !== model;
}

function textOf(block: Block): string {
  if (block.type === "text") return block.text;
  if (block.type === "thinking") return block.thinking;
  if (block.type === "redacted_thinking") return block.data;
  return block.type === "tool_use" ? JSON.stringify(block.input) : block.content;
}

/** A rough count of the tokens of a whole request. */
export function promptTokens({ system, tools, messages }: ModelRequest): number {
  const texts = messages.flatMap(({ content }) => content.map(textOf));
  return estimateTokens([system, ...(tools.length > 0 ? [JSON.stringify(tools)] : []), ...texts].join("\n"));
}
