import { GENERAL_WORDS } from "../memory/index.js";
import { hasCjk } from "../shared/index.js";

const PLURAL_ONLY: ReadonlySet<string> = new Set(["goods", "news", "series", "analytics", "settings"]);
const HAN_WORDS = new Intl.Segmenter("zh", { granularity: "word" });

/** A text as it is compared: width and case folded, no space between Chinese and Latin. */
export function foldText(text: string): string {
  const folded = text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ");
  return folded.replace(/(?<=[\u3400-\u9fff]) (?=\w)|(?<=\w) (?=[\u3400-\u9fff])/g, "");
}

/** An English word without its plural ending, so that "queries" and "query" are one word. */
export function singular(word: string): string {
  if (!/[a-z]{3,}s$/i.test(word) || /(ss|us|is)$/i.test(word) || PLURAL_ONLY.has(word.toLowerCase()))
    return word;
  if (/ies$/i.test(word)) return `${word.slice(0, -3)}y`;
  return /(x|ch|sh|ss)es$/i.test(word) ? word.slice(0, -2) : word.slice(0, -1);
}

/** The forms under which an English word or phrase is found in a text. */
function plurals(word: string): string[] {
  if (!/[a-z]{2}$/i.test(word)) return [word];
  return [word, `${word}s`, `${word}es`, ...(/[^aeiou]y$/i.test(word) ? [`${word.slice(0, -1)}ies`] : [])];
}

/** True when the folded text has the keyword: Chinese anywhere in it, Latin as whole words. */
export function hasKeyword(text: string, keyword: string): boolean {
  const folded = foldText(keyword.trim());
  if (folded === "") return false;
  if (hasCjk(folded)) return text.includes(folded);
  return plurals(folded).some((form) => hasWord(text, form));
}

function hasWord(text: string, word: string): boolean {
  const first = word.charAt(0);
  const last = word.charAt(word.length - 1);
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const before = text.charAt(at - 1);
    const after = text.charAt(at + word.length);
    if (!(joinsWord(before) && joinsWord(first)) && !(joinsWord(after) && joinsWord(last))) return true;
  }
  return false;
}

/** Latin letters and digits make words; a Chinese character next to them ends one. */
function joinsWord(char: string): boolean {
  return /[\p{L}\p{N}_]/u.test(char) && !hasCjk(char);
}

/** The words of a text that say what it is about, folded, each once, in their order. */
export function contentWords(text: string): string[] {
  return [
    ...new Set(
      wordRuns(text)
        .flat()
        .map((word) => singular(foldText(word))),
    ),
  ];
}

/** Content words as they stand together in the text, cut where a stop word or punctuation comes between them. */
export function wordRuns(text: string): string[][] {
  const runs: string[][] = [];
  let run: string[] = [];
  let isHan = false;
  const finish = () => {
    if (run.length > 0) runs.push(run);
    run = [];
  };
  for (const { segment, isWordLike } of HAN_WORDS.segment(text.normalize("NFKC"))) {
    if (segment === " " && !isHan) continue;
    if (isWordLike !== true || !saysSomething(segment)) {
      finish();
      continue;
    }
    if (hasCjk(segment) !== isHan) finish();
    isHan = hasCjk(segment);
    run.push(segment);
  }
  finish();
  return runs;
}

function saysSomething(word: string): boolean {
  if (GENERAL_WORDS.has(word.toLowerCase())) return false;
  return hasCjk(word) ? word.length >= 2 : /\p{L}/u.test(word) && word.length >= 2 && !/['’]/.test(word);
}
