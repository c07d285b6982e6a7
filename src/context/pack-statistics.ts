import { type BlobStatistics, type TermIndex, totalsOf } from "./statistics.js";

/** Numbers of a chunk, one array after the other: from, to, tokens, definition + 1, terms. */
const CHUNK_FIELDS = 5;

/** Writes statistics as bytes: all numbers of four bytes first, then those of two, then those of one. */
export function packStatistics({ chunks, lengths, text, names, frames }: BlobStatistics): Buffer {
  const indexes = [text, names, frames];
  const heads = [chunks.length, ...indexes.flatMap(({ terms, counts }) => [terms.length, counts.length])];
  const rows = chunks.flatMap(({ from, to, tokens, symbol }, index) => [
    from,
    to,
    tokens,
    symbol + 1,
    lengths[index] ?? 0,
  ]);
  const parts = [
    Uint32Array.from([...heads, ...rows]),
    ...indexes.flatMap(({ terms, starts }) => [terms, starts]),
    ...indexes.map((index) => index.chunks),
    ...indexes.map(({ counts }) => counts),
  ];
  return Buffer.concat(parts.map((part) => Buffer.from(part.buffer, part.byteOffset, part.byteLength)));
}

/** Reads what {@link packStatistics} wrote. */
export function unpackStatistics(packed: Buffer): BlobStatistics {
  // A copy of its own: the numbers have to begin at a multiple of their size.
  const { buffer } = new Uint8Array(packed);
  let offset = 0;
  const words = (count: number) => {
    offset += 4 * count;
    return new Uint32Array(buffer, offset - 4 * count, count);
  };
  const [count = 0, ...sizes] = words(7);
  const rows = words(count * CHUNK_FIELDS);
  const at = (index: number) => rows[index] ?? 0;
  const parts = [0, 1, 2].map((index) => ({
    terms: sizes[2 * index] ?? 0,
    entries: sizes[2 * index + 1] ?? 0,
  }));
  const heads = parts.map(({ terms }) => ({ terms: words(terms), starts: words(terms + 1) }));
  const chunks = parts.map(({ entries }) => {
    offset += 2 * entries;
    return new Uint16Array(buffer, offset - 2 * entries, entries);
  });
  const counts = parts.map(({ entries }) => {
    offset += entries;
    return new Uint8Array(buffer, offset - entries, entries);
  });
  const empty: TermIndex = {
    terms: new Uint32Array(),
    starts: new Uint32Array(1),
    chunks: new Uint16Array(),
    counts: new Uint8Array(),
  };
  const [text = empty, names = empty, frames = empty] = heads.map((head, index) => ({
    ...head,
    chunks: chunks[index] ?? empty.chunks,
    counts: counts[index] ?? empty.counts,
  }));
  const lengths = Uint32Array.from({ length: count }, (_, index) => at(index * CHUNK_FIELDS + 4));
  return {
    chunks: Array.from({ length: count }, (_, index) => {
      const row = index * CHUNK_FIELDS;
      return { from: at(row), to: at(row + 1), tokens: at(row + 2), symbol: at(row + 3) - 1 };
    }),
    lengths,
    totals: totalsOf(lengths, names),
    text,
    names,
    frames,
  };
}
