/** One word of a command. */
export interface Word {
  /** As the program gets it, when there is nothing to expand. */
  text: string;
  /** With a pattern the word becomes names of files: how they begin and end, as far as it is certain. Else null. */
  glob: { head: string; tail: string; hasBracket: boolean } | null;
}

/** A piece of a word: which text it matches, what that stands for, and whether the shell expands it. */
interface Piece {
  pattern: RegExp;
  text(match: string): string;
  isGlob?: boolean;
}

/** Blanks that a shell splits at; other white space and control characters are doubt. */
const BLANK = /[ \t]+/y;
const SEPARATOR = /(?:&&|\|\||[;|])(?![;|&])|\n/y;
/** The redirections that touch no file; models write them everywhere. */
const HARMLESS_REDIRECTION = /\d*>(?:&\d|[ \t]?\/dev\/null)(?=[ \t\n;|&]|$)/y;
/** What the list may go on after on the next line. */
const OPEN_ENDED = ["&&", "||", "|"];
const PIECES: readonly Piece[] = [
  { pattern: /'[^']*'/y, text: (match) => match.slice(1, -1) },
  // A line end that is escaped would vanish: doubt.
  {
    pattern: /"(?:[^"\\$`]|\\[^\n])*"/y,
    text: (match) => match.slice(1, -1).replace(/\\(["\\$`])/g, "$1"),
  },
  { pattern: /\\[^\n]/y, text: (match) => match.slice(1) },
  { pattern: /[*?[]/y, text: (match) => match, isGlob: true },
  // Not in here: operators, redirections, substitutions, comments, history, braces.
  { pattern: /[^\s'"\\;&|<>()$`#!{}*?[]+/y, text: (match) => match },
];
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\0-\x08\x0b-\x1f\x7f\u0085]/;
/** Words that begin something else than a simple command; `[[` needs no mention, since it is a glob. */
const RESERVED =
  /^(?:if|then|else|elif|fi|do|done|case|esac|while|until|for|in|select|function|time|coproc|[A-Za-z_]\w*\+?=.*)$/s;

/** Reads what a sticky pattern matches at a place. */
function matchAt(pattern: RegExp, line: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(line)?.[0] ?? null;
}

/** A word and the text of one more piece. What a bracket takes is not looked at: behind it nothing is certain. */
function extended(word: Word, part: string, isGlob: boolean): Word {
  const text = word.text + part;
  if (word.glob === null && !isGlob) return { text, glob: null };
  const { head, tail, hasBracket } = word.glob ?? { head: word.text, tail: "", hasBracket: false };
  const isUncertain = hasBracket || part === "[";
  return { text, glob: { head, tail: isGlob || isUncertain ? "" : tail + part, hasBracket: isUncertain } };
}

/** The word that begins at a place and where it ends; null in doubt. */
function readWord(line: string, start: number): { word: Word; end: number } | null {
  let word: Word = { text: "", glob: null };
  let at = start;
  for (;;) {
    const piece = PIECES.find(({ pattern }) => matchAt(pattern, line, at) !== null);
    if (piece === undefined) break;
    const match = matchAt(piece.pattern, line, at) ?? "";
    word = extended(word, piece.text(match), piece.isGlob === true);
    at += match.length;
  }
  return at === start ? null : { word, end: at };
}

/** The command's program must be plain to see: no assignment before it, no pattern, no word of the shell's grammar. */
function isSimple(words: readonly Word[]): boolean {
  const [first] = words;
  return first !== undefined && first.text !== "" && !RESERVED.test(first.text) && !/[*?[]/.test(first.text);
}

/**
 * Splits a command line into its simple commands and their words as a shell would: lists (`&&`, `||`, `;`, lines) and pipes of
 * them. Gives null for anything else, such as redirections into files, substitutions, subshells and jobs in the background. Doubt counts as
 * null: what is not understood is not allowed.
 */
export function simpleCommands(line: string): Word[][] | null {
  if (CONTROL.test(line)) return null;
  const commands: Word[][] = [];
  let words: Word[] = [];
  let open = "";
  for (let at = 0; at < line.length;) {
    const blank = matchAt(BLANK, line, at) ?? matchAt(HARMLESS_REDIRECTION, line, at);
    const separator = blank === null ? matchAt(SEPARATOR, line, at) : null;
    if (blank !== null) at += blank.length;
    else if (separator !== null) {
      at += separator.length;
      if (words.length > 0) {
        commands.push(words);
        words = [];
        open = separator;
      } else if (separator !== "\n") return null;
    } else {
      const read = readWord(line, at);
      if (read === null) return null;
      words.push(read.word);
      at = read.end;
      open = "";
    }
  }
  if (words.length > 0) commands.push(words);
  if (OPEN_ENDED.includes(open) || commands.length === 0) return null;
  return commands.every(isSimple) ? commands : null;
}
