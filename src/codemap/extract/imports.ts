import type { ImportBinding, ImportFact } from "../types.js";
import type { Raw, RawImport } from "./raw.js";
import { pathLeaves } from "./import-paths.js";
import type { Source } from "./source.js";

/** The file's imports in source order, with all names that one statement brings in from one source together. */
export function readImports(raw: Raw, source: Source): ImportFact[] {
  const found = new Map<number, Map<string, ImportFact>>();
  const known = new Set<string>();
  const put = ({ statement, kind }: RawImport, from: string, binding: ImportBinding | null) => {
    const own = found.get(statement) ?? new Map<string, ImportFact>();
    if (own.size === 0) found.set(statement, own);
    const fact = own.get(from) ?? { kind, source: from, line: source.lineAt(statement), bindings: [] };
    own.set(from, fact);
    if (binding === null) return;
    const { name, local } = binding;
    const [first] = fact.bindings;
    if (first?.name === name && first.local === local) return;
    const key = first ? `${statement}\0${from}\0${name}\0${local}` : "";
    if (first && known.has(key)) return;
    if (first) known.add(key);
    fact.bindings.push(binding);
  };
  for (const each of raw.imports) {
    if (each.path === null)
      put(each, each.source ?? "", each.name === null ? null : { name: each.name, local: each.local ?? "" });
    else
      for (const { source: from, name, local } of pathLeaves(each.path))
        put(each, from, { name, local: each.local ?? local });
  }
  return [...found].sort(([a], [b]) => a - b).flatMap(([, own]) => [...own.values()]);
}
