import type { FoundReference } from "../map-types.js";
import type { Graph } from "./graph.js";
import { keyOf } from "./key-of.js";
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
  search: Search,
  { path, symbol }: Definition,
): (FoundReference & { index: number })[] {
  const name = search.views.of(path)?.symbol(symbol)?.name;
  if (name === undefined) return [];
  const { files, names } = spread(search, path, name);
  return [...files].sort().flatMap((at) => {
    const user = search.views.of(at);
    if (!user) return [];
    const uses = [...localNames(user, names)].flatMap((each) => [...user.uses(each)]);
    return uses
      .sort((a, b) => a - b)
      .flatMap((index) => {
        const target = search.bound(at, index).find((each) => each.path === path && each.symbol === symbol);
        const fact = user.reference(index);
        if (!target || !fact) return [];
        const { line, column, kind, within } = fact;
        return [
          { path: at, line, column, kind, confidence: target.confidence, within: keyOf(user, within), index },
        ];
      });
  });
}

/** Under which names a definition is given out, and the files that may use it under one of them. */
function spread(
  { views, graph }: Search,
  path: string,
  name: string,
): { files: Set<string>; names: Set<string> } {
  const names = new Set([name]);
  const files = new Set<string>([path]);
  const addNames = (view: View) => {
    for (const given of givenOut(view, names)) {
      names.add(given);
      if (given === "default") for (const importer of graph.importers(view.path)) files.add(importer);
    }
  };
  const own = views.of(path);
  if (own) addNames(own);
  for (const each of names) {
    if (each !== "default") for (const user of views.index.using(each)) files.add(user);
    for (const file of files) {
      const view = views.of(file);
      if (view) addNames(view);
    }
  }
  return { files, names };
}

/** The names under which a file passes on something that has one of the given names. */
function givenOut({ facts }: View, names: ReadonlySet<string>): string[] {
  const exported = facts.exports.filter(({ local }) => names.has(local)).map(({ name }) => name);
  const passed = facts.imports.flatMap(({ kind, bindings }) =>
    kind === "reexport" ? bindings.filter(({ name, local }) => local !== "" && names.has(name)) : [],
  );
  return [...exported, ...passed.map(({ local }) => local)];
}

/** What a file may call it: every name that it is given out under, and every name that an import makes of one. */
function localNames({ facts }: View, names: ReadonlySet<string>): Set<string> {
  const bindings = facts.imports.flatMap((fact) => fact.bindings);
  const made = bindings.filter(({ name }) => names.has(name) || name === "default" || name === "*");
  return new Set([...names, ...made.map(({ local }) => local)]);
}
