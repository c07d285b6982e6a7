import { type Definition, asDefinitions } from "./meaning.js";
import { folderOf, joinPath, stemOf } from "./paths.js";
import type { ModuleRules } from "./rules.js";
import type { View, Views } from "./views.js";

const MAX_FILES = 400;

/** Finds names through includes: all names of an included file, and of the file that implements an included header. */
export function createIncludeRules(views: Views): ModuleRules {
  const includes = (path: string): string[] =>
    views.once(`includes ${path}`, () => {
      const view = views.of(path);
      if (!view) return [];
      return view.facts.imports.flatMap(({ source }) => {
        const found = includedFile(views, path, source.replace(/^<(.*)>$/, "$1"));
        return found === null ? [] : [found];
      });
    });
  const reach = (path: string): ReadonlySet<string> =>
    views.once(`reach ${path}`, () => {
      const found = new Set([path]);
      for (const next of found) {
        if (found.size > MAX_FILES) break;
        for (const each of includes(next)) found.add(each);
      }
      return found;
    });
  const given = (view: View, name: string): Definition[] => {
    const reached = reach(view.path);
    const stems = views.once(`stems ${view.path}`, () => new Set([...reached].map(stemOf)));
    const found = views.index.defining(name).flatMap((path) => {
      if (!reached.has(path) && !stems.has(stemOf(path))) return [];
      const other = views.of(path);
      if (other?.language.modules !== "include") return [];
      const seen = [...other.top(name), ...constantsOf(other, name)].filter(
        (symbol) => path === view.path || other.symbol(symbol)?.isExported,
      );
      return seen.map((symbol) => ({ path, symbol }));
    });
    return found;
  };
  return {
    visible: (view, name) => asDefinitions(given(view, name)),
    member: () => [],
    imported: (view, _fact, name) => asDefinitions(given(view, name)),
    files: (view) => includes(view.path),
  };
}

/** An enumeration's constants stand beside it. */
function constantsOf(view: View, name: string): readonly number[] {
  if (view.language.name === "bash") return [];
  return view.named(name).filter((symbol) => {
    const fact = view.symbol(symbol);
    return fact?.kind === "constant" && view.symbol(fact.parent)?.kind === "enum";
  });
}

/** Beside the file, else the one file of the tree whose path ends so. */
function includedFile(views: Views, from: string, source: string): string | null {
  const beside = joinPath(folderOf(from), source);
  if (beside !== null && views.of(beside)) return beside;
  const ending = source.replace(/^(?:\.\.?\/)+/, "").replace(/^\$\{?\w+\}?\//, "");
  const name = ending.slice(ending.lastIndexOf("/") + 1);
  const found = (byName(views).get(name) ?? []).filter(
    (path) => path === ending || path.endsWith(`/${ending}`),
  );
  return found.length === 1 ? (found[0] ?? null) : null;
}

function byName(views: Views): Map<string, string[]> {
  return views.once("file names", () => {
    const found = new Map<string, string[]>();
    for (const { path } of views.index.files()) {
      const name = path.slice(path.lastIndexOf("/") + 1);
      found.set(name, [...(found.get(name) ?? []), path]);
    }
    return found;
  });
}
