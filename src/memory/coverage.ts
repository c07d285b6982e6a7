import { GENERAL_WORDS } from "./general-words.js";
import { queryTerms } from "./words.js";

/** How many texts there are, and in how many of them a term stands. */
export interface TermCounts {
  texts: number;
  withTerm(term: string): number;
}

/** The vector of one word, of length 1; null for a word that the embedder does not know. */
export type WordVectors = (term: string) => Float32Array | null;

/** How telling a word is in any text, from 0 to 1; null for a word that the embedder does not know. */
export type WordTelling = (term: string) => number | null;

/** A question's terms, weighed once and held against many texts. */
export interface WeighedTerms {
  readonly weights: ReadonlyMap<string, number>;
  readonly total: number;
  /** What finding a term says for itself: its weight, less for a word that is common everywhere. */
  readonly strengths: ReadonlyMap<string, number>;
  /** Null where only the terms themselves count, which costs much less. */
  nearness: Nearness | null;
}

/** The terms of one text: a set of them, or what answers like one. */
export type TextTerms = Pick<ReadonlySet<string>, "has"> & Iterable<string>;

/** A word of the texts that a question is held against. */
interface Word {
  text: string;
  vector: Float32Array | null;
  /** Counted from 0 in the order in which they came up. */
  at: number;
}

/** How near words are to a question's terms, each pair computed once. */
interface Nearness {
  wordsOf(text: TextTerms): Word[];
  /** From 0 to 1. */
  to(term: string): (word: Word) => number;
}

/** What of a question a text covers. */
export interface Coverage {
  /** From 0 to 1, the same in every store: a term that stands in the text counts whole, one with a near word in part. */
  share: number;
  /** Terms that stand in the text. */
  found: string[];
  /** Terms of which only a near word stands in it: `erase ~ delete`. */
  near: string[];
  /** What the most telling of them say together: unlike the share it does not fall with what else the question says. */
  strength: number;
}

/** Cosines of word vectors below this say nothing: any two words of one field have them. */
const NEAR_FROM = 0.3;
/** From here on a near word is worth naming to a person. */
const NEAR_SHOWN = 0.4;
const COVERAGE_WEIGHT = 0.6;
/** What a word of the same root counts: deploy and deployment, config and configuration. */
const SAME_ROOT = 0.8;
const SHORTEST_ROOT = 5;
/** So many terms make a strength: in a long question something always fits. */
const TERMS_COUNTED = 4;
/** What a near word counts of it. */
const NEAR_STRENGTH = 0.3;
const SAYS_LITTLE = /^(?:[a-z0-9]|\d{1,2})$/;
const GENERAL = new Set([...GENERAL_WORDS].flatMap((word) => queryTerms(word)));

/** True when a word is the other one with an ending, whose last letter may have changed. */
function isSameRoot(a: string, b: string): boolean {
  if (a.charCodeAt(0) !== b.charCodeAt(0)) return false;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (short.length < SHORTEST_ROOT || long.length > 2 * short.length || !/^[a-z]+$/.test(long)) return false;
  return long.startsWith(short.slice(0, Math.max(SHORTEST_ROOT, short.length - 1)));
}

function cosineOf(a: Float32Array | null, b: Float32Array | null): number {
  if (a === null || b === null) return 0;
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += (a[index] ?? 0) * (b[index] ?? 0);
  return sum;
}

function createNearness(vectorOf: WordVectors): Nearness {
  const words = new Map<string, Word>();
  const terms = new Map<string, (word: Word) => number>();
  const measure = (term: string) => {
    const vector = vectorOf(term);
    const seen: (number | undefined)[] = [];
    return (word: Word) =>
      (seen[word.at] ??= Math.max(
        0,
        (cosineOf(vector, word.vector) - NEAR_FROM) / (1 - NEAR_FROM),
        isSameRoot(term, word.text) ? SAME_ROOT : 0,
      ));
  };
  return {
    wordsOf: (text) =>
      Array.from(text, (one) => {
        const known = words.get(one);
        if (known !== undefined) return known;
        const word = { text: one, vector: vectorOf(one), at: words.size };
        words.set(one, word);
        return word;
      }),
    to: (term) => {
      const known = terms.get(term) ?? measure(term);
      terms.set(term, known);
      return known;
    },
  };
}

/** Weighs terms by how rare they are (BM25's inverse document frequency); with word vectors, near words count in part. */
export function weighTerms(
  terms: readonly string[],
  counts: TermCounts,
  { vectorOf = () => null, telling = () => null }: { vectorOf?: WordVectors; telling?: WordTelling } = {},
): WeighedTerms {
  const weights = new Map<string, number>();
  const strengths = new Map<string, number>();
  let total = 0;
  for (const term of terms) {
    const count = Math.min(counts.withTerm(term), counts.texts);
    const weight = Math.log(1 + (counts.texts - count + 0.5) / (count + 0.5));
    weights.set(term, weight);
    total += weight;
    const isGeneral = GENERAL.has(term) || SAYS_LITTLE.test(term);
    strengths.set(term, isGeneral ? 0 : weight * Math.sqrt(telling(term) ?? 1));
  }
  return { weights, total, strengths, nearness: createNearness(vectorOf) };
}

/** Holds a question's terms against those of one text. */
export function coverageOf(question: WeighedTerms, text: TextTerms): Coverage {
  const { nearness } = question;
  const words = nearness?.wordsOf(text) ?? [];
  const found: string[] = [];
  const near: string[] = [];
  const strong: number[] = [];
  let sum = 0;
  for (const [term, weight] of question.weights) {
    const strength = question.strengths.get(term) ?? 0;
    if (text.has(term)) {
      found.push(term);
      strong.push(strength);
      sum += weight;
      continue;
    }
    if (nearness === null) continue;
    const nearTo = nearness.to(term);
    let best = 0;
    let nearest = "";
    for (const word of words) {
      const near = nearTo(word);
      if (near <= best) continue;
      best = near;
      nearest = word.text;
    }
    sum += weight * best;
    strong.push(NEAR_STRENGTH * best * strength);
    if (best >= NEAR_SHOWN) near.push(`${term} ~ ${nearest}`);
  }
  const strongest = strong.sort((a, b) => b - a).slice(0, TERMS_COUNTED);
  const strength = strongest.reduce((total, one) => total + one, 0);
  return { share: question.total > 0 ? sum / question.total : 0, found, near, strength };
}

/** Blends what a text covers with how close its vector is: both are absolute, so that the sum means the same everywhere. */
export function blend(coverage: number, closeness: number): number {
  return COVERAGE_WEIGHT * coverage + (1 - COVERAGE_WEIGHT) * Math.max(0, closeness);
}

const CLOSENESS_STRENGTH = 6;
const STRENGTH_ASKED = 1.35;
/** Even among few texts it is not enough to sound alike. */
const LEAST_ASKED = 3;

/**
 * How sure it is that a text has to do with a question, from 0 on; from 1 on it may be shown to somebody who did not ask. The
 * more texts there are, the more of them fit by chance, so more is asked for. Measured by `npm run bench -- injection`.
 */
export function sureness(strength: number, closeness: number, texts: number): number {
  const asked = Math.max(LEAST_ASKED, STRENGTH_ASKED * Math.log(Math.max(texts, 1)));
  return (strength + CLOSENESS_STRENGTH * Math.max(0, closeness)) / asked;
}
