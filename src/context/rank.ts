import type { PastScores } from "./past.js";
import type { Query } from "./query.js";
import { type BlobStatistics, entriesOf } from "./statistics.js";

/** One file that may be chosen. */
export interface Candidate {
  path: string;
  statistics: BlobStatistics;
  /** Terms of its path; those of its name count twice. */
  pathTerms: ReadonlyMap<number, number>;
}

/** A file with how well it fits, as a whole and chunk by chunk. */
export interface RankedFile {
  candidate: Candidate;
  score: number;
  chunks: Float64Array;
  /** What spoke for it, as shares of the best file's. */
  signals: { words: number; chunk: number; messages: number; recency: number };
}

export const RANK_WEIGHTS = {
  k1: 1.2,
  text: { weight: 1, b: 0.75 },
  names: { weight: 2, b: 0.5 },
  path: { weight: 6, b: 0.3 },
  chunkB: 0.6,
  chunkNames: 2,
  chunkFrames: 0.5,
  /** A neighbour's share in a chunk's score. */
  chunkNear: 0.15,
  /** What the four signals count, each as a share of the best file's. */
  words: 1,
  chunk: 0.8,
  messages: 0.3,
  recency: 0.15,
  /** Chunks are scored in so many of the best files. */
  files: 300,
};

const ROUNDING = 1e9;

/** Rounds a score, so that the order does not hang on a sum's last bits. */
export function round(score: number): number {
  return Math.round(score * ROUNDING) / ROUNDING;
}

/** Orders files by how well they fit, best first; equal ones by path. */
export function rankFiles(candidates: readonly Candidate[], query: Query, past: PastScores): RankedFile[] {
  const { words, idf } = scoreWords(candidates, query);
  const messages = candidates.map(({ path }) => past.messages.get(path) ?? 0);
  const recency = candidates.map(({ path }) => past.recency.get(path) ?? 0);
  const share = { words: shares(words), messages: shares(messages), recency: shares(recency) };
  const first = candidates.map((candidate, index) => ({
    candidate,
    index,
    rough: round(
      RANK_WEIGHTS.words * at(share.words, index) + RANK_WEIGHTS.messages * at(share.messages, index),
    ),
  }));
  first.sort((a, b) => b.rough - a.rough || byPath(a.candidate, b.candidate));
  const chunks = new Map<number, Float64Array>();
  const average = averageChunk(candidates);
  for (const { candidate, index } of first.slice(0, RANK_WEIGHTS.files)) {
    chunks.set(index, scoreChunks(candidate.statistics, query, idf, average));
  }
  const best = shares(
    candidates.map((_, index) => chunks.get(index)?.reduce((a, b) => Math.max(a, b), 0) ?? 0),
  );
  const ranked = candidates.map((candidate, index): RankedFile => {
    const signals = {
      words: at(share.words, index),
      chunk: at(best, index),
      messages: at(share.messages, index),
      recency: at(share.recency, index),
    };
    const score =
      RANK_WEIGHTS.words * signals.words +
      RANK_WEIGHTS.chunk * signals.chunk +
      RANK_WEIGHTS.messages * signals.messages +
      RANK_WEIGHTS.recency * signals.recency;
    const own = chunks.get(index) ?? new Float64Array(candidate.statistics.chunks.length);
    return { candidate, score: round(score), chunks: own, signals };
  });
  return ranked.sort((a, b) => b.score - a.score || byPath(a.candidate, b.candidate));
}

function byPath(a: Candidate, b: Candidate): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}

function at(values: ArrayLike<number>, index: number): number {
  return values[index] ?? 0;
}

function shares(values: ArrayLike<number>): Float64Array {
  let most = 0;
  for (let index = 0; index < values.length; index++) most = Math.max(most, at(values, index));
  return Float64Array.from(values, (value) => (most > 0 ? value / most : 0));
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

function averageChunk(candidates: readonly Candidate[]): number {
  const chunks = sum(candidates.map(({ statistics }) => statistics.chunks.length));
  return sum(candidates.map(({ statistics }) => statistics.totals.text)) / (chunks || 1) || 1;
}

/** BM25F over text, names of definitions, and path. */
function scoreWords(candidates: readonly Candidate[], query: Query) {
  const { k1, text, names, path } = RANK_WEIGHTS;
  const lengths = {
    text: candidates.map(({ statistics }) => statistics.totals.text),
    names: candidates.map(({ statistics }) => statistics.totals.names),
    path: candidates.map(({ pathTerms }) => sum(pathTerms.values())),
  };
  const mean = (values: number[]) => sum(values) / (values.length || 1) || 1;
  const average = { text: mean(lengths.text), names: mean(lengths.names), path: mean(lengths.path) };
  const words = new Float64Array(candidates.length);
  const idf = new Map<number, number>();
  const weighted = new Float64Array(candidates.length);
  for (const [term, weight] of query) {
    let having = 0;
    for (const [index, { statistics, pathTerms }] of candidates.entries()) {
      const found =
        (text.weight * countIn(statistics.text, term)) /
          (1 - text.b + (text.b * at(lengths.text, index)) / average.text) +
        (names.weight * countIn(statistics.names, term)) /
          (1 - names.b + (names.b * at(lengths.names, index)) / average.names) +
        (path.weight * (pathTerms.get(term) ?? 0)) /
          (1 - path.b + (path.b * at(lengths.path, index)) / average.path);
      weighted[index] = found;
      if (found > 0) having++;
    }
    const rare = Math.log(1 + (candidates.length - having + 0.5) / (having + 0.5));
    idf.set(term, rare);
    for (const [index, found] of weighted.entries()) {
      if (found > 0) words[index] = at(words, index) + (weight * rare * (found * (k1 + 1))) / (found + k1);
    }
  }
  return { words, idf };
}

function countIn(index: BlobStatistics["text"], term: number): number {
  const [from, to] = entriesOf(index, term);
  let count = 0;
  for (let entry = from; entry < to; entry++) count += at(index.counts, entry);
  return count;
}

/** BM25 over the chunks of one file; the names that begin in a chunk and around it count with its text. */
function scoreChunks(
  { chunks, lengths, text, names, frames }: BlobStatistics,
  query: Query,
  idf: ReadonlyMap<number, number>,
  average: number,
): Float64Array {
  const { k1, chunkB, chunkNames, chunkFrames, chunkNear } = RANK_WEIGHTS;
  const scores = new Float64Array(chunks.length);
  const counts = new Float64Array(chunks.length);
  const parts = [
    [text, 1],
    [names, chunkNames],
    [frames, chunkFrames],
  ] as const;
  for (const [term, weight] of query) {
    counts.fill(0);
    for (const [index, factor] of parts) {
      const [from, to] = entriesOf(index, term);
      for (let entry = from; entry < to; entry++) {
        const chunk = at(index.chunks, entry);
        counts[chunk] = at(counts, chunk) + factor * at(index.counts, entry);
      }
    }
    const worth = weight * (idf.get(term) ?? 0);
    for (const [chunk, count] of counts.entries()) {
      if (count === 0) continue;
      const length = 1 - chunkB + (chunkB * at(lengths, chunk)) / average;
      scores[chunk] = at(scores, chunk) + (worth * count * (k1 + 1)) / (count + k1 * length);
    }
  }
  return scores.map(
    (score, chunk) => score + chunkNear * Math.max(at(scores, chunk - 1), at(scores, chunk + 1)),
  );
}
