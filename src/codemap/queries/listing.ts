import type { Index, MappedSymbol } from "../map-types.js";
import { warningsOf } from "./symbols.js";
import type { Listing } from "./types.js";

/** Cuts a list to its limit, says how much was cut, and warns of files that were read in part only. */
export function listing<Item>(
  index: Index,
  all: readonly Item[],
  limit: number,
  pathOf: (item: Item) => string,
): Listing<Item> {
  const items = all.slice(0, limit);
  return { items, truncated: all.length - items.length, warnings: warningsOf(index, items.map(pathOf)) };
}

/** Orders by path, by code unit, and then as the file is written. */
export function byPlace(
  a: Pick<MappedSymbol, "path" | "line" | "column">,
  b: Pick<MappedSymbol, "path" | "line" | "column">,
): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return a.line - b.line || a.column - b.column;
}
