import { weightAt } from "../decay.js";
import {
  type WeighedTerms,
  type WordTelling,
  type WordVectors,
  blend,
  coverageOf,
  sureness,
  weighTerms,
} from "../coverage.js";
import { errorSignatures } from "../error-signature.js";
import { closenessOf } from "../embed/vectors.js";
import type { DecayOptions } from "../options.js";
import type { MemoryState, MemoryType, Recalled, RecallQuery } from "../types.js";
import { queryTerms } from "../words.js";
import { type Filter, type FilterValues, filterValues } from "./filter.js";
import { mentioned } from "./mentioned.js";
import type { Nearest } from "./nearest.js";
import type { Reader } from "./reader.js";
import type { Stored } from "./rows.js";

/** So many candidates come from words, and so many from vectors. */
const POOL = 50;
/** Near words are looked for in so many of them: comparing words is what costs most. */
const NEAR_POOL = 40;
/** The same error again goes before everything that only sounds alike. */
const BONUS = { error: 1, symbol: 0.15, file: 0.05, type: 0.05, weight: 0.02 };
const TERMS_SHOWN = 3;

/** What recall works with. */
export interface RecallDeps {
  reader: Reader;
  nearest: Nearest;
  /** The vector of a question; null when it says nothing to the embedder, or nobody can be asked. */
  embed(text: string, signal: AbortSignal): Promise<Float32Array | null>;
  /** The vector of one word, by which near words count. */
  word: WordVectors | undefined;
  telling: WordTelling | undefined;
  now(): number;
  decay: DecayOptions;
  /** Other names for what a text names. */
  expand(text: string): readonly string[];
  limit: number;
}

/** A question, prepared once. */
interface Question {
  terms: string[];
  weighed: WeighedTerms;
  /** How many memories there are. */
  texts: number;
  vector: Float32Array | null;
  /** By memory: the symbol, and the file, that the question and the memory both name. */
  symbols: ReadonlyMap<number, string>;
  files: ReadonlyMap<number, string>;
  /** Signatures of errors in the text, and those that it names. */
  errors: ReadonlySet<string>;
  types: readonly MemoryType[];
  now: number;
}

/** What may fit, with how close its vector is. */
interface Candidate {
  stored: Stored;
  close: number;
}

/** A candidate with what speaks for it. */
interface Scored extends Candidate {
  score: number;
  why: string;
  sureness: number;
}

/** Finds the memories that fit a question, best first; see docs/memory.md for the formula. */
export async function recall(deps: RecallDeps, query: RecallQuery, signal: AbortSignal): Promise<Recalled[]> {
  const others = deps.expand(query.text);
  const vector = await deps.embed([query.text, ...others].join("\n"), signal);
  return deps.reader.together(() => find(deps, query, questionOf(deps, query, { others, vector })));
}

function find(deps: RecallDeps, query: RecallQuery, question: Question): Recalled[] {
  const filter: Filter = { now: question.now, cold: query.cold ?? false, under: query.under ?? null };
  const plainly = { ...question, weighed: { ...question.weighed, nearness: null } };
  const pool = candidates(deps, question, filterValues(filter)).map((one) => scoreOf(deps, plainly, one));
  const near = bestFirst(pool).slice(0, NEAR_POOL);
  const scored = near.map((one) => scoreOf(deps, question, one));
  const ranked = bestFirst(standIns(deps, scored))
    .filter(({ score }) => score > 0 && score >= (query.floor ?? 0))
    .filter((one) => query.sure !== true || one.sureness >= 1)
    .slice(0, query.limit ?? deps.limit);
  return withConflicts(deps, ranked).map((one) => recalledOf(deps, one, question.now));
}

function questionOf(
  deps: RecallDeps,
  query: RecallQuery,
  { others, vector }: { others: readonly string[]; vector: Float32Array | null },
): Question {
  const { reader } = deps;
  const counts = { texts: reader.count(), withTerm: reader.withTerm };
  const words = { vectorOf: deps.word, telling: deps.telling };
  const asked = weighTerms(queryTerms(query.text), counts, words);
  const errors = errorsIn(query.text);
  const besides = queryTerms([...others, ...errors].join("\n"));
  const added = weighTerms(besides, counts, { telling: deps.telling });
  const named = mentioned(query.text);
  return {
    terms: [...new Set([...asked.weights.keys(), ...added.weights.keys()])],
    // Another name for the same counts as much as it does, and asks for no more.
    weighed: {
      ...asked,
      weights: new Map([...added.weights, ...asked.weights]),
      strengths: new Map([...added.strengths, ...asked.strengths]),
    },
    texts: counts.texts,
    vector,
    symbols: symbolHits(reader, [...(query.symbols ?? []), ...named.symbols]),
    files: fileHits(reader, [...(query.files ?? []), ...named.files]),
    errors,
    types: query.types ?? [],
    now: deps.now(),
  };
}

function errorsIn(text: string): Set<string> {
  return new Set([
    ...errorSignatures(text).map(({ id }) => id),
    ...(text.match(/\bERR-[0-9A-Z]{10}\b/g) ?? []),
  ]);
}

function symbolHits(reader: Reader, symbols: readonly string[]): Map<number, string> {
  const hits = new Map<number, string>();
  for (const symbol of symbols)
    for (const { rid, symbol: known } of reader.bySymbol(symbol))
      if (isSameSymbol(symbol, known) && !hits.has(rid)) hits.set(rid, symbol);
  return hits;
}

/** A bare name fits wherever it is; two keys only when they are the same. */
function isSameSymbol(a: string, b: string): boolean {
  return !a.includes("#") || !b.includes("#") || a === b;
}

function fileHits(reader: Reader, files: readonly string[]): Map<number, string> {
  const hits = new Map<number, string>();
  for (const file of files) for (const rid of reader.byFile(file)) if (!hits.has(rid)) hits.set(rid, file);
  return hits;
}

function candidates({ reader, nearest }: RecallDeps, question: Question, filter: FilterValues): Candidate[] {
  const named = [...question.symbols.keys(), ...[...question.files.keys()].slice(-POOL)];
  const pool = new Set([
    ...reader.byWords(question.terms, filter, POOL),
    ...(question.vector === null ? [] : nearest(question.vector, filter, POOL)),
    // Also when it is cold: who has the symbol or file at hand needs what is known of it.
    ...named.filter((rid) => reader.passes(rid, { ...filter, cold: 1 })),
  ]);
  return reader.rows([...pool]).map(({ stored, vector }) => ({
    stored,
    close: closenessOf(vector, question.vector),
  }));
}

function scoreOf({ decay }: RecallDeps, question: Question, { stored, close }: Candidate): Scored {
  const { rid, terms, life } = stored;
  const { share, found, near, strength } = coverageOf(question.weighed, terms);
  const symbol = question.symbols.get(rid);
  const file = question.files.get(rid);
  const isSameError = question.errors.size > 0 && stored.memory.tags.some((tag) => question.errors.has(tag));
  const covers = Math.min(1, share);
  const score =
    blend(covers, close) +
    (isSameError ? BONUS.error : 0) +
    (symbol === undefined ? 0 : BONUS.symbol) +
    (file === undefined ? 0 : BONUS.file) +
    (question.types.length > 0 && question.types.includes(stored.memory.type) ? BONUS.type : 0) +
    BONUS.weight * Math.log(weightAt(life, question.now, decay));
  const telling = found
    .sort((a, b) => (question.weighed.weights.get(b) ?? 0) - (question.weighed.weights.get(a) ?? 0))
    .concat(near)
    .slice(0, TERMS_SHOWN);
  const why = [
    isSameError ? "the same error" : "",
    telling.length > 0 ? `covers ${covers.toFixed(2)} (${telling.join(", ")})` : "",
    close > 0 ? `close ${close.toFixed(2)}` : "",
    symbol === undefined ? "" : `symbol \`${symbol}\``,
    file === undefined ? "" : `file \`${file}\``,
  ];
  // Nothing but a weight is no reason.
  const hasReason = why.some(Boolean);
  // Who names the same symbol, file or error means the same.
  const isNamed = isSameError || symbol !== undefined || file !== undefined;
  return {
    stored,
    close,
    score: hasReason ? score : 0,
    why: why.filter(Boolean).join(", "),
    sureness: Math.max(sureness(strength, close, question.texts), isNamed ? 1 : 0),
  };
}

/** What is superseded is not shown: what stands in its place is, found by the wording of either. */
function standIns({ reader }: RecallDeps, scored: readonly Scored[]): Scored[] {
  const best = new Map<number, Scored>();
  const offer = (one: Scored) => {
    const known = best.get(one.stored.rid);
    if (known === undefined || known.score < one.score) best.set(one.stored.rid, one);
  };
  for (const one of scored)
    for (const last of currentOf(reader, one.stored)) {
      const isItself = last.rid === one.stored.rid;
      const why = isItself ? one.why : `${one.why}, in place of ${one.stored.memory.id}`;
      offer({ ...one, stored: last, why });
    }
  return [...best.values()];
}

/** What now stands in a memory's place; itself when nothing does. Memories that supersede each other in a circle all stay. */
export function currentOf(reader: Reader, stored: Stored): Stored[] {
  const seen = new Set([stored.rid]);
  const ends: Stored[] = [];
  const open = [stored];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const next = reader.successors(one.foldedId).flatMap((id) => reader.byId(id) ?? []);
    const fresh = next.filter(({ rid }) => !seen.has(rid));
    if (fresh.length === 0) ends.push(one);
    for (const { rid } of fresh) seen.add(rid);
    open.push(...fresh);
  }
  return ends;
}

function bestFirst(scored: readonly Scored[]): Scored[] {
  const key = ({ stored }: Scored) => stored.memory;
  return [...scored].sort(
    (a, b) =>
      b.score - a.score ||
      (key(a).created < key(b).created ? 1 : key(a).created > key(b).created ? -1 : 0) ||
      (key(a).id < key(b).id ? -1 : 1),
  );
}

/** A pair that contradicts itself is never parted, so that nobody takes one side for the truth. */
function withConflicts({ reader }: RecallDeps, ranked: readonly Scored[]): Scored[] {
  const shown = new Set(ranked.map(({ stored }) => stored.rid));
  return ranked.flatMap((one) => {
    const { id } = one.stored.memory;
    const others = reader
      .conflicts(id)
      .flatMap((other) => reader.byId(other) ?? [])
      .filter(({ rid, status }) => status === "active" && !shown.has(rid));
    for (const { rid } of others) shown.add(rid);
    return [one, ...others.map((stored) => ({ ...one, stored, why: `contradicts ${id}` }))];
  });
}

/** How alive a memory is at a time. */
export function stateOf({ status, life }: Stored, now: number): MemoryState {
  if (status !== "active") return status;
  return life.coldFrom !== null && life.coldFrom <= now ? "cold" : "active";
}

/** A memory as it is handed out. */
export function recalledOf(
  { reader, decay }: Pick<RecallDeps, "reader" | "decay">,
  { stored, score, why, sureness: sure }: Omit<Scored, "close">,
  now: number,
): Recalled {
  const { memory, life } = stored;
  const state = stateOf(stored, now);
  const conflicts = reader
    .conflicts(memory.id)
    .flatMap((id) => reader.byId(id) ?? [])
    .filter(({ status }) => status === "active")
    .map((other) => other.memory.id);
  return {
    memory,
    score,
    why: state === "cold" ? [why, "cold"].filter(Boolean).join(", ") : why,
    sureness: sure,
    state,
    weight: weightAt(life, now, decay),
    conflictsWith: conflicts,
  };
}
