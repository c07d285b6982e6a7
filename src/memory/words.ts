const CJK = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}";
/**
 * A run of CJK characters, a number with its parts (`5.14`, `2025-03-04`), or a word as code writes it. Words of plain letters
 * are tried first, since most are.
 */
const PIECE = new RegExp(
  `[A-Za-z_$][\\w$]*(?![\\w$\\x80-\\u{10ffff}])|[${CJK}]+|\\d+(?:[.\\-:]\\d+)*(?![\\p{L}_])|[[\\p{L}\\p{N}_$]--[${CJK}]]+`,
  "gv",
);
/** The end of `merchant's`, which is no word; the letter before it is asked for last, since it is everywhere. */
const POSSESSIVE = /['’]s(?![\p{L}\p{N}])(?<=\p{L}['’]s)/gu;
const IS_CJK = new RegExp(`^[${CJK}]`, "u");

const STOP_WORDS = new Set(
  (
    "a an and any are as at be been being but by can could did do does for from had has have how i if in into is it its " +
    "may me might must my no not of on or our shall should so than that the their them then there these they this those " +
    "to too us use used uses using was we were what when where which who whom why will with would you your"
  ).split(" "),
);

/** What Chinese asks and joins with: it parts words and is no word itself. */
const JOINTS =
  /为什么|什么时候|什么|怎么样|怎么|怎样|如何|哪里|哪个|哪些|多少|能不能|可不可以|是不是|有没有|是否|我们|你们|他们|(?<!目)的|了(?!解)|[吗呢吧啊么]|[是在和与或被把对从就都也谁]/u;

const isVowelled = (word: string) => /[aeiouy]/.test(word);

/** Brings forms of one English word together: a light stem, since a strong one would join `product` and `production`. */
export function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+[degns]$/.test(word)) return word;
  let out = word
    .replace(/(?:ies|ied)$/, "y")
    .replace(/(?<=ss|x|z|ch|sh)es$/, "")
    .replace(/(?<![su])s$/, "");
  const bare = out.replace(/(?:ing|ed)$/, "");
  if (bare !== out && bare.length >= 3 && isVowelled(bare))
    out = bare.replace(/([b-df-hjkmnp-rtv-y])\1$/, "$1");
  return out.replace(/(?<=.{3})ation$/, "at").replace(/(?<=.{2})e$/, "");
}

function partsOf(word: string): string[] {
  return word
    .replace(/(\p{Lu}{2,})(v\d+)$/u, "$1 $2")
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, "$1 $2")
    .replace(/(\p{L}{2,})(\d+)$/u, "$1 $2")
    .split(/[\s_$]+/u)
    .filter((part) => part.length > 1 || /\d/.test(part));
}

/** The stems of a word as code writes it, whole and in its parts. */
interface KnownWord {
  stems: readonly string[];
  /** Without words that say nothing. */
  telling: readonly string[];
}

/** Kept, since texts of one project have the same words. */
const knownWords = new Map<string, KnownWord>();
const MAX_KNOWN_WORDS = 20_000;

function knownWord(word: string): KnownWord {
  const seen = knownWords.get(word);
  if (seen !== undefined) return seen;
  const forms = /^\d/.test(word) ? numberWords(word) : latinWords(word);
  const stems = forms.map(stem);
  const telling = forms.filter((form) => !STOP_WORDS.has(form)).map(stem);
  const known = { stems, telling: telling.length === stems.length ? stems : telling };
  if (knownWords.size >= MAX_KNOWN_WORDS) knownWords.clear();
  knownWords.set(word, known);
  return known;
}

function latinWords(word: string): string[] {
  if (/^[a-z]+$/.test(word)) return [word];
  const parts = partsOf(word).map((part) => part.toLowerCase());
  const whole = word.toLowerCase();
  return parts.length > 1 ? [whole, ...parts] : [whole];
}

/** `20.17` is also asked for as `20`. */
function numberWords(number: string): string[] {
  const major = /^(\d+)\.\d/.exec(number)?.[1];
  return major === undefined ? [number] : [number, major];
}

function pairsOf(run: string): string[] {
  const chars = Array.from(run);
  return chars.slice(1).map((char, index) => `${chars[index]}${char}`);
}

const charactersAndPairs = (run: string) => Array.from(run).concat(pairsOf(run));

/** The words of a text as they come, each with its CJK pieces. */
interface Pieces {
  words: KnownWord[];
  runs: string[];
}

function piecesOf(text: string): Pieces {
  const words: KnownWord[] = [];
  const runs: string[] = [];
  for (const piece of text.normalize("NFKC").replace(POSSESSIVE, "").match(PIECE) ?? []) {
    if (piece > "\x7f" && IS_CJK.test(piece)) runs.push(...piece.split(JOINTS).filter(Boolean));
    else words.push(knownWord(piece));
  }
  return { words, runs };
}

/** All words of a text, with repetition, for vectors: stems, identifier parts, numbers, CJK characters and pairs of them. */
export function wordsOf(text: string): string[] {
  const { words, runs } = piecesOf(text);
  const all: string[] = [];
  for (const { stems } of words) all.push(...stems);
  for (const run of runs) all.push(...charactersAndPairs(run));
  return all;
}

/** What a text can be found by; each once. Joined with spaces it is what goes into FTS5. */
export function indexTerms(text: string): string[] {
  return termsOf(piecesOf(text), charactersAndPairs);
}

/** What a question looks for; each once. A single CJK character counts only where it stands alone. */
export function queryTerms(text: string): string[] {
  return termsOf(piecesOf(text), (run) => (Array.from(run).length === 1 ? [run] : pairsOf(run)));
}

function termsOf({ words, runs }: Pieces, piecesOfRun: (run: string) => readonly string[]): string[] {
  const terms = new Set<string>();
  for (const { telling } of words) for (const term of telling) terms.add(term);
  for (const run of runs) for (const term of piecesOfRun(run)) terms.add(term);
  return [...terms];
}

/** An FTS5 expression that matches texts with any of the terms; null when there is nothing to look for. */
export function matchExpression(terms: readonly string[]): string | null {
  return terms.length === 0 ? null : terms.map((term) => `"${term.replaceAll('"', '""')}"`).join(" OR ");
}
