import { codeSpanEnd } from "./lines.js";

/** One item of a list value; `bare` is what of it stood outside backticks. */
interface ListItem {
  text: string;
  bare: string;
}

const SEPARATOR = /[,，、]/;
/** One item without anything to take apart. */
const PLAIN = /^[\w./#$-]+$/;
const OPEN = "([{";
const CLOSE = ")]}";

/** Splits `a, b、c` as people type it; separators inside backticks or brackets do not split. */
export function splitList(value: string): { items: ListItem[]; fault: string | null } {
  if (PLAIN.test(value)) return { items: [{ text: value, bare: value }], fault: null };
  const [, inside] = /^\[(.*)\]$/s.exec(value) ?? [];
  if (inside !== undefined && /[,，、"']/.test(inside)) {
    const unwrapped = splitItems(inside);
    if (!unwrapped.fault) return unwrapped;
  }
  return splitItems(value);
}

function splitItems(value: string): { items: ListItem[]; fault: string | null } {
  const items: ListItem[] = [];
  let item: ListItem = { text: "", bare: "" };
  let depth = 0;
  let at = 0;
  const finish = () => {
    const text = item.bare.trim() === item.text.trim() ? unquote(item.text.trim()) : item.text.trim();
    if (text) items.push({ text, bare: item.bare });
    item = { text: "", bare: "" };
  };
  while (at < value.length) {
    const char = value.charAt(at);
    if (char === "`") {
      const span = codeSpanAt(value, at);
      if (!span) return { items, fault: "an unclosed backtick" };
      item.text += span.text;
      at = span.end;
      continue;
    }
    at += 1;
    if (OPEN.includes(char)) depth += 1;
    if (CLOSE.includes(char)) depth -= 1;
    if (depth < 0) return { items, fault: `a "${char}" that nothing opened` };
    if (depth === 0 && SEPARATOR.test(char)) {
      finish();
      continue;
    }
    item.text += char;
    item.bare += char;
  }
  finish();
  return { items, fault: depth > 0 ? "an unclosed bracket" : null };
}

/** The text of a value that is one code span from end to end, else the value as it is. */
export function unwrapCode(value: string): string {
  const span = value.startsWith("`") ? codeSpanAt(value, 0) : null;
  return span && span.end === value.length ? span.text : value;
}

/** A code span around any one-line text, with as many backticks as it needs. */
export function codeSpan(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map((run) => run[0].length));
  const ticks = "`".repeat(longest + 1);
  const pad = /^`|`$|^ .* $/.test(text) ? " " : "";
  return `${ticks}${pad}${text}${pad}${ticks}`;
}

/** A list as `splitList` reads it back; `isCode` puts every item in backticks, as paths and symbols want it. */
export function joinList(items: readonly string[], isCode: boolean): string {
  return items.map((item) => (isCode || needsCode(item) ? codeSpan(item) : item)).join(", ");
}

function codeSpanAt(value: string, at: number): { text: string; end: number } | null {
  const ticks = /^`+/.exec(value.slice(at))?.[0].length ?? 0;
  const close = codeSpanEnd(value, at + ticks, ticks);
  if (close < 0) return null;
  const inner = value.slice(at + ticks, close);
  const text = /^ .*[^ ].* $/.test(inner) ? inner.slice(1, -1) : inner;
  return { text, end: close + ticks };
}

function needsCode(item: string): boolean {
  return /[,，、`*_<>()[\]{}\\]|^["']|["']$/.test(item);
}

function unquote(text: string): string {
  return /^"[^"]*"$|^'[^']*'$/.test(text) ? text.slice(1, -1).trim() : text;
}
