import { createHash } from "node:crypto";
import type { Language } from "../languages.js";
import type { TreeEntry } from "../../git/index.js";
import type { TreeSource } from "../map-types.js";
import { contentToSkip } from "../reason-to-skip.js";
import { decodeText } from "../decode-text.js";
import { encodeFacts } from "./encode-facts.js";
import type { ExtractPool } from "./extract-pool.js";
import type { ContentKey, FactStore, KnownContent, NewContent } from "./fact-store.js";
import type { Extracted } from "./messages.js";
import { type FileState, SETTINGS } from "./tree-state.js";

/** So many files are in memory at once. */
const AT_ONCE = 32;
/** So many contents are written in one transaction. */
const BATCH = 256;
/** From so many files on a second thread is worth loading all grammars twice. */
const TWO_THREADS_FROM = 1000;
const MAX_SETTINGS_BYTES = 500_000;

/** A file that has to be read. */
export interface UnreadFile extends TreeEntry {
  language: Language | null;
  /** False when only its being there is asked: it is in no language that the map reads, or skipped for a reason. */
  isMapped: boolean;
  skipped: string | null;
}

/** What reading needs. */
export interface Reading {
  store: FactStore;
  pool: ExtractPool;
  read: TreeSource["read"];
  /** `sha1` or `sha256`, as the repository names its contents. */
  algorithm: string;
}

/** Reads files, extracts those whose content was never seen, and stores what was found. A file that is gone has null. */
export async function readContents(
  files: readonly UnreadFile[],
  reading: Reading,
  signal: AbortSignal,
): Promise<{ states: Map<string, FileState | null>; extracted: number }> {
  const { store, pool } = reading;
  const writer = createWriter(store);
  const states = new Map<string, FileState | null>();
  const keys = new Map<string, ContentKey>();
  pool.allow(files.length >= TWO_THREADS_FROM ? 2 : 1);
  await inParallel(files, AT_ONCE, async (file) => {
    signal.throwIfAborted();
    const bytes = await reading.read(file.path);
    if (bytes === null) {
      states.set(file.path, null);
      return;
    }
    const blob = file.blob ?? blobId(bytes, reading.algorithm);
    if (!file.isMapped) {
      states.set(file.path, { blob, content: null, skipped: file.skipped });
      return;
    }
    const key = { blob, language: file.language?.name ?? SETTINGS };
    const failure = await writer.once(key, () => newContent(key, file.path, bytes, pool));
    if (failure === null) keys.set(file.path, key);
    else states.set(file.path, { blob, content: null, skipped: failure });
  });
  signal.throwIfAborted();
  writer.flush();
  for (const [path, key] of keys)
    states.set(path, { blob: key.blob, content: writer.known(key), skipped: null });
  return { states, extracted: writer.written() };
}

/** Git's name of a content, where no filter changes it on its way. */
function blobId(bytes: Uint8Array, algorithm: string): string {
  return createHash(algorithm).update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

async function newContent(
  key: ContentKey,
  path: string,
  bytes: Buffer,
  pool: ExtractPool,
): Promise<NewContent | string> {
  if (key.language === SETTINGS) return settingsContent(key, bytes);
  const skipped = contentToSkip(bytes);
  if (skipped !== null) return { ...key, skipped, extracted: null, isPassing: false };
  const answer = await pool.extract({ path, bytes });
  if (answer.kind === "unreadable") return answer.reason;
  const extracted = answer.kind === "extracted" ? answer.extracted : nothing(key, answer);
  const isPassing =
    answer.kind === "broken" ? answer.isPassing : (extracted.partial?.includes("took longer than") ?? false);
  return { ...key, skipped: null, extracted, isPassing };
}

function settingsContent(key: ContentKey, bytes: Buffer): NewContent {
  const encoded = bytes.length > MAX_SETTINGS_BYTES ? "" : decodeText(bytes).text;
  const extracted = { ...EMPTY, language: SETTINGS, partial: null, encoded };
  return { ...key, skipped: null, extracted, isPassing: false };
}

const EMPTY = { symbols: 0, references: 0, defined: [], used: [] };

/** What stands for a file that broke the parser. */
function nothing({ language }: ContentKey, { reason: partial }: { reason: string }): Extracted {
  const lists = { packages: [], symbols: [], references: [], imports: [], exports: [], fields: [] };
  return { ...EMPTY, language, partial, encoded: encodeFacts({ language, lines: 0, partial, ...lists }) };
}

interface Writer {
  /** Makes a content unless it is known or being made; the reason when it cannot be made. */
  once(key: ContentKey, make: () => Promise<NewContent | string>): Promise<string | null>;
  flush(): void;
  /** Contract: after `flush`, of a key that `once` made. */
  known(key: ContentKey): KnownContent | null;
  written(): number;
}

/** Gathers contents and writes them in batches. */
function createWriter(store: FactStore): Writer {
  const made = new Map<string, Promise<string | null>>();
  const known = new Map<string, KnownContent>();
  let batch: NewContent[] = [];
  let written = 0;
  const flush = () => {
    const contents = batch;
    batch = [];
    if (contents.length === 0) return;
    for (const [index, row] of store.write(contents).entries()) {
      const content = contents[index];
      if (content) known.set(nameOf(content), row);
    }
    written += contents.filter(({ extracted }) => extracted !== null).length;
  };
  const make = async (key: ContentKey, making: () => Promise<NewContent | string>) => {
    const present = store.find(key);
    if (present) {
      known.set(nameOf(key), present);
      return null;
    }
    const content = await making();
    if (typeof content === "string") return content;
    batch.push(content);
    if (batch.length >= BATCH) flush();
    return null;
  };
  return {
    flush,
    once: (key, making) => {
      const name = nameOf(key);
      const present = made.get(name) ?? make(key, making);
      made.set(name, present);
      return present;
    },
    known: (key) => known.get(nameOf(key)) ?? null,
    written: () => written,
  };
}

function nameOf({ blob, language }: ContentKey): string {
  return `${blob} ${language}`;
}

async function inParallel<T>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const lanes = Array.from({ length: Math.min(limit, items.length) }, async () => {
    for (const item of queue) await work(item);
  });
  await Promise.all(lanes);
}
