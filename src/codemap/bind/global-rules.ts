import { type Definition, asDefinitions } from "./meaning.js";
import { folderOf, joinPath } from "./paths.js";
import type { ModuleRules } from "./rules.js";
import { isType } from "./types.js";
import type { View, Views } from "./views.js";

const MAX_CANDIDATES = 3;

/** Finds names that are visible everywhere: Ruby's constants, Swift's types and functions. */
export function createGlobalRules(views: Views): ModuleRules {
  const given = (view: View, name: string): Definition[] => {
    const found = views.index.defining(name).flatMap((path) => {
      const other = views.of(path);
      if (other?.language.name !== view.language.name) return [];
      return other.named(name).flatMap((symbol) => {
        const fact = other.symbol(symbol);
        return fact && fact.kind !== "method"
          ? [{ path, symbol, depth: fact.qualified.split(".").length }]
          : [];
      });
    });
    const outermost = Math.min(...found.map(({ depth }) => depth));
    const near = found.filter(({ depth }) => depth === outermost);
    // Swift's extensions are no types of their own.
    const types = near.filter((each) => isType(views.of(each.path)?.symbol(each.symbol)?.kind));
    const meant = view.language.name === "swift" && types.length > 0 ? types : near;
    return meant.length > MAX_CANDIDATES ? [] : meant;
  };
  return {
    visible: (view, name) => asDefinitions(given(view, name)),
    member: () => [],
    imported: (view, _fact, name) => asDefinitions(given(view, name)),
    files: (view) =>
      view.facts.imports.flatMap(({ source }) => {
        const beside = joinPath(folderOf(view.path), source);
        const ends = [...(beside === null ? [] : [beside, `${beside}.rb`]), `lib/${source}.rb`];
        return ends.filter((path) => views.of(path) !== null).slice(0, 1);
      }),
  };
}
