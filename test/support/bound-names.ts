import { createBinder } from "../../src/codemap/bind/index.js";
import { type MemoryIndex, memoryIndex } from "./memory-index.js";

/** What asks a small tree where its names lead. */
export interface BoundNames {
  index: MemoryIndex;
  /** What the last use of `name` on a line (1) leads to: `path#qualified confidence`, … */
  at(path: string, name: string, line?: number): string;
  /** Uses of a definition: `path:line confidence`, … */
  uses(path: string, qualified: string): string[];
  imports(path: string): string[];
  importers(path: string): string[];
  implementers(path: string, qualified: string): string[];
}

/** Extracts and binds a small tree. */
export async function boundNames(tree: Record<string, string>): Promise<BoundNames> {
  const index = await memoryIndex(tree);
  const binder = createBinder(index);
  const symbolOf = (path: string, qualified: string) => {
    const found = index.facts(path)?.symbols.findIndex((symbol) => symbol.qualified === qualified) ?? -1;
    if (found < 0) throw new Error(`${path} defines no ${qualified}`);
    return found;
  };
  const nameOf = (path: string, symbol: number) => `${path}#${index.facts(path)?.symbols[symbol]?.qualified}`;
  return {
    index,
    at: (path, name, line = 1) => {
      const references = index.facts(path)?.references ?? [];
      const use = references.findLastIndex((each) => each.name === name && each.line === line);
      if (use < 0) return "no such use";
      return binder
        .targets(path, use)
        .map((target) => `${nameOf(target.path, target.symbol)} ${target.confidence}`)
        .join(", ");
    },
    uses: (path, qualified) =>
      binder
        .references(path, symbolOf(path, qualified))
        .map(({ path: at, line, confidence }) => `${at}:${line} ${confidence}`),
    imports: binder.imports,
    importers: binder.importers,
    implementers: (path, qualified) =>
      binder
        .implementers(path, symbolOf(path, qualified))
        .map((found) => `${nameOf(found.path, found.symbol)} ${found.confidence}`),
  };
}
