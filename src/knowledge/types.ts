import type { Language } from "../shared/index.js";

/**
 * Files of a commit or work tree: path → text. The fold is a computation on it: tree in, tree out. What is read of `context/`
 * and `requirements/` is ours; Markdown of other folders is what people keep under other roots, and is never written.
 */
export type Tree = ReadonlyMap<string, string>;

export type RuleKind = "context" | "risk" | "service" | "pattern";
export type RuleLevel = "info" | "warn" | "high" | "block";

/** A problem in a rule file, note or deposit, at its line (counted from 1). */
export interface Problem {
  file: string;
  line: number;
  code: string;
  message: string;
}

/** A rule block of design §5.2. Lists are as written, without backticks. */
export interface Rule {
  id: string;
  title: string;
  kind: RuleKind;
  level: RuleLevel;
  status: "draft" | "active" | "retired";
  match: "any" | "all";
  keywords: string[];
  paths: string[];
  labels: string[];
  symbols: string[];
  services: string[];
  phases: string[];
  load: string[];
  alert: string;
  suggest: string[];
  check: string;
  source: string;
  prose: string;
  file: string;
  line: number;
}

/** An experience note of design §5.1. */
export interface Note {
  id: string;
  title: string;
  type: "fact" | "decision" | "pattern" | "event";
  status: string;
  trust: "untrusted" | "bot" | "reviewed";
  problem: string;
  triggers: {
    keywords: string[];
    paths: string[];
    symbols: string[];
    labels: string[];
    phases: string[];
    text: string[];
  };
  solution: string;
  verification: string;
  related: string[];
  file: string;
  /** The whole file; empty for a note that was never written. */
  raw: string;
}

/** What was remembered and not folded yet: one file of `context/deposits/`. */
export interface Deposit {
  /** ULID, also the file's name. */
  id: string;
  run: string;
  /** Login of the person. */
  by: string;
  /** Address of the comment. */
  source: string;
  /** ISO 8601 time at which it was said. */
  at: string;
  note: Note;
  rules: Rule[];
  /** The document that gets a section of this, such as `context/tech/stack.md`; without it the note becomes a file. */
  into?: string;
  /** Names that mean the same, proposed to people for the glossary. */
  aliases?: string[][];
  /** What a run learnt it from; without it a person said it. */
  origin?: "task" | "bug" | "pattern";
}

/** A person's words that are to be remembered, with where they were said. */
export interface DepositInput {
  text: string;
  /** Login of the person. */
  by: string;
  /** Address of the comment. */
  source: string;
  run: string;
  /** ISO 8601 time of the comment. */
  at: string;
  language: Language;
  /** The file that a review comment stands at, or null. */
  path: string | null;
  symbols: string[];
  requirement: string | null;
  /** `untrusted` when whoever said it may not write here; default `bot`. */
  trust?: "untrusted" | "bot";
  /** `flow`: a way of working; `fix`: a failure and what put it right. Both become notes of experience, however they are worded. */
  about?: "flow" | "fix";
  /** A ULID. */
  newId(): string;
  /** A whole id, such as `EXP-7K3M2P9Q`. */
  newNoteId(): string;
  /** A whole id, such as `R-7K3M2P`. */
  newRuleId(): string;
}

/** What matching asks about. */
export interface Query {
  text: string;
  paths: string[];
  labels: string[];
  symbols: string[];
  phase: string | null;
}

/** What only higher layers can look up, passed in by whoever asks. */
export interface Lookups {
  /** The text of a file that is no knowledge, or null when it is not there. */
  fileText?(path: string): string | null;
  /** The text of a definition as it is now, or null when it is not there; undefined where nobody has looked. */
  symbolText?(path: string, symbol: string): string | null | undefined;
  /** Whether a note surely has to do with the text; asked where only single words of it hit, which no person has chosen. */
  isSure?(note: string): boolean;
  /** Beginnings of paths, besides `context/`, whose files are all in the tree: one that is not there does not exist. */
  roots?: readonly string[];
}

/** What every item of an answer says about itself. */
interface Item {
  id: string;
  why: string;
  verified: boolean | null;
  tokens: number;
  /** True when it comes from a deposit that was not folded yet. */
  pending: boolean;
}

/** The four-part answer of design §5.2; its keys are fixed. */
export interface Answer {
  context: { files: (Item & { path: string })[] };
  risk: { alerts: (Item & { level: RuleLevel; message: string })[] };
  service: { suggestions: (Item & { service: string })[] };
  pattern: { files: (Item & { path: string })[] };
}

/** What the fold is told besides the tree. */
export interface FoldInput {
  /** Requirements that are completed with this fold, for the commit message. */
  completed: { requirement: string }[];
  /** ISO 8601. */
  now: string;
  language: Language;
  /** Paths of deposits that a person has looked at: what was held back for that takes effect. */
  reviewed?: ReadonlySet<string>;
}

/** What the fold changes: path → new text, or null to delete. */
export interface FoldResult {
  writes: Map<string, string | null>;
  /** One line each, for the commit message. */
  summary: string[];
  review: WaitingDeposit[];
}

/** A deposit that a person has to look at before it may take effect. */
export interface WaitingDeposit {
  path: string;
  /** Null when its file does not say what it is. */
  deposit: Deposit | null;
  /** Where it would stand; empty when it does not say what it is. */
  target: string;
  /** In the language that the fold writes. */
  reasons: string[];
}
