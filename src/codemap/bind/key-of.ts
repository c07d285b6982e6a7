import type { View } from "./views.js";

/** The key of a file's definition as map-types.ts describes it; null for none. */
export function keyOf(view: View, symbol: number): string | null {
  const fact = view.symbol(symbol);
  if (!fact) return null;
  const { qualified, ordinal } = fact;
  return `${view.path}#${qualified}${ordinal === 0 ? "" : `~${ordinal + 1}`}`;
}
