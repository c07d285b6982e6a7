import { readBracket } from "./search-bracket.js";
import { unsupported } from "./unsupported-pattern.js";

/** One pattern for programs of two dialects: Rust's regular expressions (rg), and POSIX extended ones (git grep, grep). */
export interface SearchPattern {
  rust: string;
  posix: string;
  ignoreCase: boolean;
}

/** A piece in both dialects; `isRepeatable` when `*`, `+`, `?` or a count may follow it. */
interface Piece {
  rust: string;
  posix: string;
  length: number;
  isRepeatable: boolean;
}

const MAX_REPEAT = 255;
const IGNORE_CASE = /^\(\?i\)/;
const COUNT = /^\{(\d*)(,?)(\d*)\}/;
/** Escapes with a meaning of their own; the second is what POSIX writes. */
const CLASSES: Readonly<Record<string, readonly [string, string]>> = {
  d: ["[0-9]", "[0-9]"],
  D: ["[^0-9]", "[^0-9]"],
  w: ["\\w", "[[:alnum:]_]"],
  W: ["\\W", "[^[:alnum:]_]"],
  s: ["\\s", "[[:space:]]"],
  S: ["\\S", "[^[:space:]]"],
  t: ["\\t", "\t"],
};
/** Edges of words; the two of GNU are wider here, since old versions of rg have only the first. */
const EDGES: Readonly<Record<string, string>> = { b: "\\b", B: "\\B", "<": "\\b", ">": "\\b" };

function literal(char: string): Piece {
  // Every special character of the two dialects; a needless escape makes grep complain.
  const text = /[\\.^$|*+?()[\]{}]/.test(char) ? `\\${char}` : char;
  // POSIX has no special meaning for these two alone, and Rust takes them escaped.
  const posix = char === "]" || char === "}" ? char : text;
  return { rust: text, posix, length: char.length, isRepeatable: true };
}

function readEscape(char: string): Piece {
  const known = CLASSES[char];
  if (known !== undefined) return { rust: known[0], posix: known[1], length: 2, isRepeatable: true };
  const edge = EDGES[char];
  if (edge !== undefined) return { rust: edge, posix: edge, length: 2, isRepeatable: false };
  if (char === "") throw unsupported("it ends with a \\");
  if (/[\p{L}\p{N}]/u.test(char)) throw unsupported(`\\${char} is not known`);
  return { ...literal(char), length: char.length + 1 };
}

function readCount(rest: string): Piece | null {
  const [whole, from = "", comma = "", to = ""] = COUNT.exec(rest) ?? [];
  if (whole === undefined || (from === "" && to === "")) return null;
  const [least, most] = [Number(from), Number(comma === "" ? from : to)];
  if (least > MAX_REPEAT || most > MAX_REPEAT)
    throw unsupported(`${whole} counts further than ${MAX_REPEAT}`);
  if (to !== "" && most < least) throw unsupported(`${whole} ends before it begins`);
  const text = `{${least}${comma}${to}}`;
  return { rust: text, posix: text, length: whole.length, isRepeatable: false };
}

function readGroup(rest: string): Piece {
  if (!rest.startsWith("(?")) return { rust: "(", posix: "(", length: 1, isRepeatable: false };
  if (rest.startsWith("(?:")) return { rust: "(?:", posix: "(", length: 3, isRepeatable: false };
  throw unsupported(`${rest.slice(0, 3)} is no look-around, flag or name that is known`);
}

function readPiece(rest: string, previous: Piece | null): Piece {
  const char = String.fromCodePoint(rest.codePointAt(0) ?? 0);
  if (char === "\\") {
    const next = rest.codePointAt(1);
    return readEscape(next === undefined ? "" : String.fromCodePoint(next));
  }
  if (char === "[") return { ...readBracket(rest), isRepeatable: true };
  if (char === "(") return readGroup(rest);
  const plain = { rust: char, posix: char, length: 1 };
  if (char === ")" || char === ".") return { ...plain, isRepeatable: true };
  if (char === "|" || char === "^" || char === "$") return { ...plain, isRepeatable: false };
  const count = char === "{" ? readCount(rest) : null;
  if (count === null && !"*+?".includes(char)) return literal(char);
  if (previous?.isRepeatable !== true) throw unsupported(`there is nothing before ${char} to repeat`);
  // A lazy repetition finds the same lines.
  const piece = count ?? { ...plain, isRepeatable: false };
  return rest[piece.length] === "?" ? { ...piece, length: piece.length + 1 } : piece;
}

/** Reads a pattern and writes it down for both dialects. Throws `INPUT_INVALID` for what they do not share. */
export function searchPattern(pattern: string): SearchPattern {
  const ignoreCase = IGNORE_CASE.test(pattern);
  let rest = pattern.replace(IGNORE_CASE, "");
  let [rust, posix, depth] = ["", "", 0];
  let previous: Piece | null = null;
  while (rest !== "") {
    const piece = readPiece(rest, previous);
    depth += piece.posix === "(" ? 1 : piece.posix === ")" ? -1 : 0;
    if (depth < 0) throw unsupported("a ) has no (");
    rust += piece.rust;
    posix += piece.posix;
    rest = rest.slice(piece.length);
    previous = piece;
  }
  if (depth > 0) throw unsupported("a ( has no )");
  return { rust, posix, ignoreCase };
}
