import { folderOf } from "./paths.js";
import type { RulesOf } from "./rules-of.js";
import type { Views } from "./views.js";

/** Which files import which. */
export interface Graph {
  imports(path: string): string[];
  importers(path: string): string[];
  /** A file, its folder's files where these share their names, and all that is at most so many imports away. */
  within(path: string, distance: number): ReadonlySet<string>;
}

/** Follows the imports of the tree's files. */
export function createGraph(views: Views, rules: RulesOf): Graph {
  const imports = (path: string): string[] =>
    views.once(`imports ${path}`, () => {
      const view = views.of(path);
      if (!view) return [];
      const found = new Set(rules.of(view.language.modules).files(view));
      found.delete(path);
      return [...found].sort();
    });
  const backwards = () =>
    views.once("importers", () => {
      const found = new Map<string, string[]>();
      for (const { path } of views.index.files())
        for (const imported of imports(path)) {
          const present = found.get(imported);
          if (present) present.push(path);
          else found.set(imported, [path]);
        }
      return found;
    });
  const within = (path: string, distance: number): ReadonlySet<string> =>
    views.once(`within ${distance} ${path}`, () => {
      const found = new Set([path]);
      let edge = [path];
      for (let step = 0; step < distance; step++) {
        edge = edge.flatMap(imports).filter((next) => !found.has(next));
        for (const next of edge) found.add(next);
      }
      if (views.of(path)?.language.modules === "go")
        for (const { path: other } of views.index.files())
          if (folderOf(other) === folderOf(path)) found.add(other);
      return found;
    });
  return { imports, importers: (path) => backwards().get(path) ?? [], within };
}
