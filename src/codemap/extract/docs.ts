import { type Source, evenBlanks } from "./source.js";

const MAX_DOC = 300;
/** So many lines above a definition are looked at, for attributes and for its comment each. */
const MAX_LINES = 100;
const COMMENT =
  /^\s*(?:\/\/[/!]?|\/\*[*!]?|\*\/?|#(?!\[|\s*(?:if|ifdef|ifndef|else|elif|endif|define|undef|include|pragma)\b)|---?|"""|''')\s?/;
const ATTRIBUTE = /^\s*(?:@|#!?\[|\[)/;
const QUOTES = /^\s*[rRbBuU]{0,2}("""|'''|"|')|("""|'''|"|')\s*$/g;

/** How a line starts that may be a comment or an attribute; most lines above a definition are neither. */
const MARKED = /[^\S\n]*[/*#\-"'@[]/y;

/** First paragraph of the comment right above a line (from 1), past attributes; empty when there is none. */
export function docAbove(line: number, source: Source): string {
  MARKED.lastIndex = source.startOf(line - 1);
  if (line < 2 || !MARKED.test(source.text)) return "";
  let at = line - 1;
  while (at >= 1 && line - at <= MAX_LINES && ATTRIBUTE.test(source.lineText(at))) at--;
  const last = at;
  while (at >= 1 && last - at < MAX_LINES && COMMENT.test(source.lineText(at))) at--;
  const doc: string[] = [];
  for (let next = at + 1; next <= last; next++)
    doc.push(source.lineText(next).replace(COMMENT, "").replace(END, ""));
  return shortDoc(doc);
}

const END = /\*\/\s*$/;

/** First paragraph of a text without its quotes, on one line and not too long. */
export function shortDoc(lines: readonly string[]): string {
  const text = lines.join("\n");
  const [paragraph = ""] = (/["']/.test(text) ? text.replace(QUOTES, "") : text)
    .trim()
    .split(/\n\s*\n|\n\s*@\w/);
  return evenBlanks(paragraph).trim().slice(0, MAX_DOC);
}
