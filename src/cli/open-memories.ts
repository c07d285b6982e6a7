import { join, resolve } from "node:path";
import {
  type Follow,
  type ReadMemories,
  type TreeMemory,
  glossaryOf,
  openTreeMemory,
  otherNames,
  readMemories,
} from "../knowledge/index.js";
import {
  type MemoryOptions,
  type MemoryRefreshed,
  type MemoryStore,
  createEmbedder,
  createMemoryStore,
  openMemoryDatabase,
  removeMemoryDatabase,
} from "../memory/index.js";
import { type Clock, type Language, createUlids } from "../shared/index.js";
import { readContextFiles } from "./context-files.js";
import { type FindDeps, makeData, requirePlaces } from "./local.js";
import type { SourcesOf } from "./service-sources.js";
import type { Output } from "./output.js";

/** What of a repository's settings its knowledge is read by. */
export interface LocalSettings {
  memory: MemoryOptions;
  knowledge: { roots: readonly string[]; repository: string };
  language: "auto" | Language;
  services: SourcesOf["services"];
}

/** What the commands about memories need. */
export interface MemoryCommandDeps extends FindDeps {
  clock: Clock;
  output: Output;
  machine: { env: Readonly<Record<string, string | undefined>> };
  /** The settings of a repository, read from the files of its last commit. */
  settings(read: (path: string) => Promise<string | null>): Promise<LocalSettings>;
}

/** The memories of a checkout, read and cached, for one command. */
export interface OpenMemories {
  root: string;
  store: MemoryStore;
  read: ReadMemories;
  refreshed: MemoryRefreshed;
  /** The cache's file, and what compares its vectors. */
  cache: { file: string; embedder: string; width: number; vectors: "sqlite-vec" | "javascript" };
  clock: Clock;
  newId(): string;
  signal: AbortSignal;
}

const PROBLEMS_SHOWN = 5;

/** Reads the memories of the checkout around a folder and brings their cache up to date; `isAnew` begins it anew. */
export async function openMemories(
  deps: MemoryCommandDeps,
  repo: string,
  isAnew: boolean,
): Promise<{ memories: OpenMemories; close(): void }> {
  const { clock, signal, output, machine } = deps;
  const places = await requirePlaces(deps, resolve(repo));
  const { root } = places;
  const warn = (message: string) => output.err(`accrue: ${message}\n`);
  const { memory: options, knowledge } = await committedSettings(deps, root);
  const tree = await readContextFiles(root, knowledge.roots);
  const read = readMemories(tree);
  const groups = glossaryOf(tree);
  const expand = (text: string) => [...otherNames(groups, text).keys()];
  warnOf(read, warn);
  const embedder = await createEmbedder({ env: machine.env, fetch, warn }, options.embedder, signal);
  const file = join(await makeData(places), "memory.db");
  if (isAnew) removeMemoryDatabase(file);
  const database = await openMemoryDatabase(file, warn);
  const store = createMemoryStore({ database, embedder, now: () => clock.now(), warn, expand }, options);
  const vectors = database.hasVectorFunctions ? "sqlite-vec" : "javascript";
  const cache = { file, embedder: embedder.id, width: embedder.width, vectors } as const;
  try {
    const refreshed = await store.refresh(read, signal);
    const newId = createUlids(clock);
    return {
      memories: { root, store, read, refreshed, cache, clock, newId, signal },
      close: () => database.close(),
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Opens what compares a memory with those of a checkout's files, also with files that are not written yet. */
export async function openComparison(
  deps: MemoryCommandDeps,
  repo: string,
  follow?: Follow,
): Promise<TreeMemory> {
  const { clock, signal, output, machine } = deps;
  const places = await requirePlaces(deps, resolve(repo));
  const warn = (message: string) => output.err(`accrue: ${message}\n`);
  const { memory: options } = await committedSettings(deps, places.root);
  const place = { file: join(await makeData(places), "memory.db"), options };
  const needs = { env: machine.env, fetch, now: () => clock.now(), warn, ...(follow && { follow }) };
  return openTreeMemory(needs, place, signal);
}

/** The settings of a checkout: they count once they are committed. */
export async function committedSettings(
  { git, signal, settings }: Pick<MemoryCommandDeps, "git" | "signal" | "settings">,
  root: string,
): Promise<LocalSettings> {
  return settings(async (path) => {
    const blob = await git.attempt(["cat-file", "blob", `HEAD:${path}`], { folder: root, signal });
    return blob.exitCode === 0 ? blob.stdout : null;
  });
}

/** Lines of events that cannot be read lose something; what is wrong in notes is for `rules check`. */
function warnOf({ problems }: ReadMemories, warn: (message: string) => void): void {
  const lost = problems.filter(({ code }) => code === "event-line");
  for (const { file, line, message } of lost.slice(0, PROBLEMS_SHOWN)) warn(`${file}:${line}: ${message}`);
  if (lost.length > PROBLEMS_SHOWN) warn(`${lost.length - PROBLEMS_SHOWN} more such lines.`);
}
