import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const SHIPPED = fileURLToPath(new URL("../../../data/embedder/", import.meta.url));
const FILE = "bridge.txt";
const HAN = /\p{Script=Han}{2,}/gu;

/** An English word that a Chinese one stands for, and how much of it that is, from 0 to 1. */
export interface BridgedWord {
  term: string;
  weight: number;
}

/** Chinese words of two characters with the stems of the English ones that are nearest in the table of vectors, best first. */
type Bridge = ReadonlyMap<string, readonly BridgedWord[]>;

/** Makes what gives the English words of a Chinese text. The table is read when the first such text comes; without one there are none. */
export function createWordBridge(folder: string = SHIPPED): (text: string) => BridgedWord[] {
  let bridge: Bridge | null = null;
  return (text) => {
    const runs = text.match(HAN);
    if (runs === null) return [];
    bridge ??= readBridge(join(folder, FILE));
    const words = new Map<string, number>();
    for (const run of runs) {
      for (const pair of wordsIn(Array.from(run), bridge)) {
        for (const { term, weight } of bridge.get(pair) ?? []) {
          for (const form of formsOf(term)) words.set(form, Math.max(weight, words.get(form) ?? 0));
        }
      }
    }
    return [...words].map(([term, weight]) => ({ term, weight }));
  };
}

function readBridge(file: string): Bridge {
  if (!existsSync(file)) return new Map();
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  return new Map(
    lines.map((line) => {
      const [chinese = "", ...english] = line.split(" ");
      const words = english.map((word, rank) => {
        const [term = "", closeness = ""] = word.split(":");
        // The nearest one is meant most likely.
        return { term, weight: Number(closeness) / 100 / (rank + 1) };
      });
      return [chinese, words];
    }),
  );
}

/** Parts a run of characters into the words of the table that together are surest, and what stands between them. */
function wordsIn(characters: readonly string[], bridge: Bridge): string[] {
  const pairs = characters.slice(1).map((second, at) => `${characters[at]}${second}`);
  const surest = [0, 0];
  const isTaken = [false, false];
  for (const [at, pair] of pairs.entries()) {
    const taken = (surest[at] ?? 0) + (bridge.get(pair)?.[0]?.weight ?? 0);
    const left = surest[at + 1] ?? 0;
    surest.push(Math.max(taken, left));
    isTaken.push(taken > left);
  }
  const words: string[] = [];
  for (let end = characters.length; end > 1;) {
    if (isTaken[end]) words.push(pairs[end - 2] ?? "");
    end -= isTaken[end] ? 2 : 1;
  }
  return words;
}

/** What a stem of the table may be the stem of. */
function formsOf(stem: string): string[] {
  return [stem, `${stem}e`, ...(stem.endsWith("at") ? [`${stem}ion`] : [])];
}
