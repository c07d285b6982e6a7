import type { BlobStatistics, ChunkStatistics, TermIndex, WordCounts } from "./statistics.js";

/** Numbers of a chunk, one array after the other: from, to, tokens, definition + 1, terms. */
const CHUNK_FIELDS = 5;
/** Numbers that say how long what follows is: terms of the whole, its two sums, chunks, then terms and entries of three indexes. */
const HEADS = 10;

/** Writes statistics as bytes: all numbers of four bytes first, then those of two, then those of one. */
export function packStatistics({ words, totals, parts }: BlobStatistics): Buffer {
  const { chunks, lengths, text, names, frames } = parts();
  const indexes = [text, names, frames];
  const sizes = indexes.flatMap(({ terms, counts }) => [terms.length, counts.length]);
  const rows = chunks.flatMap(({ from, to, tokens, symbol }, index) => [
    from,
    to,
    tokens,
    symbol + 1,
    lengths[index] ?? 0,
  ]);
  const arrays = [
    Uint32Array.from([words.terms.length, totals.text, totals.names, chunks.length, ...sizes]),
    words.terms,
    Uint32Array.from(rows),
    ...indexes.flatMap(({ terms, starts }) => [terms, starts]),
    words.text,
    words.names,
    ...indexes.map((index) => index.chunks),
    ...indexes.map(({ counts }) => counts),
  ];
  return Buffer.concat(arrays.map((part) => Buffer.from(part.buffer, part.byteOffset, part.byteLength)));
}

/** Reads what {@link packStatistics} wrote; its chunks only once they are asked for. */
export function unpackStatistics(packed: Buffer): BlobStatistics {
  // A copy of its own: the numbers have to begin at a multiple of their size.
  const { buffer } = new Uint8Array(packed);
  const heads = new Uint32Array(buffer, 0, HEADS);
  const [count = 0, text = 0, names = 0, chunks = 0] = heads;
  const fours = HEADS + count + chunks * CHUNK_FIELDS + (heads[4] ?? 0) + (heads[6] ?? 0) + (heads[8] ?? 0);
  // Three for the last start of each index, which has one start more than terms.
  const start = 4 * (fours + (heads[4] ?? 0) + (heads[6] ?? 0) + (heads[8] ?? 0) + 3);
  const words: WordCounts = {
    terms: new Uint32Array(buffer, 4 * HEADS, count),
    text: new Uint16Array(buffer, start, count),
    names: new Uint16Array(buffer, start + 2 * count, count),
  };
  let parts: ChunkStatistics | undefined;
  return {
    words,
    totals: { text, names, chunks },
    parts: () => (parts ??= unpackChunks(buffer, heads, start + 4 * count)),
  };
}

function unpackChunks(buffer: ArrayBuffer, heads: Uint32Array, start: number): ChunkStatistics {
  const [count = 0, , , chunks = 0] = heads;
  let offset = 4 * (HEADS + count);
  const fours = (length: number) => {
    offset += 4 * length;
    return new Uint32Array(buffer, offset - 4 * length, length);
  };
  const rows = fours(chunks * CHUNK_FIELDS);
  const at = (index: number) => rows[index] ?? 0;
  const sizes = [4, 6, 8].map((head) => ({ terms: heads[head] ?? 0, entries: heads[head + 1] ?? 0 }));
  const entries = sizes.reduce((sum, size) => sum + size.entries, 0);
  let before = 0;
  const index = (place: number): TermIndex => {
    const { terms = 0, entries: own = 0 } = sizes[place] ?? {};
    const from = before;
    before += own;
    return {
      terms: fours(terms),
      starts: fours(terms + 1),
      chunks: new Uint16Array(buffer, start + 2 * from, own),
      counts: new Uint8Array(buffer, start + 2 * entries + from, own),
    };
  };
  return {
    chunks: Array.from({ length: chunks }, (_, place) => {
      const row = place * CHUNK_FIELDS;
      return { from: at(row), to: at(row + 1), tokens: at(row + 2), symbol: at(row + 3) - 1 };
    }),
    lengths: Uint32Array.from({ length: chunks }, (_, place) => at(place * CHUNK_FIELDS + 4)),
    text: index(0),
    names: index(1),
    frames: index(2),
  };
}
