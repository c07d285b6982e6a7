/** How many texts there are, and in how many of them a term stands. */
export interface TermCounts {
  texts: number;
  withTerm(term: string): number;
}

/** A question's terms with what each is worth, made once and held against many texts. */
export interface WeighedTerms {
  readonly terms: ReadonlyMap<string, number>;
  readonly total: number;
}

/** What of a question a text covers: a share from 0 to 1 that means the same in every store, and the terms found. */
export interface Coverage {
  share: number;
  found: string[];
}

/** Weighs terms by how rare they are: BM25's inverse document frequency. */
export function weighTerms(terms: readonly string[], counts: TermCounts): WeighedTerms {
  const weights = new Map<string, number>();
  let total = 0;
  for (const term of terms) {
    const count = Math.min(counts.withTerm(term), counts.texts);
    const weight = Math.log(1 + (counts.texts - count + 0.5) / (count + 0.5));
    weights.set(term, weight);
    total += weight;
  }
  return { terms: weights, total };
}

/** Holds a question's terms against those of one text. */
export function coverageOf(question: WeighedTerms, text: ReadonlySet<string>): Coverage {
  const found: string[] = [];
  let sum = 0;
  for (const [term, weight] of question.terms) {
    if (!text.has(term)) continue;
    found.push(term);
    sum += weight;
  }
  return { share: question.total > 0 ? sum / question.total : 0, found };
}
