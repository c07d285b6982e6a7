import { messageOf } from "../../shared/index.js";
import { badRequest } from "./api-error.js";
import type { Conversation } from "./conversation.js";

const CAPTURE = /\{\{(?:task\.match|result:(?<tool>[\w-]+)):(?<pattern>.+?)\}\}(?!\})/gu;

function capture(texts: readonly string[], source: string, what: string): string {
  let pattern: RegExp;
  try {
    pattern = new RegExp(source, "mu");
  } catch (error) {
    throw badRequest(`scripted model: ${what} is not a regular expression: ${messageOf(error)}`);
  }
  for (const text of texts) {
    const found = pattern.exec(text);
    if (found) return found[1] ?? found[0];
  }
  throw badRequest(`scripted model: ${what} finds nothing in the request`);
}

/**
 * Fills `{{task.match:regex}}` and `{{result:tool:regex}}` (newest result first) in a text with the first group, or else the
 * whole match.
 */
export function fillText(text: string, conversation: Conversation): string {
  return text.replace(CAPTURE, (whole, tool: string | undefined, pattern: string) => {
    const texts =
      tool === undefined
        ? [conversation.task]
        : conversation.results
            .filter((result) => result.tool === tool)
            .map((result) => result.text)
            .toReversed();
    return capture(texts, pattern, whole);
  });
}

/** Fills the captures in all strings of a value. */
export function fillValue(value: unknown, conversation: Conversation): unknown {
  if (typeof value === "string") return fillText(value, conversation);
  if (Array.isArray(value)) return value.map((item) => fillValue(item, conversation));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillValue(item, conversation)]));
}
