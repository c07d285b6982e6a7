import { isWordCode } from "./source.js";

/** What stands before the dot of a member. */
export interface Receiver {
  /** As `ReferenceFact.receiver` says it. */
  said: string;
  /** Its type where the expression itself says it: `new T()`, `(x as T)`. */
  type: string | null;
  /** Where it starts; -1 where it is more than names and dots. */
  start: number;
}

const MAX_RECEIVER = 60;
/** How far back a receiver's start, and the parentheses of a call, are looked for. */
const MAX_BACK = 300;
const PLAIN = /^[\p{L}\p{N}_$#@]+(?:\s*(?:\.|[?&!]\.|::?|->|\\)\s*[\p{L}\p{N}_$#]+)*(?:\(\))?$/u;
const OPERATOR = /\s*(?:\.|[?&!]\.|::?|->|\\)\s*$/;
const UNKNOWN: Receiver = { said: "?", type: null, start: -1 };

/** A receiver that a query found, from where it starts to the name after it; null where only a mark stands there, as in PHP's `\\Countable`. */
export function receiverFrom(text: string, start: number, at: number): Receiver | null {
  if (at - start > MAX_BACK) return UNKNOWN;
  const said = text.slice(start, at).replace(OPERATOR, "");
  if (said === "") return null;
  const isPlain = said.length <= MAX_RECEIVER && PLAIN.test(said);
  return isPlain ? { said: said.replace(/\s+/g, ""), type: null, start } : UNKNOWN;
}

/** Reads the receiver backwards from a name, where a dot (or `::`, if the language has it) before a name always makes it a member; null when there is none. */
export function receiverBefore(text: string, at: number, hasColons: boolean): Receiver | null {
  let end = skipBack(text, at);
  let mark = markBefore(text, end, hasColons);
  if (mark === "" || (end < at && isInComment(text, end, at))) return null;
  let said = "";
  let isCall = false;
  for (;;) {
    end = skipBack(text, mark === "." ? skipMark(text, end - 1) : end - 2);
    const last = text.charCodeAt(end - 1);
    if (last === CLOSE) {
      const open = openOf(text, end);
      if (open < 0) return UNKNOWN;
      const wordEnd = skipBack(text, open);
      if (said !== "") return UNKNOWN;
      if (!isWord(text.charCodeAt(wordEnd - 1))) return inParentheses(text, open, end);
      isCall = true;
      end = wordEnd;
    } else if (!isWord(last)) return mark === "." || last === MORE || said !== "" ? UNKNOWN : null;
    const start = wordStart(text, end);
    said = said === "" ? text.slice(start, end) : text.slice(start, end) + mark + said;
    end = skipBack(text, start);
    const next = markBefore(text, end, hasColons);
    if (next !== "" && said.length <= MAX_RECEIVER) {
      mark = next;
      continue;
    }
    if (said.length > MAX_RECEIVER) return UNKNOWN;
    if (!isCall) return { said, type: null, start };
    return text.endsWith("new", end) && /\bnew$/.test(text.slice(Math.max(0, end - 4), end))
      ? { said: "?", type: said, start: -1 }
      : { said: `${said}()`, type: null, start: -1 };
  }
}

/** What joins a member that starts here, past blanks, to what stands before it; empty where nothing does. */
function markBefore(text: string, end: number, hasColons: boolean): "." | "::" | "" {
  const last = text.charCodeAt(end - 1);
  if (last === DOT) return text.charCodeAt(end - 2) === DOT ? "" : ".";
  return hasColons && last === COLON && text.charCodeAt(end - 2) === COLON ? "::" : "";
}

/** Whether the dot is the end of a comment on a line before the name. */
function isInComment(text: string, end: number, at: number): boolean {
  const next = text.indexOf("\n", end);
  return next >= 0 && next < at && COMMENT.test(text.slice(text.lastIndexOf("\n", end - 1) + 1, end));
}

const COMMENT = /(?:^|[^:])\/\/|\/\*|^\s*\*|(?:^|\s)#\s/;
const COLON = 58;
const MORE = 62;
const DOT = 46;
const OPEN = 40;
const CLOSE = 41;

function inParentheses(text: string, open: number, end: number): Receiver {
  const inner = text.slice(open + 1, end - 1).trim();
  const type =
    /\sas\s+([\p{L}\p{N}_$.]+)$/u.exec(inner)?.[1] ?? /^new\s+([\p{L}\p{N}_$.]+)/u.exec(inner)?.[1];
  if (type) return { said: "?", type, start: -1 };
  const [, called] = /^await\s+([\p{L}\p{N}_$.]+)\s*\([^()]*\)$/u.exec(inner) ?? [];
  return called ? { said: `${called}()`, type: null, start: -1 } : UNKNOWN;
}

function skipBack(text: string, end: number): number {
  let at = end;
  while (at > 0 && text.charCodeAt(at - 1) <= 32) at--;
  return at;
}

/** `x?.y`, `x!.y` */
function skipMark(text: string, end: number): number {
  const code = text.charCodeAt(end - 1);
  return code === 63 || code === 33 ? end - 1 : end;
}

function openOf(text: string, end: number): number {
  let depth = 0;
  for (let at = end - 1; at >= 0 && at > end - MAX_BACK; at--) {
    const code = text.charCodeAt(at);
    if (code === CLOSE) depth++;
    else if (code === OPEN && --depth === 0) return at;
  }
  return -1;
}

function isWord(code: number): boolean {
  return isWordCode(code) || code >= 128 || code === 35;
}

function wordStart(text: string, end: number): number {
  let at = end;
  while (at > 0 && isWord(text.charCodeAt(at - 1))) at--;
  return at;
}
