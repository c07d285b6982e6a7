import {
  type Judgement,
  type Memory,
  type MemoryOptions,
  type Recalled,
  type RecallQuery,
  createEmbedder,
  createMemoryStore,
  foldedId,
  openMemoryDatabase,
} from "../memory/index.js";
import { isAccrueError, messageOf } from "../shared/index.js";
import { glossaryOf, otherNames } from "./glossary.js";
import { type Follow, linkMemories } from "./link-memories.js";
import { type ReadMemories, readMemories } from "./memories.js";
import { oncePerTree } from "./once-per-tree.js";
import type { Tree } from "./types.js";

/** What opening the memory of a repository needs. */
export interface TreeMemoryDeps {
  env: Readonly<Record<string, string | undefined>>;
  fetch: typeof fetch;
  now(): number;
  /** Told what is missing without being an error. */
  warn(message: string): void;
  /** Where the code has now what memories name; without it they are found by what they say. */
  follow?: Follow;
}

/** The memory of one repository as the branch of a run sees it, until it is closed. */
export interface TreeMemory {
  /** Finds what fits among the memories of a tree, and nothing of another branch that shares the cache. */
  recall(tree: Tree, query: RecallQuery, signal: AbortSignal): Promise<Recalled[]>;
  /** Memories that name a definition, the surest first, cold ones too. */
  ofSymbol(tree: Tree, key: string, signal: AbortSignal): Promise<Recalled[]>;
  /** Where the code has now what was written down; null where nobody can be asked. */
  readonly follow: Follow | null;
  /** All memories of a tree, linked to the code. */
  memories(tree: Tree): Promise<readonly Memory[]>;
  /** Says what becomes of a new memory beside those of a tree. */
  judge(tree: Tree, memory: Memory, signal: AbortSignal): Promise<Judgement>;
  close(): void;
}

/**
 * Opens the cache of a repository's memories. The tree of each question is the truth, so that runs on several branches share
 * one cache. An embedding server that does not answer is replaced by the table that ships, and `warn` is told so.
 */
export async function openTreeMemory(
  deps: TreeMemoryDeps,
  place: { file: string; options: MemoryOptions },
  signal: AbortSignal,
): Promise<TreeMemory> {
  const embedder = await embedderOf(deps, place.options, signal);
  const database = await openMemoryDatabase(place.file, deps.warn);
  let current: Tree = new Map();
  const { follow } = deps;
  const read = oncePerTree(async (tree) => {
    const plain = readMemories(tree);
    return follow ? linkMemories(plain, follow) : plain;
  });
  const store = createMemoryStore(
    {
      database,
      embedder,
      now: deps.now,
      warn: deps.warn,
      expand: (text) => [...otherNames(glossaryOf(current), text).keys()],
    },
    place.options,
  );
  const bringTo = async (tree: Tree, stop: AbortSignal): Promise<ReadMemories> => {
    const files = await read(tree);
    current = tree;
    await store.refresh(files, stop);
    return files;
  };
  const ownOf = async (tree: Tree, stop: AbortSignal) => {
    const { memories } = await bringTo(tree, stop);
    const own = new Set(memories.map(({ id }) => foldedId(id)));
    return ({ memory }: Recalled) => own.has(foldedId(memory.id));
  };
  return {
    recall: async (tree, query, stop) => {
      const isOwn = await ownOf(tree, stop);
      return (await store.recall(query, stop)).filter(isOwn);
    },
    ofSymbol: async (tree, key, stop) => {
      const isOwn = await ownOf(tree, stop);
      return store.ofSymbol(key).filter(isOwn);
    },
    follow: follow ?? null,
    memories: async (tree) => (await read(tree)).memories,
    judge: async (tree, memory, stop) => {
      await bringTo(tree, stop);
      return store.judge(memory, stop);
    },
    close: () => database.close(),
  };
}

async function embedderOf(deps: TreeMemoryDeps, { embedder }: MemoryOptions, signal: AbortSignal) {
  try {
    return await createEmbedder(deps, embedder, signal);
  } catch (error) {
    if (!isAccrueError(error) || error.code === "RUN_STOPPED") throw error;
    deps.warn(`Memories are compared by the table that ships: ${messageOf(error)}`);
    return createEmbedder(deps, "static", signal);
  }
}
