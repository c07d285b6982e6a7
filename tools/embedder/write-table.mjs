// Writes the table as the embedder reads it: one byte a number, one scale a word.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const ENGLISH_KEPT = 40_000;
/** A Chinese word of one text is likelier a chance than a word. */
const LEAST_TEXTS = 2;

/** English words that our texts use, then the most frequent ones; Chinese ones seen often enough. */
export function keptRows(english, chinese, counts) {
  const order = english.words.map((word, row) => ({ row, isOurs: (counts.get(word) ?? 0) >= 2 }));
  const kept = order
    .toSorted((a, b) => Number(b.isOurs) - Number(a.isOurs) || a.row - b.row)
    .slice(0, ENGLISH_KEPT);
  const pick = (table, row) => ({
    word: table.words[row],
    vector: table.rows.subarray(row * table.width, (row + 1) * table.width),
  });
  return [
    ...kept.sort((a, b) => a.row - b.row).map(({ row }) => pick(english, row)),
    ...chinese.words.flatMap((_, row) => (chinese.texts[row] >= LEAST_TEXTS ? [pick(chinese, row)] : [])),
  ];
}

/** Writes model.json, words.txt, vectors.i8 and scales.f32. */
export function writeTable(folder, head, rows) {
  const width = rows[0].vector.length;
  const vectors = new Int8Array(rows.length * width);
  const scales = Buffer.alloc(rows.length * 4);
  rows.forEach(({ vector }, row) => {
    let most = 0;
    for (const value of vector) most = Math.max(most, Math.abs(value));
    const scale = Math.fround(most / 127) || 1e-12;
    scales.writeFloatLE(scale, row * 4);
    for (let at = 0; at < width; at++) vectors[row * width + at] = Math.round(vector[at] / scale);
  });
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "model.json"),
    `${JSON.stringify({ ...head, width, words: rows.length }, null, 2)}\n`,
  );
  writeFileSync(join(folder, "words.txt"), `${rows.map(({ word }) => word).join("\n")}\n`);
  writeFileSync(join(folder, "vectors.i8"), vectors);
  writeFileSync(join(folder, "scales.f32"), scales);
  return { words: rows.length, width };
}
