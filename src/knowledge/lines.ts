import type { Problem } from "./types.js";

/** One line of a Markdown file as a reader of the rendered page gets it: comments gone, code marked. */
export interface Line {
  text: string;
  /** Counted from 1. */
  number: number;
  isCode: boolean;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;

/** Splits a Markdown text into lines that can be parsed safely: what a page would not show never becomes a rule. */
export function readLines(file: string, text: string): { lines: Line[]; problems: Problem[] } {
  const problems: Problem[] = [];
  const lines: Line[] = [];
  let fence: { mark: string; line: number } | null = null;
  let comment: number | null = null;
  for (const [index, source] of splitLines(text).entries()) {
    const number = index + 1;
    if (fence) {
      lines.push({ text: source, number, isCode: true });
      if (closesFence(source, fence.mark)) fence = null;
      continue;
    }
    const visible = withoutComments(source, comment !== null);
    comment = visible.isOpen ? (comment ?? number) : null;
    const mark = openedFence(visible.text);
    if (mark !== null) fence = { mark, line: number };
    lines.push({ text: visible.text, number, isCode: mark !== null });
  }
  if (fence) problems.push(unclosed({ file, line: fence.line }, "fence-open", "code fence"));
  if (comment !== null) problems.push(unclosed({ file, line: comment }, "comment-open", "HTML comment"));
  return { lines, problems };
}

/** Lines without their endings, whatever the platform that wrote them. */
export function splitLines(text: string): string[] {
  const lines = text.startsWith("\uFEFF") ? text.slice(1) : text;
  return lines.split(lines.includes("\r") ? /\r?\n/ : "\n");
}

/** True for a line that a broken merge left behind. */
export function isConflictMarker(line: string): boolean {
  return /^(<{7}|>{7})( |$)/.test(line);
}

/** The problem that a left-over conflict marker is, for every kind of file. */
export function conflictProblem(file: string, line: number): Problem {
  const message = "A merge conflict was left in the file: keep one side and delete the marker lines.";
  return { file, line, code: "conflict-marker", message };
}

/** Closes a code fence that was left open, so that what follows the text is not swallowed by it. */
export function closeFence(text: string): string {
  let mark: string | null = null;
  for (const line of splitLines(text)) {
    if (mark === null) mark = openedFence(line);
    else if (closesFence(line, mark)) mark = null;
  }
  return mark === null ? text : `${text}\n${mark}`;
}

/** The mark of the code fence that a line opens, or null. */
export function openedFence(line: string): string | null {
  const [, mark = "", rest = ""] = FENCE.exec(line) ?? [];
  // A backtick after the mark makes it inline code: ```` ```a``` ````.
  return mark && !(mark.startsWith("`") && rest.includes("`")) ? mark : null;
}

/** True when a line closes the fence with this mark. */
export function closesFence(line: string, mark: string): boolean {
  const [, close = "", rest = ""] = FENCE.exec(line) ?? [];
  return close.startsWith(mark) && rest.trim() === "";
}

function withoutComments(line: string, startsInside: boolean): { text: string; isOpen: boolean } {
  let text = "";
  let at = 0;
  let isOpen = startsInside;
  while (at < line.length) {
    if (isOpen) {
      const end = line.indexOf("-->", at);
      if (end < 0) return { text, isOpen };
      at = end + 3;
      isOpen = false;
      continue;
    }
    const next = /`+|<!--/.exec(line.slice(at));
    if (!next) return { text: text + line.slice(at), isOpen };
    const start = at + next.index;
    const token = next[0];
    text += line.slice(at, start);
    at = start + token.length;
    if (token === "<!--") {
      isOpen = true;
      continue;
    }
    const close = codeSpanEnd(line, at, token.length);
    const end = close < 0 ? at : close + token.length;
    text += line.slice(start, end);
    at = end;
  }
  return { text, isOpen };
}

/** Where the closing run of exactly `ticks` backticks begins at or after `from`, or -1. */
export function codeSpanEnd(line: string, from: number, ticks: number): number {
  for (const run of line.slice(from).matchAll(/`+/g)) {
    if (run[0].length === ticks) return from + run.index;
  }
  return -1;
}

function unclosed(place: { file: string; line: number }, code: string, what: string): Problem {
  const message = `The ${what} that begins here is never closed and hides the rest of the file: close it.`;
  return { ...place, code, message };
}
