import type { Life } from "../decay.js";
import type { Memory, MemoryType } from "../types.js";

/** A memory as the cache holds it. */
export interface MemoryRow {
  rid: number;
  status: "active" | "superseded" | "retired";
  said: string;
  terms: string;
  weight: number;
  since: number | null;
  period: number;
  cold_from: number | null;
}

/** A row read back. */
export interface Stored {
  rid: number;
  status: MemoryRow["status"];
  memory: Memory;
  terms: ReadonlySet<string>;
  life: Life;
}

/** All that is written about a memory, computed before anything is written. */
export interface Prepared {
  memory: Memory;
  foldedId: string;
  type: MemoryType;
  status: MemoryRow["status"];
  /** The memory as it is written. */
  said: string;
  /** What the row was made of: an equal one is left alone. */
  fingerprint: string;
  normalHash: string;
  /** What is embedded, and its hash. */
  embedded: string;
  textHash: string;
  terms: readonly string[];
  life: Life;
}

/** The columns that reading a memory takes. */
export const ROW_COLUMNS = "m.rid, m.status, x.said, x.terms, m.weight, m.since, m.period, m.cold_from";

/** Where they stand. */
export const ROW_TABLES = "memories m join memory_texts x on x.rid = m.rid";

/** Reads a row. */
export function storedOf(row: MemoryRow): Stored {
  return {
    rid: row.rid,
    status: row.status,
    // Written by this store from a `Memory`, and by nobody else.
    memory: JSON.parse(row.said) as Memory,
    terms: new Set(row.terms.split(" ")),
    life: { weight: row.weight, since: row.since, periodMs: row.period, coldFrom: row.cold_from },
  };
}

/** A vector as it lies in the database. */
export function vectorOf(blob: Buffer): Float32Array {
  // Copied, since a Float32Array wants its start at a multiple of four.
  return new Float32Array(new Uint8Array(blob).buffer);
}
