/** A file's text with what is asked of it again and again. Indices count UTF-16 units. */
export interface Source {
  text: string;
  /** How many lines it has. */
  lines: number;
  /** True where names are letters, digits, `_` and `$`. */
  hasPlainWords: boolean;
  /** The identifier that starts at an index; empty when none does. */
  wordAt(index: number): string;
  /** The line (from 1) that an index stands in. */
  lineAt(index: number): number;
  /** Where a line (from 1) starts; the text's length past the last one. */
  startOf(line: number): number;
  lineText(line: number): string;
}

const BEYOND_ASCII = 128;

/** Prepares a text; `words` says what a name looks like, as a sticky expression, where it is more than letters and digits. */
export function createSource(text: string, words?: RegExp): Source {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  const lineAt = (index: number) => {
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= index) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const startOf = (line: number) => starts[line - 1] ?? text.length;
  return {
    text,
    lines: starts.length,
    hasPlainWords: words === undefined,
    wordAt: words ? (index) => match(words, text, index) : (index) => plainWord(text, index),
    lineAt,
    startOf,
    lineText: (line) => text.slice(startOf(line), startOf(line + 1)).trimEnd(),
  };
}

/** A text as the code map counts it: without a byte order mark, and each line ends with `\n`, alone or after `\r`. */
export function evenText(text: string): string {
  const whole = text.startsWith("\uFEFF") ? text.slice(1) : text;
  return whole.includes("\r") ? whole.replace(/\r(?!\n)/g, "\n") : whole;
}

const WORD = /#?[\p{L}\p{N}\p{M}_$]+/uy;

function match(words: RegExp, text: string, index: number): string {
  words.lastIndex = index;
  return words.exec(text)?.[0] ?? "";
}

function plainWord(text: string, index: number): string {
  let end = text.charCodeAt(index) === 35 ? index + 1 : index;
  let code = text.charCodeAt(end);
  while (isWordCode(code)) code = text.charCodeAt(++end);
  return code >= BEYOND_ASCII ? match(WORD, text, index) : text.slice(index, end);
}

const WORD_CODES = Uint8Array.from({ length: BEYOND_ASCII }, (_, code) =>
  /[\w$]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** Whether a character may stand in a name, among the first 128. */
export function isWordCode(code: number): boolean {
  return WORD_CODES[code] === 1;
}

/** White space that is more than one blank. */
const UNEVEN = /[^\S ]|  /;

/** A text with one blank for each run of white space. */
export function evenBlanks(text: string): string {
  return UNEVEN.test(text) ? text.replace(/\s+/g, " ") : text;
}
