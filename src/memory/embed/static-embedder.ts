import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { AccrueError } from "../../shared/index.js";
import type { Embedder } from "../types.js";
import { wordsOf } from "../words.js";
import { toUnit } from "./vectors.js";

const WORDS_KEPT = 20_000;
const SHIPPED = fileURLToPath(new URL("../../../data/embedder/", import.meta.url));

/** What `model.json` of a table says; the script that builds one writes it. */
const TableHead = z.strictObject({
  name: z.string(),
  version: z.int().positive(),
  width: z.int().positive(),
  words: z.int().positive(),
  thresholds: z.strictObject({ same: z.number(), related: z.number() }),
});

/** A table of word vectors in one byte a number, with one scale a word. */
interface Table {
  head: z.infer<typeof TableHead>;
  rows: ReadonlyMap<string, number>;
  vectors: Int8Array;
  scales: Float32Array;
  /** How often each word stands in the text at hand; all zeros between texts. */
  counts: Uint32Array;
}

function broken(folder: string, why: string, cause?: unknown): AccrueError {
  return new AccrueError(
    "EMBEDDER_FAILED",
    `The table of word vectors in ${folder} cannot be used: ${why}. Install Accrue again, or build it with tools/build-embedder.mjs.`,
    { cause },
  );
}

function readHead(folder: string): Table["head"] {
  try {
    return TableHead.parse(JSON.parse(readFileSync(join(folder, "model.json"), "utf8")));
  } catch (error) {
    throw broken(folder, "model.json is missing or wrong", error);
  }
}

function readTable(folder: string): Table {
  const head = readHead(folder);
  const words = readFileSync(join(folder, "words.txt"), "utf8").trimEnd().split("\n");
  const vectors = readFileSync(join(folder, "vectors.i8"));
  const scales = readFileSync(join(folder, "scales.f32"));
  if (words.length !== head.words)
    throw broken(folder, `${words.length} words where ${head.words} should be`);
  if (vectors.length !== head.words * head.width)
    throw broken(folder, `vectors.i8 has ${vectors.length} bytes`);
  if (scales.length !== head.words * 4) throw broken(folder, `scales.f32 has ${scales.length} bytes`);
  return {
    head,
    rows: new Map(words.map((word, row) => [word, row])),
    vectors: new Int8Array(vectors.buffer, vectors.byteOffset, vectors.length),
    // Copied, since a Float32Array wants its start at a multiple of four.
    scales: new Float32Array(new Uint8Array(scales).buffer),
    counts: new Uint32Array(head.words),
  };
}

function addWord(sum: Float32Array, table: Table, row: number, count: number): void {
  const width = table.head.width;
  const weight = (table.scales[row] ?? 0) * (1 + Math.log(count));
  const start = row * width;
  for (let at = 0; at < width; at++) sum[at] = (sum[at] ?? 0) + weight * (table.vectors[start + at] ?? 0);
}

function vectorOf(text: string, table: Table): Float32Array {
  const { counts } = table;
  const rows: number[] = [];
  for (const word of wordsOf(text)) {
    const row = table.rows.get(word);
    if (row === undefined) continue;
    const count = counts[row] ?? 0;
    if (count === 0) rows.push(row);
    counts[row] = count + 1;
  }
  const sum = new Float32Array(table.head.width);
  for (const row of rows) {
    addWord(sum, table, row, counts[row] ?? 0);
    counts[row] = 0;
  }
  return toUnit(sum);
}

/** Kept, since a question is held against the same words again and again. */
function createWordVectors(table: Table): (term: string) => Float32Array | null {
  const { width } = table.head;
  const kept = new Map<string, Float32Array>();
  return (term) => {
    const seen = kept.get(term);
    if (seen !== undefined) return seen;
    const row = table.rows.get(term);
    if (row === undefined) return null;
    if (kept.size >= WORDS_KEPT) kept.clear();
    const vector = toUnit(new Float32Array(table.vectors.subarray(row * width, (row + 1) * width)));
    kept.set(term, vector);
    return vector;
  };
}

/** The table gives common English words short vectors; how long those of Chinese words are says nothing. */
function tellingOf(term: string, table: Table): number | null {
  const row = /^[a-z]/.test(term) ? table.rows.get(term) : undefined;
  if (row === undefined) return null;
  const { width } = table.head;
  let sum = 0;
  for (let at = row * width; at < (row + 1) * width; at++) sum += (table.vectors[at] ?? 0) ** 2;
  return Math.min(1, (table.scales[row] ?? 0) * Math.sqrt(sum));
}

/** Makes vectors from a bilingual table of word vectors: no download, English and Chinese in one space. */
export function createStaticEmbedder(folder: string = SHIPPED): Embedder {
  const table = readTable(folder);
  return {
    id: `${table.head.name}@${table.head.version}/${table.head.width}`,
    width: table.head.width,
    thresholds: table.head.thresholds,
    word: createWordVectors(table),
    telling: (term) => tellingOf(term, table),
    embed: async (texts) => texts.map((text) => vectorOf(text, table)),
  };
}

/** True when the table of word vectors is there: else only the hash embedder works offline. */
export function hasStaticTable(folder: string = SHIPPED): boolean {
  return existsSync(join(folder, "model.json"));
}
