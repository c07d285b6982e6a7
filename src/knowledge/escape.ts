import { closeFence, readLines, splitLines, type Line } from "./lines.js";

/** Tells whether a line, at this index of its text, would be read as structure instead of as text. */
type Structure = (line: string, index: number) => boolean;

const ESCAPED = /^( {0,3})\\+/;

/** Free text as it can stand inside a file of ours: its own headings and bullets get a backslash, open fences are closed. */
export function escapeText(text: string, isStructure: Structure): string {
  const closed = closeFence(text);
  const { lines } = readLines("", closed);
  return splitLines(closed)
    .map((line, index) => {
      const isPlain = lines[index]?.isCode === true || !isStructure(line.replace(ESCAPED, "$1"), index);
      return isPlain ? line : line.replace(/^( {0,3})/, "$1\\");
    })
    .join("\n");
}

/** The text that `escapeText` was given, without blank lines around it. */
export function unescapeLines(lines: readonly Line[], isStructure: Structure): string {
  const first = lines.findIndex((line) => line.text.trim() !== "");
  return lines
    .slice(Math.max(0, first))
    .map(({ text, isCode }, index) => {
      const isEscaped = !isCode && ESCAPED.test(text) && isStructure(text.replace(ESCAPED, "$1"), index);
      return isEscaped ? text.replace(/^( {0,3})\\/, "$1") : text;
    })
    .join("\n")
    .trim();
}
