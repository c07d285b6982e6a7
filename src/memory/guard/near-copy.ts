import { stem } from "../words.js";
import { evenNumbers } from "./hard-tokens.js";
import { CJK_FILLERS, FILLERS, SAME } from "./word-lists.js";

const WORD = /\p{Script=Han}|[\p{L}\p{N}_]+/gu;
/** From this share of words in the same order on, one text is a copy of the other with some words changed. */
const COPY_FROM = 0.8;
/** Texts of more words are cut: the comparison is quadratic. */
const MOST_WORDS = 400;

/** How two texts run side by side. */
export interface SideBySide {
  /** The share of words that both have in the same order. */
  shared: number;
  /** Places where each says something else: the words of the one and of the other. */
  changed: { left: string[]; right: string[] }[];
}

const wordsIn = (text: string) => (evenNumbers(text).toLowerCase().match(WORD) ?? []).slice(0, MOST_WORDS);

/** Lengths of the longest common subsequences of all ends of two lists. */
function commonLengths(a: readonly string[], b: readonly string[]): Uint16Array[] {
  const rows = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--) {
      const [here, below] = [rows[i], rows[i + 1]];
      if (here === undefined || below === undefined) continue;
      here[j] = a[i] === b[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, here[j + 1] ?? 0);
    }
  return rows;
}

/** Lays two texts side by side, word by word, Chinese by character. */
export function sideBySide(left: string, right: string): SideBySide {
  // Two texts can be laid side by side in several ways that are as good: from both sides the same one is taken.
  if (right < left) {
    const { shared, changed } = sideBySide(right, left);
    return { shared, changed: changed.map((slot) => ({ left: slot.right, right: slot.left })) };
  }
  const [a, b] = [wordsIn(left), wordsIn(right)];
  const [aStems, bStems] = [a.map(stem), b.map(stem)];
  const lengths = commonLengths(aStems, bStems);
  const changed: SideBySide["changed"] = [];
  let slot = { left: [] as string[], right: [] as string[] };
  const close = () => {
    if (slot.left.length + slot.right.length > 0) changed.push(slot);
    slot = { left: [], right: [] };
  };
  for (let i = 0, j = 0; i < a.length || j < b.length;) {
    if (i < a.length && j < b.length && aStems[i] === bStems[j]) {
      close();
      i++;
      j++;
    } else if (j >= b.length || (i < a.length && (lengths[i + 1]?.[j] ?? 0) >= (lengths[i]?.[j + 1] ?? 0)))
      slot.left.push(a[i++] ?? "");
    else slot.right.push(b[j++] ?? "");
  }
  close();
  const total = a.length + b.length;
  return { shared: total > 0 ? (2 * (lengths[0]?.[0] ?? 0)) / total : 1, changed };
}

const says = (words: readonly string[]) =>
  words.filter((word) => !FILLERS.has(word) && !CJK_FILLERS.test(word));

/** True when both sides are words of one group of synonyms. */
function isSynonym(left: readonly string[], right: readonly string[]): boolean {
  const fits = (words: readonly string[], group: RegExp) => words.every((word) => group.test(word));
  return SAME.some((group) => fits(left, group) && fits(right, group));
}

/** In a text that copies the other but for some words: what stands in one place instead of something else; null if nothing. */
export function changedWords(sides: SideBySide): string | null {
  const real = sides.changed
    .map(({ left, right }) => ({ left: says(left), right: says(right) }))
    .filter(({ left, right }) => left.length > 0 && right.length > 0 && !isSynonym(left, right));
  const isCopy = sides.shared >= COPY_FROM || (sides.changed.length === 1 && sides.shared >= 0.5);
  const [first] = real;
  if (!isCopy || first === undefined) return null;
  return `"${first.left.join(" ")}" against "${first.right.join(" ")}"`;
}
