/** One file for a worker to read. */
export interface ExtractJob {
  path: string;
  bytes: Uint8Array;
}

/** What was found in one content, as it is stored. */
export interface Extracted {
  /** The language that the text was read as. */
  language: string;
  partial: string | null;
  /** Encoded facts; empty when nothing could be had. */
  encoded: string;
  symbols: number;
  references: number;
  /** Each name once. */
  defined: string[];
  used: string[];
}

/** What a worker says: `loading` before a grammar is loaded, which takes longer than any file; then one answer for each job, in order. */
export type WorkerMessage =
  | { kind: "loading" }
  | { kind: "extracted"; extracted: Extracted }
  /** The grammar of the file is not there; other files can be read. */
  | { kind: "unreadable"; reason: string }
  /**
   * The worker must not be used any more: after a trap a grammar fails on innocent files too. `isPassing` when time or memory
   * was to blame, so that another day may give more.
   */
  | { kind: "broken"; reason: string; isPassing: boolean };
