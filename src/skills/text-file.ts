import { invalid } from "./problems.js";

/** No definition is longer than this; what is, is something else. */
const MAX_TEXT_LENGTH = 64_000;

/** Nobody has more of one kind; what has, is something else. */
export const MAX_DEFINITIONS = 300;

/** A definition's text with plain line ends and without a byte order mark, so that the same words are the same bytes. */
export function plainText(text: string, file: string): string {
  if (text.length > MAX_TEXT_LENGTH) {
    throw invalid(file, `has ${text.length} characters, more than ${MAX_TEXT_LENGTH}: shorten it.`);
  }
  return text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n");
}
