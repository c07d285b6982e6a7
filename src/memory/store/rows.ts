import type { TextTerms } from "../coverage.js";
import type { Life } from "../decay.js";
import type { Memory, MemoryType } from "../types.js";

/** A memory as the cache holds it. */
export interface MemoryRow {
  rid: number;
  folded_id: string;
  status: "active" | "superseded" | "retired";
  said: string;
  terms: string;
  weight: number;
  since: number | null;
  period: number;
  cold_from: number | null;
}

/** A row read back. Of many that are looked at few are shown, so the memory itself is read when it is asked for. */
export interface Stored {
  readonly rid: number;
  readonly foldedId: string;
  readonly status: MemoryRow["status"];
  readonly memory: Memory;
  readonly terms: TextTerms;
  readonly life: Life;
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
export const ROW_COLUMNS =
  "m.rid, m.folded_id, m.status, x.said, x.terms, m.weight, m.since, m.period, m.cold_from";

/** Where they stand. */
export const ROW_TABLES = "memories m join memory_texts x on x.rid = m.rid";

/** Reads a row. */
export function storedOf(row: MemoryRow): Stored {
  let memory: Memory | null = null;
  return {
    rid: row.rid,
    foldedId: row.folded_id,
    status: row.status,
    get memory() {
      // Written by this store from a `Memory`, and by nobody else.
      return (memory ??= JSON.parse(row.said) as Memory);
    },
    terms: termsIn(row.terms),
    life: { weight: row.weight, since: row.since, periodMs: row.period, coldFrom: row.cold_from },
  };
}

/** Terms as they are written, with a blank between them: to look for a few of them needs no set of all. */
function termsIn(joined: string): TextTerms {
  const between = ` ${joined} `;
  return {
    has: (term) => between.includes(` ${term} `),
    [Symbol.iterator]: () => joined.split(" ").values(),
  };
}

/** A vector as it lies in the database. */
export function vectorOf({ buffer, byteOffset, byteLength }: Buffer): Float32Array {
  const width = Float32Array.BYTES_PER_ELEMENT;
  // Copied only where it does not start at a multiple of four, as a Float32Array has to.
  return byteOffset % width === 0
    ? new Float32Array(buffer, byteOffset, byteLength / width)
    : new Float32Array(buffer.slice(byteOffset, byteOffset + byteLength));
}
