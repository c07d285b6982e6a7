import type { ModuleSystem } from "../languages.js";

/** A definition by its place in a file's facts. */
export interface Definition {
  path: string;
  symbol: number;
}

/** What a name or an expression stands for: a definition itself, a value of the type that a definition is, or a whole module. */
export type Meaning =
  | ({ kind: "definition" | "instance" } & Definition)
  | { kind: "module"; system: ModuleSystem; id: string };

/** Wraps definitions as what they are themselves. */
export function asDefinitions(found: readonly Definition[]): Meaning[] {
  return found.map(({ path, symbol }) => ({ kind: "definition", path, symbol }));
}

/** The definitions among some meanings, each once. */
export function definitionsAmong(meanings: readonly Meaning[]): Definition[] {
  const seen = new Set<string>();
  const found: Definition[] = [];
  for (const meaning of meanings) {
    if (meaning.kind !== "definition") continue;
    const key = `${meaning.path}\0${meaning.symbol}`;
    if (seen.has(key)) continue;
    seen.add(key);
    found.push({ path: meaning.path, symbol: meaning.symbol });
  }
  return found;
}
