import type { SymbolFact } from "../codemap/index.js";
import { type Chunk, cutChunks } from "./chunks.js";
import type { Terms } from "./words.js";

/** Which chunks hold which terms how often. Terms are sorted; those of `terms[i]` are the entries `starts[i]` to `starts[i + 1]`. */
export interface TermIndex {
  terms: Uint32Array;
  starts: Uint32Array;
  chunks: Uint16Array;
  counts: Uint8Array;
}

/** How often the whole of a blob holds its terms, which are sorted. */
export interface WordCounts {
  terms: Uint32Array;
  text: Uint16Array;
  names: Uint16Array;
}

/** The chunks of a blob and their terms. */
export interface ChunkStatistics {
  chunks: Chunk[];
  /** Number of terms of each chunk's text. */
  lengths: Uint32Array;
  text: TermIndex;
  /** Names of the definitions that begin in a chunk. */
  names: TermIndex;
  /** Names of the definitions around a chunk. */
  frames: TermIndex;
}

/** What ranking knows of one blob. */
export interface BlobStatistics {
  words: WordCounts;
  /** Number of all terms of its text and of its names, and of its chunks. */
  totals: { text: number; names: number; chunks: number };
  /** Asked for only where the whole fits. */
  parts(): ChunkStatistics;
}

/** A file with more chunks than this is known by its first ones; it is data rather than code. */
const MOST_CHUNKS = 20_000;

/** Counts the terms of a file, chunk by chunk. */
export function readStatistics(text: string, symbols: readonly SymbolFact[], terms: Terms): BlobStatistics {
  const parts = readChunks(text, symbols, terms);
  return { words: wordsOf(parts), totals: totalsOf(parts), parts: () => parts };
}

function readChunks(text: string, symbols: readonly SymbolFact[], terms: Terms): ChunkStatistics {
  const lines = text.split("\n");
  const chunks = cutChunks(lines, symbols).slice(0, MOST_CHUNKS);
  const lengths = new Uint32Array(chunks.length);
  const texts = chunks.map(({ from, to }, index) => {
    const counts = new Map<number, number>();
    terms.count(lines.slice(from - 1, to).join("\n"), counts);
    for (const count of counts.values()) lengths[index] = (lengths[index] ?? 0) + count;
    return counts;
  });
  const names = chunks.map(() => new Map<number, number>());
  const frames = chunks.map(() => new Map<number, number>());
  for (const symbol of symbols) {
    const first = chunkAt(chunks, symbol.from);
    countName(names[first], symbol.name, terms);
    const last = chunkAt(chunks, symbol.to);
    for (let index = first + 1; index <= last; index++) countName(frames[index], symbol.name, terms);
  }
  return { chunks, lengths, text: indexTerms(texts), names: indexTerms(names), frames: indexTerms(frames) };
}

function totalsOf({ chunks, lengths, names }: ChunkStatistics): BlobStatistics["totals"] {
  const sum = (values: Uint32Array | Uint8Array) => {
    let total = 0;
    for (const value of values) total += value;
    return total;
  };
  return { text: sum(lengths), names: sum(names.counts), chunks: chunks.length };
}

/** A name's words are in the text too, all but those of a name that the text does not spell out. */
function wordsOf({ text, names }: ChunkStatistics): WordCounts {
  const terms = Uint32Array.from(new Set([...text.terms, ...names.terms])).sort();
  const counts = (index: TermIndex) =>
    Uint16Array.from(terms, (term) => {
      const [from, to] = entriesOf(index, term);
      let count = 0;
      for (let entry = from; entry < to; entry++) count += index.counts[entry] ?? 0;
      return Math.min(count, 0xffff);
    });
  return { terms, text: counts(text), names: counts(names) };
}

function countName(counts: Map<number, number> | undefined, name: string, terms: Terms): void {
  for (const term of terms.ofName(name)) counts?.set(term, (counts.get(term) ?? 0) + 1);
}

/** Index of the chunk that holds a line. */
export function chunkAt(chunks: readonly Chunk[], line: number): number {
  let low = 0;
  let high = chunks.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((chunks[middle]?.to ?? 0) < line) low = middle + 1;
    else high = middle;
  }
  return low;
}

function indexTerms(perChunk: readonly ReadonlyMap<number, number>[]): TermIndex {
  const entries: [number, number, number][] = [];
  for (const [chunk, counts] of perChunk.entries()) {
    for (const [term, count] of counts) entries.push([term, chunk, Math.min(count, 255)]);
  }
  entries.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const terms: number[] = [];
  const starts: number[] = [];
  for (const [index, [term]] of entries.entries()) {
    if (term === terms.at(-1)) continue;
    terms.push(term);
    starts.push(index);
  }
  return {
    terms: Uint32Array.from(terms),
    starts: Uint32Array.from([...starts, entries.length]),
    chunks: Uint16Array.from(entries, (entry) => entry[1]),
    counts: Uint8Array.from(entries, (entry) => entry[2]),
  };
}

/** Where a term's entries lie: from inclusive to exclusive; the same number twice when the term is not there. */
export function entriesOf(index: TermIndex, term: number): [number, number] {
  const place = placeOf(index.terms, term);
  return place < 0 ? [0, 0] : [index.starts[place] ?? 0, index.starts[place + 1] ?? 0];
}

/** Where a term is among sorted ones; -1 when it is not. */
export function placeOf(terms: Uint32Array, term: number): number {
  let low = 0;
  let high = terms.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = terms[middle] ?? 0;
    if (found === term) return middle;
    if (found < term) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
