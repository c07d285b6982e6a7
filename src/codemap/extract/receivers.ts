import { isWordCode } from "./source.js";

/** What stands before the dot of a member. */
export interface Receiver {
  /** As `ReferenceFact.receiver` says it. */
  said: string;
  /** Its type where the expression itself says it: `new T()`, `(x as T)`. */
  type: string | null;
}

const MAX_RECEIVER = 60;
/** How far back the parentheses of a call are looked for. */
const MAX_BACK = 300;
const PLAIN = /^[\p{L}\p{N}_$#@]+(?:\s*(?:\.|[?&!]\.|::?|->|\\)\s*[\p{L}\p{N}_$#]+)*(?:\(\))?$/u;
const OPERATOR = /\s*(?:\.|[?&!]\.|::?|->|\\)\s*$/;
const UNKNOWN: Receiver = { said: "?", type: null };

/** A receiver that a query found, from where it starts to the name after it. */
export function receiverFrom(text: string, start: number, at: number): Receiver {
  const said = text.slice(start, at).replace(OPERATOR, "");
  const isPlain = said.length <= MAX_RECEIVER && PLAIN.test(said);
  return isPlain ? { said: said.replace(/\s+/g, ""), type: null } : UNKNOWN;
}

/** Reads the receiver backwards from a name, where a dot before a name always makes it a member; null when there is none. */
export function receiverBefore(text: string, at: number): Receiver | null {
  let end = skipBack(text, at);
  if (text.charCodeAt(end - 1) !== DOT || text.charCodeAt(end - 2) === DOT) return null;
  const parts: string[] = [];
  let isCall = false;
  for (;;) {
    end = skipBack(text, skipMark(text, end - 1));
    const last = text.charCodeAt(end - 1);
    if (last === CLOSE) {
      const open = openOf(text, end);
      if (open < 0) return UNKNOWN;
      const wordEnd = skipBack(text, open);
      if (!isWord(text.charCodeAt(wordEnd - 1)))
        return parts.length > 0 ? UNKNOWN : inParentheses(text, open, end);
      if (parts.length > 0) return UNKNOWN;
      isCall = true;
      end = wordEnd;
    } else if (!isWord(last)) return UNKNOWN;
    const start = wordStart(text, end);
    parts.unshift(text.slice(start, end));
    end = skipBack(text, start);
    if (text.charCodeAt(end - 1) === DOT && text.charCodeAt(end - 2) !== DOT) continue;
    const said = parts.join(".");
    if (said.length > MAX_RECEIVER) return UNKNOWN;
    if (!isCall) return { said, type: null };
    return /\bnew$/.test(text.slice(Math.max(0, end - 4), end))
      ? { said: "?", type: said }
      : { said: `${said}()`, type: null };
  }
}

const DOT = 46;
const OPEN = 40;
const CLOSE = 41;

function inParentheses(text: string, open: number, end: number): Receiver {
  const inner = text.slice(open + 1, end - 1).trim();
  const type =
    /\sas\s+([\p{L}\p{N}_$.]+)$/u.exec(inner)?.[1] ?? /^new\s+([\p{L}\p{N}_$.]+)/u.exec(inner)?.[1];
  if (type) return { said: "?", type };
  const [, called] = /^await\s+([\p{L}\p{N}_$.]+)\s*\([^()]*\)$/u.exec(inner) ?? [];
  return called ? { said: `${called}()`, type: null } : UNKNOWN;
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
