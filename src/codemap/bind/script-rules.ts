import type { ImportFact } from "../types.js";
import { type Meaning, asDefinitions } from "./meaning.js";
import type { ModuleRules } from "./rules.js";
import { createScriptPaths } from "./script-paths.js";
import type { View, Views } from "./views.js";

const SYSTEM = "javascript";

/** Finds names through JavaScript's and TypeScript's modules, ES and CommonJS, with aliases, defaults and re-exports. */
export function createScriptRules(views: Views): ModuleRules {
  const resolve = createScriptPaths(views);
  const module = (id: string): Meaning => ({ kind: "module", system: SYSTEM, id });

  const given = (path: string, name: string, seen: Set<string>): Meaning[] => {
    const view = views.of(path);
    if (!view || seen.has(`${path}\0${name}`)) return [];
    seen.add(`${path}\0${name}`);
    const said = view.facts.exports.filter((fact) => fact.name === name);
    const renamed = said.flatMap(({ local }) => ownOrImported(view, local, seen));
    if (renamed.length > 0) return renamed;
    const passed = view.facts.imports
      .filter(({ kind }) => kind === "reexport")
      .flatMap((fact) =>
        fact.bindings
          .filter(({ local }) => local === name)
          .flatMap((binding) => through(view, fact, binding.name, seen)),
      );
    if (passed.length > 0) return passed;
    const own = view.top(name).filter((index) => view.symbol(index)?.isExported);
    if (own.length > 0) return asDefinitions(own.map((symbol) => ({ path, symbol })));
    if (name === "default") return [];
    return view.facts.imports
      .filter(({ kind, bindings }) => kind === "reexport" && bindings.every(({ local }) => local === ""))
      .flatMap((fact) => through(view, fact, name, seen));
  };

  const ownOrImported = (view: View, local: string, seen: Set<string>): Meaning[] => {
    const own = view.top(local);
    if (own.length > 0) return asDefinitions(own.map((symbol) => ({ path: view.path, symbol })));
    const brought = view
      .imported(local)
      .flatMap(({ fact, binding }) => through(view, fact, binding.name, seen));
    return brought.length > 0 || !local.includes(".")
      ? brought
      : asDefinitions(view.qualified(local).map((symbol) => ({ path: view.path, symbol })));
  };

  const through = (view: View, fact: ImportFact, name: string, seen: Set<string>): Meaning[] => {
    const target = resolve(view.path, fact.source);
    if (target === null) return [];
    if (name === "*") return [module(target)];
    const found = given(target, name, seen);
    return found.length > 0 || name !== "default" ? found : [module(target)];
  };

  return {
    visible: (view, name) =>
      view
        .imported(name)
        .flatMap(({ fact, binding }) =>
          fact.kind === "reexport" ? [] : through(view, fact, binding.name, new Set()),
        ),
    member: (path, name) =>
      views.once(`given ${path}\0${name}`, () => {
        const direct = given(path, name, new Set());
        return direct;
      }),
    imported: (view, fact, name) => through(view, fact, name, new Set()),
    files: (view) =>
      view.facts.imports.flatMap(({ source }) => {
        const target = resolve(view.path, source);
        return target === null ? [] : [target];
      }),
  };
}
