import type { FoundReference } from "../map-types.js";
import { keyOf } from "./key-of.js";
import type { Graph } from "./graph.js";
import type { Definition } from "./meaning.js";
import type { Target } from "./uses.js";
import type { View, Views } from "./views.js";

/** What the search for a definition's uses asks. */
export interface Search {
  views: Views;
  graph: Graph;
  bound(path: string, reference: number): readonly Target[];
}

/** All uses of one definition, by path and then in source order. Only files that name it, or import what gives it, are read. */
export function findReferences(
  { views, graph, bound }: Search,
  { path, symbol }: Definition,
): (FoundReference & { index: number })[] {
  const view = views.of(path);
  const name = view?.symbol(symbol)?.name;
  if (!view || name === undefined) return [];
  const files = new Set(views.index.using(name));
  if (isOtherwiseNamed(view, name)) for (const each of passing(graph, path)) files.add(each);
  return [...files].sort().flatMap((at) => {
    const user = views.of(at);
    if (!user) return [];
    return [...namesIn(user, name, path)]
      .flatMap((each) => [...user.uses(each)])
      .sort((a, b) => a - b)
      .flatMap((index) => {
        const target = bound(at, index).find((each) => each.path === path && each.symbol === symbol);
        const fact = user.reference(index);
        if (!target || !fact) return [];
        const { line, column, kind, within } = fact;
        return [
          { path: at, line, column, kind, confidence: target.confidence, within: keyOf(user, within), index },
        ];
      });
  });
}

/** Whether a file gives a name out under another one, so that its users need not name it. */
function isOtherwiseNamed({ facts }: View, name: string): boolean {
  return facts.exports.some((fact) => fact.local === name && fact.name !== name);
}

/** Files that import a file, also through others that pass its names on. */
function passing(graph: Graph, path: string): Set<string> {
  const found = new Set(graph.importers(path));
  for (const next of found) for (const further of graph.importers(next)) found.add(further);
  return found;
}

/** What a file may call a definition: its name, and every name that an import makes of it. */
function namesIn({ facts }: View, name: string, path: string): Set<string> {
  const found = new Set([name, "default"]);
  for (const { bindings } of facts.imports)
    for (const binding of bindings)
      if (binding.name === name || binding.name === "default" || binding.name === "*")
        found.add(binding.local);
  for (const fact of facts.exports) if (fact.local === name || path === "") found.add(fact.name);
  return found;
}
