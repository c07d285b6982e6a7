import type { MemoryType, Recalled } from "../memory/index.js";
import type { TreeMemory } from "./open-tree-memory.js";
import type { Lookups, Query, Tree } from "./types.js";

/** So many memories are asked for, to know which notes surely have to do with the text. */
const MAX_ASKED = 50;
/** A long text is asked about piece by piece: in its whole something always fits. */
const PIECE_CHARACTERS = 800;
const MAX_PIECES = 6;

/** What is asked for: a task's text, whose first line is its title, with the files and symbols at hand. */
export type SureQuery = Pick<Query, "text" | "paths" | "symbols"> & { types?: readonly MemoryType[] };

/** Recalls what surely has to do with a task, by its title and by each piece of its text; the surest first. */
export async function recallSurely(
  memory: TreeMemory,
  tree: Tree,
  query: SureQuery,
  signal: AbortSignal,
): Promise<Recalled[]> {
  const { text, paths: files, symbols, types = [] } = query;
  const title = text.split("\n", 1)[0] ?? "";
  const best = new Map<string, Recalled>();
  for (const piece of new Set([title, ...piecesOf(text)])) {
    const asked = { text: piece, types, files, symbols, limit: MAX_ASKED, sure: true };
    for (const found of await memory.recall(tree, asked, signal)) {
      const { id } = found.memory;
      if (found.sureness > (best.get(id)?.sureness ?? 0)) best.set(id, found);
    }
  }
  return [...best.values()].sort((a, b) => b.sureness - a.sureness);
}

/** Lets matching doubt notes that are not among these. */
export function sureOf(found: readonly Recalled[]): Lookups {
  const sure = new Set(found.map(({ memory }) => memory.id));
  return { isSure: (note) => sure.has(note) };
}

/** Paragraphs of a text, short ones together. */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (const paragraph of text.split(/\n\s*\n/)) {
    const last = pieces.at(-1);
    if (last !== undefined && last.length + paragraph.length <= PIECE_CHARACTERS)
      pieces[pieces.length - 1] = `${last}\n${paragraph}`;
    else pieces.push(paragraph.slice(0, PIECE_CHARACTERS));
  }
  return pieces.slice(0, MAX_PIECES);
}
