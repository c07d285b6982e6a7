import type { Candidate, Corpus } from "./corpus.js";
import type { PastScores } from "./past.js";
import type { Query } from "./query.js";
import { type ChunkStatistics, entriesOf } from "./statistics.js";

/** A file with how well it fits, as a whole and chunk by chunk. */
export interface RankedFile {
  candidate: Candidate;
  score: number;
  chunks: Float64Array;
  /** What spoke for it, as shares of the best file's. */
  signals: { words: number; path: number; chunk: number; messages: number; recency: number };
}

export const RANK_WEIGHTS = {
  k1: 1.2,
  text: { weight: 1, b: 0.75 },
  names: { weight: 2, b: 0.5 },
  path: { weight: 6, b: 0.3 },
  chunkB: 0.6,
  chunkNames: 4,
  chunkFrames: 1,
  /** A neighbour's share in a chunk's score. */
  chunkNear: 0.15,
  /** A use in a path beyond the first counts little. */
  pathK1: 6,
  /** What the signals count, each as a share of the best file's. */
  words: 1,
  pathWords: 0.4,
  chunk: 0.8,
  messages: 0.5,
  recency: 0.15,
  /** Chunks are scored in so many of the best files. */
  files: 300,
};

const ROUNDING = 1e9;

/** Rounds a score, so that the order does not hang on a sum's last bits. */
export function round(score: number): number {
  return Math.round(score * ROUNDING) / ROUNDING;
}

/** What is ranked, and against what. */
export interface RankTask {
  corpus: Corpus;
  query: Query;
  past: PastScores;
  /** Files that are ranked although nothing speaks for them, and with the product even if they are set apart. */
  named?: ReadonlySet<string>;
}

/** Files that fit, best first; equal ones by path. What is set apart from the product is ranked for itself. */
export interface Ranking {
  product: RankedFile[];
  tests: RankedFile[];
}

/** Orders files by how well they fit. */
export function rankFiles({ corpus, query, past, named = new Set() }: RankTask): Ranking {
  const files = corpus.files();
  const isApart = files.map((file) => file.isApart && !named.has(file.path));
  const groups = [false, true].map((apart) =>
    groupOf(
      files,
      [...files.keys()].filter((index) => isApart[index] === apart),
    ),
  );
  const norms = normsOf(files, isApart, groups);
  const { words, pathWords, idfs } = scoreWords({ corpus, query, isApart, groups, norms });
  const [product = [], tests = []] = groups.map((group, index) =>
    rankGroup(group, { files, words, pathWords, past, named, query, idf: idfs[index] ?? new Map() }),
  );
  return { product, tests };
}

interface Group {
  members: number[];
  average: { text: number; names: number; path: number; chunk: number };
}

function groupOf(files: readonly Candidate[], members: number[]): Group {
  const totals = { text: 0, names: 0, path: 0, chunks: 0 };
  for (const index of members) {
    const file = files[index];
    if (!file) continue;
    totals.text += file.statistics.totals.text;
    totals.names += file.statistics.totals.names;
    totals.path += sum(file.pathTerms.values());
    totals.chunks += file.statistics.totals.chunks;
  }
  const mean = (total: number, count: number) => total / (count || 1) || 1;
  return {
    members,
    average: {
      text: mean(totals.text, members.length),
      names: mean(totals.names, members.length),
      path: mean(totals.path, members.length),
      chunk: mean(totals.text, totals.chunks),
    },
  };
}

interface Norms {
  text: Float64Array;
  names: Float64Array;
  path: Float64Array;
}

/** What one use of a term in a part of each file counts, by the part's length. */
function normsOf(
  files: readonly Candidate[],
  isApart: readonly boolean[],
  [product, tests]: readonly Group[],
): Norms {
  const norms = {
    text: new Float64Array(files.length),
    names: new Float64Array(files.length),
    path: new Float64Array(files.length),
  };
  for (const [index, { statistics, pathTerms }] of files.entries()) {
    const average = (isApart[index] ? tests : product)?.average;
    if (!average) continue;
    const norm = ({ weight, b }: { weight: number; b: number }, length: number, mean: number) =>
      weight / (1 - b + (b * length) / mean);
    norms.text[index] = norm(RANK_WEIGHTS.text, statistics.totals.text, average.text);
    norms.names[index] = norm(RANK_WEIGHTS.names, statistics.totals.names, average.names);
    norms.path[index] = norm(RANK_WEIGHTS.path, sum(pathTerms.values()), average.path);
  }
  return norms;
}

interface WordTask {
  corpus: Corpus;
  query: Query;
  isApart: readonly boolean[];
  groups: readonly Group[];
  norms: Norms;
}

/** BM25F over text, names of definitions, and path. */
function scoreWords({ corpus, query, isApart, groups, norms }: WordTask) {
  const { k1, pathK1 } = RANK_WEIGHTS;
  const words = new Float64Array(isApart.length);
  const pathWords = new Float64Array(isApart.length);
  const idfs = groups.map(() => new Map<number, number>());
  const hits: number[] = [];
  const found: number[] = [];
  const inPath: number[] = [];
  for (const [term, weight] of query) {
    hits.length = 0;
    found.length = 0;
    inPath.length = 0;
    const having = [0, 0];
    corpus.visit(term, (file, text, names, path) => {
      hits.push(file);
      const own = path * at(norms.path, file);
      inPath.push(own);
      found.push(text * at(norms.text, file) + names * at(norms.names, file) + own);
      const group = isApart[file] ? 1 : 0;
      having[group] = at(having, group) + 1;
    });
    const rare = groups.map(({ members }, group) =>
      Math.log(1 + (members.length - at(having, group) + 0.5) / (at(having, group) + 0.5)),
    );
    for (const [group, idf] of idfs.entries()) idf.set(term, at(rare, group));
    for (const [place, file] of hits.entries()) {
      const count = at(found, place);
      const worth = weight * at(rare, isApart[file] ? 1 : 0);
      words[file] = at(words, file) + (worth * (count * (k1 + 1))) / (count + k1);
      const own = at(inPath, place);
      pathWords[file] = at(pathWords, file) + (worth * own) / (own + pathK1);
    }
  }
  return { words, pathWords, idfs };
}

interface GroupTask extends Pick<RankTask, "query" | "past"> {
  files: readonly Candidate[];
  words: Float64Array;
  pathWords: Float64Array;
  named: ReadonlySet<string>;
  idf: ReadonlyMap<number, number>;
}

function rankGroup({ members, average }: Group, task: GroupTask): RankedFile[] {
  const { files, past, query, idf } = task;
  const worth = { words: 0, path: 0, messages: 0, recency: 0, chunk: 0 };
  const drafts = members.flatMap((index) => {
    const candidate = files[index];
    if (!candidate) return [];
    const draft = {
      candidate,
      words: at(task.words, index),
      path: at(task.pathWords, index),
      messages: past.messages.get(candidate.path) ?? 0,
      recency: past.recency.get(candidate.path) ?? 0,
      chunk: 0,
      chunks: NO_CHUNKS,
      rough: 0,
    };
    worth.words = Math.max(worth.words, draft.words);
    worth.path = Math.max(worth.path, draft.path);
    worth.messages = Math.max(worth.messages, draft.messages);
    worth.recency = Math.max(worth.recency, draft.recency);
    const isFound = draft.words > 0 || draft.messages > 0 || draft.recency > 0;
    return isFound || task.named.has(candidate.path) ? [draft] : [];
  });
  const share = (value: number, most: number) => (most > 0 ? value / most : 0);
  for (const draft of drafts) {
    draft.rough = round(
      RANK_WEIGHTS.words * share(draft.words, worth.words) +
        RANK_WEIGHTS.pathWords * share(draft.path, worth.path) +
        RANK_WEIGHTS.messages * share(draft.messages, worth.messages),
    );
  }
  drafts.sort((a, b) => b.rough - a.rough || byPath(a, b));
  for (const draft of drafts.slice(0, RANK_WEIGHTS.files)) {
    draft.chunks = scoreChunks(draft.candidate.statistics.parts(), query, idf, average.chunk);
    draft.chunk = draft.chunks.reduce((a, b) => Math.max(a, b), 0);
    worth.chunk = Math.max(worth.chunk, draft.chunk);
  }
  const ranked = drafts.map(({ candidate, chunks, words, path, chunk, messages, recency }): RankedFile => {
    const signals = {
      words: share(words, worth.words),
      path: share(path, worth.path),
      chunk: share(chunk, worth.chunk),
      messages: share(messages, worth.messages),
      recency: share(recency, worth.recency),
    };
    const score =
      RANK_WEIGHTS.words * signals.words +
      RANK_WEIGHTS.pathWords * signals.path +
      RANK_WEIGHTS.chunk * signals.chunk +
      RANK_WEIGHTS.messages * signals.messages +
      RANK_WEIGHTS.recency * signals.recency;
    return { candidate, score: round(score), chunks, signals };
  });
  return ranked.sort((a, b) => b.score - a.score || byPath(a, b));
}

const NO_CHUNKS: Float64Array = new Float64Array();

function byPath({ candidate: a }: { candidate: Candidate }, { candidate: b }: { candidate: Candidate }) {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}

function at(values: ArrayLike<number>, index: number): number {
  return values[index] ?? 0;
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

/** BM25 over the chunks of one file; the names that begin in a chunk and around it count with its text. */
function scoreChunks(
  { chunks, lengths, text, names, frames }: ChunkStatistics,
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
