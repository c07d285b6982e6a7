// A store over a file of its own, and memories with little to say about them.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Embedder,
  type Memory,
  type MemoryEvent,
  type MemoryOptions,
  type MemoryStore,
  createMemoryStore,
  createStaticEmbedder,
  openMemoryDatabase,
} from "../../src/memory/index.js";

/** Never aborted: workers share this file, so that a time limit would be one of all tests together. */
export const signal: AbortSignal = new AbortController().signal;
export const START = Date.parse("2026-01-01T00:00:00Z");
export const DAY = 86_400_000;
export const bilingual = createStaticEmbedder();

/** A memory that a task left. */
export function memory(id: string, text: string, more: Partial<Memory> = {}): Memory {
  return {
    id,
    type: "fact",
    title: "",
    text,
    path: `context/experience/${id}.md`,
    created: "2026-01-01",
    source: "task",
    tags: [],
    files: [],
    symbols: [],
    isPinned: false,
    isPending: false,
    isRetired: false,
    supersedes: [],
    conflictsWith: [],
    ...more,
  };
}

export interface Opened {
  store: MemoryStore;
  file: string;
  warnings: string[];
  clock: { now: number };
  /** Brings the store to these. */
  keep(memories: Memory[], events?: MemoryEvent[]): Promise<void>;
  /** Ids that a question finds, best first. */
  find(text: string, more?: Partial<Parameters<MemoryStore["recall"]>[0]>): Promise<string[]>;
  close(): void;
}

const folders: string[] = [];

/** Deletes all that tests have made. */
export function cleanUp(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

export async function openStore(
  options: {
    file?: string;
    embedder?: Embedder;
    extension?: boolean;
    expand?: (text: string) => readonly string[];
    settings?: MemoryOptions;
  } = {},
): Promise<Opened> {
  const folder = mkdtempSync(join(tmpdir(), "accrue-memory-"));
  folders.push(folder);
  const file = options.file ?? join(folder, "memory.db");
  const warnings: string[] = [];
  const warn = (message: string) => void warnings.push(message);
  const clock = { now: START + DAY };
  const database = await openMemoryDatabase(file, warn, { extension: options.extension ?? true });
  const embedder = options.embedder ?? bilingual;
  const { expand } = options;
  const deps = { database, embedder, now: () => clock.now, warn, ...(expand && { expand }) };
  const store = createMemoryStore(deps, options.settings);
  return {
    store,
    file,
    warnings,
    clock,
    keep: async (memories, events = []) => void (await store.refresh({ memories, events }, signal)),
    find: async (text, more = {}) =>
      (await store.recall({ text, ...more }, signal)).map((one) => one.memory.id),
    close: () => database.close(),
  };
}
