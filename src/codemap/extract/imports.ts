import type { ImportFact } from "../types.js";
import type { Raw, RawImport } from "./captures.js";
import { pathLeaves } from "./import-paths.js";
import type { Source } from "./source.js";

/** The file's imports in source order, with all names that one statement brings in from one source together. */
export function readImports(raw: Raw, source: Source): ImportFact[] {
  const found = new Map<string, ImportFact & { at: number }>();
  const known = new Set<string>();
  const put = (raw: RawImport, from: string, binding: { name: string; local: string } | null) => {
    const key = `${raw.statement}\0${from}`;
    const present = found.get(key) ?? {
      at: raw.statement,
      kind: raw.kind,
      source: from,
      line: source.lineAt(raw.statement),
      bindings: [],
    };
    const named = binding && `${key}\0${binding.name}\0${binding.local}`;
    if (binding && !known.has(named ?? "")) present.bindings.push(binding);
    known.add(named ?? "");
    found.set(key, present);
  };
  for (const each of raw.imports) {
    if (each.path === null)
      put(each, each.source ?? "", each.name === null ? null : { name: each.name, local: each.local ?? "" });
    else
      for (const { source: from, name, local } of pathLeaves(each.path))
        put(each, from, { name, local: each.local ?? local });
  }
  return [...found.values()]
    .sort((a, b) => a.at - b.at)
    .map(({ kind, source: from, line, bindings }) => ({ kind, source: from, line, bindings }));
}
