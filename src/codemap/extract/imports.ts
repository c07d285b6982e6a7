import type { ImportBinding, ImportFact } from "../types.js";
import type { Raw, RawImport } from "./raw.js";
import { pathLeaves } from "./import-paths.js";
import type { Source } from "./source.js";

/** The file's imports in source order, with all names that one statement brings in from one source together. */
export function readImports(raw: Raw, source: Source): ImportFact[] {
  const found = new Map<number, ImportFact[]>();
  const put = ({ statement, kind }: RawImport, from: string, binding: ImportBinding | null) => {
    const own = found.get(statement) ?? [];
    if (own.length === 0) found.set(statement, own);
    let fact = own.find((each) => each.source === from);
    if (!fact) {
      fact = { kind, source: from, line: source.lineAt(statement), bindings: [] };
      own.push(fact);
    }
    if (binding === null) return;
    const { name, local } = binding;
    if (!fact.bindings.some((each) => each.name === name && each.local === local))
      fact.bindings.push(binding);
  };
  for (const each of raw.imports) {
    if (each.path === null)
      put(each, each.source ?? "", each.name === null ? null : { name: each.name, local: each.local ?? "" });
    else
      for (const { source: from, name, local } of pathLeaves(each.path))
        put(each, from, { name, local: each.local ?? local });
  }
  return [...found].sort(([a], [b]) => a - b).flatMap(([, own]) => own);
}
