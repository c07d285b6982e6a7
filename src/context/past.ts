import type { HistoryCommit } from "../git/index.js";
import type { Query } from "./query.js";
import type { Terms } from "./words.js";

/** What history says of each file. */
export interface PastScores {
  /** How well past changes of the file were described by words of the task. */
  messages: Map<string, number>;
  /** How often it changed lately. */
  recency: Map<string, number>;
}

/** History as ranking keeps it. */
export interface Past {
  score(query: Query): PastScores;
}

export const PAST_WEIGHTS = {
  /** Commits that are asked for. */
  commits: 3000,
  /** Only the best fitting ones say something. */
  best: 30,
  /** A commit of more files says little of each. */
  mostFiles: 12,
  share: 0.5,
  /** Over so many commits a description loses most of its weight. */
  fade: 3000,
  /** Recency falls by e over so many commits. */
  recent: 100,
  recentCommits: 400,
  recentFiles: 30,
  k1: 1.2,
  b: 0.3,
};

interface Described {
  length: number;
  files: readonly string[];
  age: number;
}

/** Prepares a history, newest first, for any number of tasks. */
export function createPast(commits: readonly HistoryCommit[], terms: Terms): Past {
  const messages = describe(commits, terms);
  const recency = recencyOf(commits);
  return { score: (query) => ({ messages: scoreMessages(messages, query), recency }) };
}

interface Messages {
  commits: Described[];
  /** Where a term is used: a commit's place and how often, in turn. */
  uses: Map<number, number[]>;
  average: number;
}

function describe(commits: readonly HistoryCommit[], terms: Terms): Messages {
  const described: Described[] = [];
  const uses = new Map<number, number[]>();
  let sum = 0;
  for (const [age, { message, files }] of commits.entries()) {
    if (files.length === 0 || files.length > PAST_WEIGHTS.mostFiles) continue;
    const counts = new Map<number, number>();
    terms.count(message, counts);
    let length = 0;
    for (const [term, count] of counts) {
      length += count;
      const present = uses.get(term);
      if (present) present.push(described.length, count);
      else uses.set(term, [described.length, count]);
    }
    sum += length;
    described.push({ length, files, age });
  }
  return { commits: described, uses, average: sum / (described.length || 1) || 1 };
}

function recencyOf(commits: readonly HistoryCommit[]): Map<string, number> {
  const recency = new Map<string, number>();
  for (const [age, { files }] of commits.slice(0, PAST_WEIGHTS.recentCommits).entries()) {
    if (files.length > PAST_WEIGHTS.recentFiles) continue;
    const gain = Math.exp(-age / PAST_WEIGHTS.recent);
    for (const file of files) recency.set(file, (recency.get(file) ?? 0) + gain);
  }
  return recency;
}

function scoreMessages({ commits, uses, average }: Messages, query: Query): Map<string, number> {
  const { k1, b, best, share, fade } = PAST_WEIGHTS;
  const scores = new Float64Array(commits.length);
  for (const [term, weight] of query) {
    const having = uses.get(term) ?? [];
    const idf = Math.log(1 + (commits.length - having.length / 2 + 0.5) / (having.length / 2 + 0.5));
    for (let use = 0; use < having.length; use += 2) {
      const index = having[use] ?? 0;
      const count = having[use + 1] ?? 0;
      const length = commits[index]?.length ?? 0;
      const gain = (count * (k1 + 1)) / (count + k1 * (1 - b + (b * length) / average));
      scores[index] = (scores[index] ?? 0) + weight * idf * gain;
    }
  }
  for (const [index, { age }] of commits.entries())
    scores[index] = (scores[index] ?? 0) * Math.exp(-age / fade);
  const order = [...scores.keys()].filter((index) => (scores[index] ?? 0) > 0);
  order.sort((a, c) => (scores[c] ?? 0) - (scores[a] ?? 0) || a - c);
  const files = new Map<string, number>();
  for (const index of order.slice(0, best)) {
    const commit = commits[index] as Described;
    const gain = (scores[index] ?? 0) / commit.files.length ** share;
    for (const file of commit.files) files.set(file, (files.get(file) ?? 0) + gain);
  }
  return files;
}
