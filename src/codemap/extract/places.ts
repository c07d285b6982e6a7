import { PLACES } from "./raw.js";

const OPEN = 40;
const LESS = 60;
const QUESTION = 63;
const COLON = 58;
const DOT = 46;
const BACKTICK = 96;
const BRACKET = 91;
const MAX_ARGUMENTS = 200;
const CREATES = /(?:^|[^\w$])new[ \t]+$/;

/**
 * A name's place where its text tells more than its query: `(` after it makes it a call, `new` before it makes an instance. It
 * ends at `end`; `start` is where it, or its receiver, starts; -1 when that is not known.
 */
export function placeFromText(text: string, start: number, end: number, place: number): number {
  if (place > PLACES.type) return place;
  const next = text.charCodeAt(end);
  if (start > 3 && text.charCodeAt(start - 1) <= 32 && next !== BRACKET && next !== DOT)
    if (CREATES.test(text.slice(Math.max(0, start - 6), start))) return PLACES.new;
  return place !== PLACES.type && isCalled(text, end) ? PLACES.call : place;
}

function isCalled(text: string, end: number): boolean {
  let at = end;
  let code = text.charCodeAt(at);
  while (code === 32 || code === 9) code = text.charCodeAt(++at);
  if (code === OPEN) return true;
  if (at > end) return false;
  if (code === QUESTION) return text.startsWith("?.(", at);
  if (code === LESS) return isBeforeCall(text, at);
  if (code === COLON) return text.startsWith("::<", at) && isBeforeCall(text, at + 2);
  return code === BACKTICK;
}

/** Whether the `<` that starts here closes right before a `(`. */
function isBeforeCall(text: string, start: number): boolean {
  let depth = 0;
  const limit = Math.min(text.length, start + MAX_ARGUMENTS);
  for (let at = start; at < limit; at++) {
    const char = text[at] ?? "";
    if ("<([{".includes(char)) depth++;
    else if (")]}".includes(char) || (char === ">" && text[at - 1] !== "=")) {
      if (--depth === 0) return text[at + 1] === "(";
    } else if (depth === 1 && (char === ";" || ((char === "&" || char === "|") && text[at + 1] === char)))
      return false;
  }
  return false;
}
