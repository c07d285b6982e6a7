import type { Embedder } from "../types.js";
import { wordsOf } from "../words.js";
import { toUnit } from "./vectors.js";

const WIDTH = 384;

/** FNV-1a with a final mix, so that neighbouring strings land far apart. */
function hash(text: string, seed: number): number {
  let value = 2166136261 ^ seed;
  for (let index = 0; index < text.length; index++)
    value = Math.imul(value ^ text.charCodeAt(index), 16777619);
  value ^= value >>> 15;
  value = Math.imul(value, 2246822519);
  return (value ^ (value >>> 13)) >>> 0;
}

function features(text: string): Map<string, number> {
  const out = new Map<string, number>();
  const add = (feature: string, weight: number) => out.set(feature, (out.get(feature) ?? 0) + weight);
  for (const word of wordsOf(text)) {
    add(`w:${word}`, 1);
    if (word.length < 4) continue;
    const padded = `^${word}$`;
    const weight = 0.5 / Math.sqrt(padded.length);
    for (let size = 3; size <= 4; size++)
      for (let at = 0; at + size <= padded.length; at++) add(`g:${padded.slice(at, at + size)}`, weight);
  }
  return out;
}

function vectorOf(text: string): Float32Array {
  const vector = new Float32Array(WIDTH);
  for (const [feature, weight] of features(text)) {
    const slot = hash(feature, 7);
    const at = slot % WIDTH;
    vector[at] = (vector[at] ?? 0) + (hash(feature, 99) & 1 ? weight : -weight);
  }
  return toUnit(vector);
}

/** Makes vectors from the words and their pieces alone: for when the bilingual table is missing. It knows no meanings. */
export function createHashEmbedder(): Embedder {
  return {
    id: `hash@1/${WIDTH}`,
    width: WIDTH,
    thresholds: { same: 0.6, related: 0.45 },
    embed: async (texts) => texts.map(vectorOf),
  };
}
