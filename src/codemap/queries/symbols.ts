import type { Index, MappedSymbol } from "../map-types.js";
import type { SymbolFact } from "../types.js";
import type { Warning } from "./types.js";

/** Where a definition is: its file, and its place among the file's facts. */
export interface Place {
  path: string;
  symbol: number;
}

/** The name of a definition that is unique in its tree. */
export function keyOf(path: string, { qualified, ordinal }: SymbolFact): string {
  return `${path}#${qualified}${ordinal === 0 ? "" : `~${ordinal + 1}`}`;
}

/** A definition with its place; null when the tree has it no more. */
export function mapped(index: Index, { path, symbol }: Place): MappedSymbol | null {
  const fact = index.facts(path)?.symbols[symbol];
  const file = index.file(path);
  return fact && file ? { ...fact, path, key: keyOf(path, fact), isTest: file.isTest } : null;
}

/** The definitions of one file, in source order. */
export function symbolsOf(index: Index, path: string): MappedSymbol[] {
  const count = index.facts(path)?.symbols.length ?? 0;
  return Array.from({ length: count }, (_, symbol) => mapped(index, { path, symbol })).filter(
    (symbol) => symbol !== null,
  );
}

/** Which of the files an answer speaks of could not be read as a whole. */
export function warningsOf(index: Index, paths: Iterable<string>): Warning[] {
  return [...new Set(paths)].sort().flatMap((path) => {
    const reason = index.file(path)?.partial;
    return reason ? [{ path, reason }] : [];
  });
}

/** The place of a symbol that a use stands in, by its key. */
export function placeOfKey(index: Index, path: string, key: string): Place | null {
  const symbol = index.facts(path)?.symbols.findIndex((fact) => keyOf(path, fact) === key) ?? -1;
  return symbol < 0 ? null : { path, symbol };
}
