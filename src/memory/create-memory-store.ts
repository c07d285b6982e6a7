import picomatch from "picomatch";
import { isAccrueError, estimateTokens, messageOf } from "../shared/index.js";
import { weightAt } from "./decay.js";
import { MemoryOptions } from "./options.js";
import { judge } from "./store/judge.js";
import { nearestInMemory, nearestInSqlite } from "./store/nearest.js";
import type { MemoryDatabase } from "./store/open-memory-database.js";
import { prepare } from "./store/prepare.js";
import { type Reader, createReader } from "./store/reader.js";
import { recall, recalledOf, stateOf } from "./store/recall.js";
import type { Prepared, Stored } from "./store/rows.js";
import { type Writer, createWriter, nameOf } from "./store/write.js";
import type { Embedder, Memory, MemoryFiles, MemoryRefreshed, MemoryStore, Recalled } from "./types.js";

/** So many texts are embedded at once, so that a stop is heard. */
const BATCH = 512;

/** What a store is made of. */
export interface MemoryStoreDeps {
  database: MemoryDatabase;
  embedder: Embedder;
  now(): number;
  /** Told what went wrong without being an error: vectors are missing and words alone must do. */
  warn(message: string): void;
  /** Other names for what a text names, from the glossary. */
  expand?(text: string): readonly string[];
}

/** Makes the store over its cache. */
export function createMemoryStore(
  deps: MemoryStoreDeps,
  options: MemoryOptions = MemoryOptions.parse({}),
): MemoryStore {
  const { database, embedder, now } = deps;
  const { db } = database;
  const reader = createReader(db, embedder.id, createPathMatcher());
  const writer = createWriter(db, embedder.id);
  const nearest = database.hasVectorFunctions
    ? nearestInSqlite(db, embedder.id)
    : nearestInMemory(db, embedder, reader.passes);
  const version = db.prepare<[], number>("pragma data_version").pluck();
  /** What the cache holds, while nobody else has changed it: a run asks about the same files again and again. */
  let current: { files: MemoryFiles | null; version: number | undefined } = { files: null, version: 0 };
  const { decay, dedup, top_k: limit } = options;
  const settings = { decay, embedder: embedder.id };
  const embed = createAsking(deps);
  const word = embedder.word?.bind(embedder);
  const telling = embedder.telling?.bind(embedder);
  const working = { reader, nearest, embed, now, decay, word, telling };
  const shown = (stored: Stored): Recalled =>
    recalledOf(working, { stored, score: 0, why: "", sureness: 0 }, now());
  return {
    refresh: async (files, signal) => {
      if (files === current.files && version.get() === current.version)
        return { memories: reader.count(), changed: 0, embedded: 0, missing: 0, removed: 0, ms: 0 };
      const prepared = prepare(files, settings);
      const refreshed = await bringUp({ ...deps, reader, writer }, prepared, { isWhole: true, signal });
      // What has no vector yet is tried again.
      if (refreshed.missing === 0) current = { files, version: version.get() };
      return refreshed;
    },
    add: async (memories, signal) => {
      current = { files: null, version: 0 };
      const prepared = prepare({ memories, events: [] }, settings);
      return bringUp({ ...deps, reader, writer }, prepared, { isWhole: false, signal });
    },
    recall: (query, signal) =>
      recall({ ...working, expand: deps.expand ?? (() => []), limit }, query, signal),
    judge: (memory, signal) => judge({ ...working, dedup, thresholds: embedder.thresholds }, memory, signal),
    get: (id) => {
      const stored = reader.byId(id);
      return stored === null ? null : shown(stored);
    },
    list: ({ type, state } = {}) =>
      reader
        .all()
        .filter(({ memory }) => type === undefined || memory.type === type)
        .filter((stored) => state === undefined || stateOf(stored, now()) === state)
        .map(shown),
    pinned: (maxTokens) => pinned(reader.all(), { maxTokens, now: now(), decay }).map(shown),
    ofSymbol: (key) => ofSymbol(reader, key).map(shown),
  };
}

interface Bringing extends MemoryStoreDeps {
  reader: Reader;
  writer: Writer;
}

/** Writes what changed; a text without a vector is still found by its words. */
async function bringUp(
  deps: Bringing,
  prepared: readonly Prepared[],
  { isWhole, signal }: { isWhole: boolean; signal: AbortSignal },
): Promise<MemoryRefreshed> {
  const { reader, writer, now } = deps;
  const started = now();
  const known = writer.known();
  const unique = [...new Map(prepared.map((row) => [row.foldedId, row])).values()];
  const changed = unique.filter((row) => known.get(row.foldedId) !== row.fingerprint);
  const { embedded, missing } = await embedMissing(deps, changed, signal);
  const { removed } = writer.save(changed, isWhole ? new Set(unique.map((row) => row.foldedId)) : null);
  return {
    memories: reader.count(),
    changed: changed.length,
    embedded,
    missing,
    removed,
    ms: now() - started,
  };
}

async function embedMissing(
  { embedder, writer, warn }: Bringing,
  changed: readonly Prepared[],
  signal: AbortSignal,
): Promise<{ embedded: number; missing: number }> {
  const missing = [...writer.unembedded(changed)];
  let done = 0;
  while (done < missing.length) {
    const batch = missing.slice(done, done + BATCH);
    signal.throwIfAborted();
    try {
      const vectors = await embedder.embed(
        batch.map(([, text]) => text),
        signal,
      );
      writer.saveVectors(new Map(batch.map(([hash], at) => [hash, vectors[at] ?? new Float32Array()])));
    } catch (error) {
      if (!isAccrueError(error, "EMBEDDER_FAILED")) throw error;
      warn(
        `${missing.length - done} memories have no vector yet and are found by words only: ${messageOf(error)}`,
      );
      return { embedded: done, missing: missing.length - done };
    }
    done += batch.length;
  }
  return { embedded: done, missing: 0 };
}

/** Asks for one vector; null where the text says nothing, or the server does not answer and words must do. */
function createAsking({
  embedder,
  warn,
}: MemoryStoreDeps): (text: string, signal: AbortSignal) => Promise<Float32Array | null> {
  return async (text, signal) => {
    if (text.trim() === "") return null;
    try {
      const [vector] = await embedder.embed([text], signal);
      return vector === undefined || vector.every((value) => value === 0) ? null : vector;
    } catch (error) {
      if (!isAccrueError(error, "EMBEDDER_FAILED")) throw error;
      warn(`This question is compared by words only: ${messageOf(error)}`);
      return null;
    }
  };
}

function pinned(
  all: readonly Stored[],
  { maxTokens, now, decay }: { maxTokens: number; now: number; decay: MemoryOptions["decay"] },
): Stored[] {
  const weight = ({ life }: Stored) => weightAt(life, now, decay);
  const wanted = all
    .filter(({ status, memory }) => status === "active" && memory.isPinned)
    .filter(({ memory }) => memory.type === "fact" || memory.type === "pattern")
    .sort((a, b) => weight(b) - weight(a) || (a.memory.id < b.memory.id ? -1 : 1));
  let tokens = 0;
  return wanted.filter(({ memory }) => {
    const cost = estimateTokens(`${memory.title}\n${memory.text}`);
    if (tokens + cost > maxTokens) return false;
    tokens += cost;
    return true;
  });
}

/**
 * The exact key first, then those that only name it, then those that knew it in another file: a move keeps its history. What is
 * linked to another definition of that name is not of this one.
 */
function ofSymbol(reader: Reader, key: string): Stored[] {
  const rank = (symbol: string) => (symbol === key ? 0 : symbol.includes("#") && key.includes("#") ? 2 : 1);
  const name = nameOf(key);
  const isOfAnother = ({ linked = [] }: Memory) => {
    const same = linked.filter((place) => place.includes("#") && nameOf(place) === name);
    return key.includes("#") && same.length > 0 && !same.includes(key);
  };
  const hits = reader.bySymbol(name).sort((a, b) => rank(a.symbol) - rank(b.symbol) || a.rid - b.rid);
  return [...new Set(hits.map(({ rid }) => rid))]
    .flatMap((rid) => reader.row(rid) ?? [])
    .filter(({ status, memory }) => status === "active" && !isOfAnother(memory));
}

/** Each pattern is compiled once. */
function createPathMatcher(): (pattern: string, path: string) => boolean {
  const compiled = new Map<string, (path: string) => boolean>();
  return (pattern, path) => {
    const test = compiled.get(pattern) ?? picomatch(pattern, { dot: true });
    compiled.set(pattern, test);
    return test(path);
  };
}
