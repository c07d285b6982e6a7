/** How many texts there are, and in how many of them a term stands. */
export interface TermCounts {
  texts: number;
  withTerm(term: string): number;
}

/** The vector of one word, of length 1; null for a word that the embedder does not know. */
export type WordVectors = (term: string) => Float32Array | null;

/** A question's terms, weighed once and held against many texts. */
export interface WeighedTerms {
  readonly weights: ReadonlyMap<string, number>;
  readonly total: number;
  /** From 0 to 1; 0 where words have no vectors. */
  nearness(term: string, word: string): number;
}

/** What of a question a text covers. */
export interface Coverage {
  /** From 0 to 1, the same in every store: a term that stands in the text counts whole, one with a near word in part. */
  share: number;
  /** Terms that stand in the text. */
  found: string[];
  /** Terms of which only a near word stands in it: `erase ~ delete`. */
  near: string[];
}

/** Cosines of word vectors below this say nothing: any two words of one field have them. */
const NEAR_FROM = 0.3;
/** From here on a near word is worth naming to a person. */
const NEAR_SHOWN = 0.4;
const COVERAGE_WEIGHT = 0.6;
/** What a word of the same root counts: deploy and deployment, config and configuration. */
const SAME_ROOT = 0.8;
const SHORTEST_ROOT = 5;

/** True when a word is the other one with an ending, whose last letter may have changed. */
function isSameRoot(a: string, b: string): boolean {
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

function createNearness(vectorOf: WordVectors): WeighedTerms["nearness"] {
  const known = new Map<string, Map<string, number>>();
  return (term, word) => {
    let row = known.get(term);
    if (row === undefined) known.set(term, (row = new Map()));
    const seen = row.get(word);
    if (seen !== undefined) return seen;
    const cosine = cosineOf(vectorOf(term), vectorOf(word));
    const nearness = Math.max(
      0,
      (cosine - NEAR_FROM) / (1 - NEAR_FROM),
      isSameRoot(term, word) ? SAME_ROOT : 0,
    );
    row.set(word, nearness);
    return nearness;
  };
}

/** Weighs terms by how rare they are (BM25's inverse document frequency); with word vectors, near words count in part. */
export function weighTerms(
  terms: readonly string[],
  counts: TermCounts,
  vectorOf: WordVectors = () => null,
): WeighedTerms {
  const weights = new Map<string, number>();
  let total = 0;
  for (const term of terms) {
    const count = Math.min(counts.withTerm(term), counts.texts);
    const weight = Math.log(1 + (counts.texts - count + 0.5) / (count + 0.5));
    weights.set(term, weight);
    total += weight;
  }
  return { weights, total, nearness: createNearness(vectorOf) };
}

/** Holds a question's terms against those of one text. */
export function coverageOf(question: WeighedTerms, text: ReadonlySet<string>): Coverage {
  const found: string[] = [];
  const near: string[] = [];
  let sum = 0;
  for (const [term, weight] of question.weights) {
    if (text.has(term)) {
      found.push(term);
      sum += weight;
      continue;
    }
    let best = 0;
    let nearest = "";
    for (const word of text) {
      const nearness = question.nearness(term, word);
      if (nearness <= best) continue;
      best = nearness;
      nearest = word;
    }
    sum += weight * best;
    if (best >= NEAR_SHOWN) near.push(`${term} ~ ${nearest}`);
  }
  return { share: question.total > 0 ? sum / question.total : 0, found, near };
}

/** Blends what a text covers with how close its vector is: both are absolute, so that the sum means the same everywhere. */
export function blend(coverage: number, closeness: number): number {
  return COVERAGE_WEIGHT * coverage + (1 - COVERAGE_WEIGHT) * Math.max(0, closeness);
}
