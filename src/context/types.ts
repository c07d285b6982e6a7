/** A term of code that words of another language stand for, and how much it counts beside a term of the task (0 to 1). */
export interface BridgeTerm {
  term: string;
  weight: number;
}

/** Gives the terms of code that the words of a text in another language stand for. */
export type ContextBridge = (text: string) => readonly BridgeTerm[];

/** Text that others chose for the task: a rule, a risk, a memory. The caller orders it, most relevant first. */
export interface KnowledgeItem {
  path: string;
  text: string;
  score: number;
  why: string;
}

/** A use of what will change: the signature of the definition that holds it. */
export interface CallerItem {
  path: string;
  symbol: string | null;
  line: number;
  signature: string;
}

/** The parts of a pack, in the order in which they are packed and shown. */
export const TIERS = ["named", "rules", "requirement", "code", "outline", "callers", "memory"] as const;

/** One of {@link TIERS}. `code` and `named` are text of the repository, `outline` only says which symbols a file has. */
export type Tier = (typeof TIERS)[number];

/** One thing in a pack, and why it is there. */
export interface PackItem {
  path: string;
  /** Key of the definition whose lines these are; null when it is no single one. */
  symbol: string | null;
  /** From 1, inclusive; null where the item is no part of a file's text. */
  lines: [number, number] | null;
  tier: Tier;
  score: number;
  why: string;
  /** What the model reads. */
  text: string;
  tokens: number;
  /** Why only a part of the file is known; left out when all of it is. */
  partial?: string;
}

/** What a model gets to read for a task: never more than was asked for, and the same bytes for the same inputs. */
export interface Pack {
  tokens: number;
  /** SHA-256 over items and warnings: two packs with one hash say the same. */
  hash: string;
  items: PackItem[];
  /** What was named and is not there, or not as a whole, with what to do. */
  warnings: string[];
}

/** What is packed besides what ranking finds, and how much of it. */
export interface PackRequest {
  /** Default 8,000. */
  maxTokens?: number;
  /** Most of one file's text; default 2,000. */
  maxFileTokens?: number;
  /** Paths and symbol keys that come before anything that ranking finds. */
  files?: readonly string[];
  symbols?: readonly string[];
  rules?: readonly KnowledgeItem[];
  memories?: readonly KnowledgeItem[];
  /** Most of rules and memories together; without it each has its own share of the pack. */
  maxKnowledgeTokens?: number;
  /** The requirement and its design; also a part of what the ranking looks for, with less weight than the task. */
  requirement?: string;
}

/** A part of a file that an agent read. */
export interface AskedPart {
  path: string;
  lines?: readonly [number, number];
}

/** How much of what an agent read was in its pack. */
export interface PackJudgement {
  asked: number;
  inPack: number;
}

/** Chooses what a model reads for a task. */
export interface Context {
  /** Contract: the index was refreshed; the same tree, history and request give the same bytes. */
  pack(task: string, request?: PackRequest): Promise<Pack>;
}
