/** Words that code and commit messages are full of, so that they tell no file from another. */
const STOP = new Set(
  (
    "a about add added adding adds after again all allow also an and any are as async at await be because been before being " +
    "between both break bug but by can case catch change changed changes class commit const continue could currently def " +
    "default did do does done down during each either elif else ensure etc even every except export extends false feature " +
    "few final finally fix fixed fixes fixing fn for from func function get had has have having he her here him his how " +
    "if implements import improve in instead int interface into is issue it its just lambda let made make makes may might " +
    "mod more most must mut my new nil no nor not now null of off old on once only onto or other our out over own package " +
    "pass per pr prevent private protected pub public raise require return same self set should since so some static str " +
    "string struct such super support supported switch than that the their them then there these they this those throw " +
    "throws to too true try type under until up update us use used uses using val var very via void was we were what when " +
    "where which while who whom why will with within without would yield you your"
  ).split(" "),
);

const IDENTIFIER = /[A-Za-z_$][A-Za-z0-9_$]*/g;
const CJK_RUN = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+/gu;
const LONGEST_WORD = 40;
const LONGEST_NAME = 80;

/** The terms of one identifier: its words, stemmed, and, where it has several, all of them as one. */
export function termsOfName(name: string): string[] {
  const parts = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((part) => part !== "");
  const terms = parts.filter(isTelling).map(stem);
  const whole = parts.join("");
  if (parts.length > 1 && whole.length <= LONGEST_NAME) terms.push(`=${whole}`);
  return terms;
}

function isTelling(word: string): boolean {
  return word.length > 1 && word.length < LONGEST_WORD && !/^\d+$/.test(word) && !STOP.has(word);
}

/** Identifiers and words of a text, in order. */
export function namesIn(text: string): string[] {
  return text.match(IDENTIFIER) ?? [];
}

/** Pairs of neighbouring characters of Chinese, Japanese and Korean text, which has no spaces between words. */
export function bigramsIn(text: string): string[] {
  return (text.match(CJK_RUN) ?? []).flatMap((run) => {
    const characters = Array.from(run);
    if (characters.length === 1) return characters;
    return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
  });
}

/** Takes English endings off, so that `parsing`, `parsed` and `parses` meet. */
export function stem(word: string): string {
  if (word.length <= 4) return word;
  let root = word;
  if (root.endsWith("ies")) return `${root.slice(0, -3)}y`;
  if (root.endsWith("sses")) return root.slice(0, -2);
  if (/[^sui]s$/.test(root)) root = root.slice(0, -1);
  if (root.length > 5 && root.endsWith("ing")) root = single(root.slice(0, -3));
  else if (root.length > 4 && root.endsWith("ed")) root = single(root.slice(0, -2));
  return root.length > 4 && root.endsWith("e") ? root.slice(0, -1) : root;
}

function single(root: string): string {
  return /([^lsz])\1$/.test(root) ? root.slice(0, -1) : root;
}

/** A term as the statistics keep it. Two of some hundred thousand terms may meet in one number; a ranking bears that. */
export function hashTerm(term: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < term.length; index++) {
    hash = Math.imul(hash ^ term.charCodeAt(index), 0x01000193);
  }
  // FNV's last step leaves similar words near each other.
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** Turns texts into hashed terms; remembers the names it saw, of which a repository uses the same again and again. */
export interface Terms {
  ofName(name: string): readonly number[];
  /** Adds the terms of a text to a count. */
  count(text: string, into: Map<number, number>): void;
}

const REMEMBERED = 300_000;

/** Makes the terms of one handle. */
export function createTerms(): Terms {
  const known = new Map<string, readonly number[]>();
  const ofName = (name: string) => {
    const present = known.get(name);
    if (present) return present;
    const made = termsOfName(name).map(hashTerm);
    if (known.size < REMEMBERED) known.set(name, made);
    return made;
  };
  const count = (text: string, into: Map<number, number>) => {
    for (const name of namesIn(text)) for (const term of ofName(name)) raise(into, term);
    for (const pair of bigramsIn(text)) raise(into, hashTerm(pair));
  };
  return { ofName, count };
}

function raise(counts: Map<number, number>, term: number): void {
  counts.set(term, (counts.get(term) ?? 0) + 1);
}
