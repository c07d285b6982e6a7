import type { Source } from "./source.js";

const MAX_DOC = 300;
/** So many lines above a definition are looked at, for attributes and for its comment each. */
const MAX_LINES = 100;
const COMMENT =
  /^\s*(?:\/\/[/!]?|\/\*[*!]?|\*\/?|#(?!\[|\s*(?:if|ifdef|ifndef|else|elif|endif|define|undef|include|pragma)\b)|---?|"""|''')\s?/;
const ATTRIBUTE = /^\s*(?:@|#!?\[|\[)/;
const QUOTES = /^\s*[rRbBuU]{0,2}("""|'''|"|')|("""|'''|"|')\s*$/g;

/** First paragraph of the comment right above a line (from 1), past attributes; empty when there is none. */
export function docAbove(line: number, source: Source): string {
  let at = line - 1;
  while (at >= 1 && line - at <= MAX_LINES && ATTRIBUTE.test(source.lineText(at))) at--;
  const doc: string[] = [];
  for (; at >= 1 && doc.length < MAX_LINES; at--) {
    const said = source.lineText(at);
    if (!COMMENT.test(said)) break;
    doc.unshift(said.replace(COMMENT, "").replace(/\*\/\s*$/, ""));
  }
  return shortDoc(doc);
}

/** First paragraph of a text without its quotes, on one line and not too long. */
export function shortDoc(lines: readonly string[]): string {
  const [paragraph = ""] = lines
    .join("\n")
    .replace(QUOTES, "")
    .trim()
    .split(/\n\s*\n|\n\s*@\w/);
  return paragraph.replace(/\s+/g, " ").trim().slice(0, MAX_DOC);
}
