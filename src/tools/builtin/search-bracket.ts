import { unsupported } from "./unsupported-pattern.js";

/** Classes within brackets, as Rust and POSIX write them. */
const CLASSES: Readonly<Record<string, readonly [string, string]>> = {
  d: ["0-9", "0-9"],
  w: ["\\w", "[:alnum:]_"],
  s: ["\\s", "[:space:]"],
  t: ["\\t", "\t"],
};
const POSIX_CLASS = /^\[:(?:alnum|alpha|digit|lower|punct|space|upper|xdigit):\]/;

/** What stands in brackets, taken apart. */
interface Members {
  rust: string;
  /** Classes and ranges, which POSIX takes anywhere. */
  posix: string;
  /** Single characters, whose place matters in POSIX. */
  single: Set<string>;
}

function charAt(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? "" : String.fromCodePoint(code);
}

function rustChar(char: string): string {
  return /[[\]\\^&~-]/.test(char) ? `\\${char}` : char;
}

/** A character at a place, escaped or not; null for a class. */
function readChar(text: string, at: number): { char: string; end: number } | null {
  const char = charAt(text, at);
  if (char !== "\\") return { char, end: at + char.length };
  const escaped = charAt(text, at + 1);
  if (CLASSES[escaped] !== undefined) return null;
  if (escaped === "" || /[\p{L}\p{N}]/u.test(escaped)) throw unsupported(`[…\\${escaped}…] is not known`);
  return { char: escaped, end: at + 1 + escaped.length };
}

/** Takes in what begins at a place and tells where the next begins. */
function readMember(text: string, at: number, members: Members): number {
  const named = POSIX_CLASS.exec(text.slice(at))?.[0];
  if (named !== undefined) {
    members.rust += named;
    members.posix += named;
    return at + named.length;
  }
  const first = readChar(text, at);
  if (first === null) {
    const [rust, posix] = CLASSES[charAt(text, at + 1)] ?? ["", ""];
    members.rust += rust;
    members.posix += posix;
    return at + 2;
  }
  const isRange = text[first.end] === "-" && text[first.end + 1] !== "]" && first.end + 1 < text.length;
  const last = isRange ? readChar(text, first.end + 1) : null;
  if (last === null) {
    members.rust += rustChar(first.char);
    members.single.add(first.char);
    return first.end;
  }
  // GNU's programs refuse other letters in a range, depending on the machine's locale.
  const isPlain = /^[A-Za-z0-9]{2}$/.test(first.char + last.char);
  if (!isPlain || first.char > last.char)
    throw unsupported(`[${first.char}-${last.char}] is no range of A-Z, a-z or 0-9`);
  members.rust += `${first.char}-${last.char}`;
  members.posix += `${first.char}-${last.char}`;
  return last.end;
}

/** In POSIX `]` comes first, `^` not first, `-` last, `[` not before `:`, and nothing is escaped. */
function posixBracket(isNegated: boolean, { posix, single }: Members): string {
  const rest = [...single].filter((char) => !"[]^-".includes(char)).join("");
  const has = (char: string) => (single.has(char) ? char : "");
  const inner = `${has("]")}${posix}${rest}${has("[")}`;
  if (inner === "" && !isNegated && single.has("^")) return single.has("-") ? "[-^]" : "\\^";
  return `[${isNegated ? "^" : ""}${inner}${has("^")}${has("-")}]`;
}

/** Reads a bracket expression at the start of a text. */
export function readBracket(text: string): { rust: string; posix: string; length: number } {
  const isNegated = text[1] === "^";
  const start = isNegated ? 2 : 1;
  const members: Members = { rust: "", posix: "", single: new Set() };
  let at = start;
  // A ] at the beginning is one of the characters.
  while (at < text.length && (text[at] !== "]" || at === start)) at = readMember(text, at, members);
  if (text[at] !== "]") throw unsupported("a [ has no ]");
  const rust = `[${isNegated ? "^" : ""}${members.rust}]`;
  return { rust, posix: posixBracket(isNegated, members), length: at + 1 };
}
