import type { ModuleSystem } from "../languages.js";
import type { ImportFact } from "../types.js";
import { type Definition, type Meaning, asDefinitions, definitionsAmong } from "./meaning.js";
import type { ModuleRules } from "./rules.js";
import type { View, Views } from "./views.js";

/**
 * Finds names through packages and namespaces that files say they belong to: Java, Kotlin, Scala, C#, PHP. A whole name is a
 * package, then types, then a member; files of a package see each other.
 */
export function createPackageRules(views: Views, system: ModuleSystem): ModuleRules {
  const module = (id: string): Meaning => ({ kind: "module", system, id });
  const lookUp = (whole: string): Definition[] =>
    views.once(`${system} ${whole}`, () => {
      const name = whole.slice(whole.lastIndexOf(".") + 1);
      return views.index.defining(name).flatMap((path) => {
        const view = views.of(path);
        if (view?.language.modules !== system) return [];
        return view
          .named(name)
          .flatMap((symbol) => (isCalled(view, symbol, whole) ? [{ path, symbol }] : []));
      });
    });
  const first = (wholes: readonly string[]): Meaning[] => {
    for (const whole of wholes) {
      const found = lookUp(whole);
      if (found.length > 0) return asDefinitions(found);
    }
    return [];
  };
  const brought = (view: View, name: string): Meaning[] => {
    const named = view
      .imported(name)
      .flatMap(({ fact, binding }) =>
        binding.name === "*" ? [module(dotted(fact.source))] : first(wholes(fact, binding.name)),
      );
    if (named.length > 0) return named;
    const own = first(packagesOf(view).map((around) => `${around}${name}`));
    if (own.length > 0) return own;
    const opened = first(
      view.facts.imports
        .filter(opens(view))
        .map(({ source }) => `${dotted(source).replace(/\.[*_]$/, "")}.${name}`),
    );
    if (opened.length > 0) return opened;
    const said = ["", ...packagesOf(view)].map((around) => `${around}${name}`);
    return said.filter((whole) => packages(views, system).has(whole)).map(module);
  };
  return {
    visible: brought,
    member: (id, name) => {
      const found = first([`${id}.${name}`]);
      return found.length > 0 ? found : [module(`${id}.${name}`)];
    },
    imported: (_view, fact, name) =>
      name === "*" ? [module(dotted(fact.source))] : first(wholes(fact, name)),
    files: (view) => {
      const imported = view.facts.imports.flatMap((fact) =>
        fact.bindings.flatMap(({ name }) => first(wholes(fact, name))),
      );
      const used = new Set(
        view.facts.references.flatMap(({ receiver, target, name }) =>
          receiver === null && target === -1 ? [name] : [],
        ),
      );
      return definitionsAmong([...imported, ...[...used].flatMap((name) => brought(view, name))]).map(
        ({ path }) => path,
      );
    },
  };
}

/** All packages of the tree, and what they stand in. */
function packages(views: Views, system: ModuleSystem): ReadonlySet<string> {
  return views.once(`packages ${system}`, () => {
    const mapped = views.index.files().flatMap(({ path }) => views.of(path) ?? []);
    const said = mapped.filter(({ language }) => language.modules === system);
    return new Set(said.flatMap(({ facts }) => facts.packages.map(dotted).flatMap(around)));
  });
}

/** Every name of `A\{B, C}` may be said with or without its source's last part. */
function wholes({ source }: ImportFact, name: string): string[] {
  const outer = dotted(source);
  return outer === name || outer.endsWith(`.${name}`) ? [outer, `${outer}.${name}`] : [`${outer}.${name}`];
}

function dotted(name: string): string {
  return name.replace(/^\\/, "").replace(/\\|::/g, ".");
}

/** What a name may begin with in a file: its packages and, in C#, those around them; and nothing. */
function packagesOf({ facts, language }: View): string[] {
  const said = facts.packages.map(dotted);
  const all = language.name === "c-sharp" || language.name === "scala" ? said.flatMap(around) : said;
  return [
    ...new Set([
      ...all.map((name) => `${name}.`),
      ...(all.length === 0 || language.name === "c-sharp" ? [""] : []),
    ]),
  ];
}

function around(name: string): string[] {
  const parts = name.split(".");
  return parts.map((_, index) => parts.slice(0, parts.length - index).join("."));
}

/** Whether an import opens all of its source. */
function opens({ language }: View): (fact: ImportFact) => boolean {
  return ({ source, bindings }) =>
    language.name === "c-sharp" ||
    /[.*_]$/.test(source) ||
    bindings.some(({ name, local }) => name === "*" && (local === "" || local === "*" || local === "_"));
}

function isCalled(view: View, symbol: number, whole: string): boolean {
  const fact = view.symbol(symbol);
  if (!fact) return false;
  // An extension is imported without the type that it is for.
  const isExtension = view.language.name === "kotlin" && fact.parent === -1 && fact.qualified !== fact.name;
  if (isExtension && view.facts.packages.some((name) => `${name}.${fact.name}` === whole)) return true;
  if (fact.qualified === whole) return view.facts.packages.length === 0 || whole.includes(".");
  return view.facts.packages.some((name) => `${dotted(name)}.${fact.qualified}` === whole);
}
