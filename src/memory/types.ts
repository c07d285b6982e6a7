/** Kinds of memory, from what stays true to what happened once. */
export const MEMORY_TYPES = ["fact", "decision", "pattern", "event"] as const;

/** One of {@link MEMORY_TYPES}. */
export type MemoryType = (typeof MEMORY_TYPES)[number];

/** Who or what made it: a completed task, a fixed bug, a code pattern, a person, or a document that it is a section of. */
export type MemorySource = "task" | "bug" | "pattern" | "user" | "document";

/** One memory as its file says it. The file is the truth: what the store keeps can be read again from files. */
export interface Memory {
  id: string;
  type: MemoryType;
  title: string;
  /** What is searched, compared and shown. */
  text: string;
  /** Its file; of a section of a document with the heading: `context/tech/queues.md#Retries`. */
  path: string;
  /** ISO 8601 date, or empty. */
  created: string;
  source: MemorySource;
  tags: readonly string[];
  files: readonly string[];
  /** `path#symbol`, or a bare name. */
  symbols: readonly string[];
  /** Where the code has these files and symbols now, paths and `path#symbol`; its file says nothing of it. */
  linked?: readonly string[];
  isPinned: boolean;
  /** From a trusted deposit that is not folded yet. */
  isPending: boolean;
  /** Retired, or put aside by a person: never recalled unless asked for by its id. */
  isRetired: boolean;
  supersedes: readonly string[];
  conflictsWith: readonly string[];
}

/** How a run really used a memory. Being shown is no use. */
export type UseKind = "cited" | "changed";

/** One line of `context/events/<yyyy-mm>/<run>.jsonl`. A run counts once for a memory, however often it says so. */
export type MemoryEvent = { v: 1; memory: string; run: string; at: string } & (
  | { kind: UseKind }
  /** The same was said again: `text` is the new wording, so that nothing is lost and it can be undone. */
  | { kind: "seen"; text: string }
);

/** All that a store is a cache of. */
export interface MemoryFiles {
  memories: readonly Memory[];
  events: readonly MemoryEvent[];
}

/** How alive a memory is. Cold: out of normal recall, found on request, by its exact symbol, or when a linked file changes. */
export type MemoryState = "active" | "cold" | "superseded" | "retired";

/** What recall is asked. */
export interface RecallQuery {
  text: string;
  /** Default 5. */
  limit?: number;
  /** A wish, not a filter: memories of these types get a small bonus. */
  types?: readonly MemoryType[];
  /** Only memories of files under this path, or of no file. */
  under?: string;
  /** Files and symbols at hand: what names them gets a bonus, and is found although it is cold. */
  files?: readonly string[];
  symbols?: readonly string[];
  /** Also those that went cold. */
  cold?: boolean;
  /** The least score that counts; default 0. */
  floor?: number;
  /** Only what surely has to do with the text: for who shows it unasked. Whoever asks sees the best there is. */
  sure?: boolean;
}

/** A memory that was found, with what spoke for it. */
export interface Recalled {
  memory: Memory;
  score: number;
  /** In words: "covers 0.62 (refund, stripe), close 0.41, symbol `refundOrder`". */
  why: string;
  /** From 1 on it surely has to do with the question. */
  sureness: number;
  state: MemoryState;
  /** From 0.05 to 3; 1 when new. */
  weight: number;
  /** Ids that contradict it: both are shown. */
  conflictsWith: readonly string[];
}

/** What becomes of a new memory. Refusal is decided last, only for what would be created. */
export type Judgement =
  | { action: "created"; target: null; similarity: number; reason: string; related: readonly string[] }
  | { action: "touched" | "conflict"; target: string; similarity: number; reason: string }
  | { action: "refused"; target: null; similarity: number; reason: string };

/** Turns texts into vectors of one width and length 1. */
export interface Embedder {
  /** Names model, version and width: vectors of different ids are never compared. */
  readonly id: string;
  readonly width: number;
  /** Contract: as many vectors as texts, in their order; a text that says nothing to it gives a vector of zeros. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]>;
  /** The vector of one word, of length 1, where words have any: coverage counts near words by it. Null for an unknown word. */
  word?(term: string): Float32Array | null;
  /** How telling a word is in any text, from 0 to 1, where that is known. */
  telling?(term: string): number | null;
  /** Similarities from which two texts may say the same, and from which they are related. */
  readonly thresholds: { same: number; related: number };
}

/** What a refresh did. */
export interface MemoryRefreshed {
  memories: number;
  /** New or with another text, use or state. */
  changed: number;
  embedded: number;
  /** So many have no vector yet, since the embedder did not answer. */
  missing: number;
  removed: number;
  ms: number;
}

/** Finds the memories that fit. Its database is a cache: deleted and refreshed, it answers the same. */
export interface MemoryStore {
  /** Brings the cache to the files; what did not change is neither read again nor embedded again. */
  refresh(files: MemoryFiles, signal: AbortSignal): Promise<MemoryRefreshed>;
  /** Takes in memories whose files were just written, before the next refresh sees them. */
  add(memories: readonly Memory[], signal: AbortSignal): Promise<MemoryRefreshed>;
  recall(query: RecallQuery, signal: AbortSignal): Promise<Recalled[]>;
  /** Decides about a new memory: exact hash, contradiction, similarity, then whether it names anything. */
  judge(memory: Memory, signal: AbortSignal): Promise<Judgement>;
  get(id: string): Recalled | null;
  list(filter?: { type?: MemoryType; state?: MemoryState }): Recalled[];
  /** Pinned facts and patterns, whole, at most so many tokens; most used first. */
  pinned(maxTokens: number): Recalled[];
  /** Memories that name a definition, by its key or by its name, cold ones too. */
  ofSymbol(key: string): Recalled[];
}
