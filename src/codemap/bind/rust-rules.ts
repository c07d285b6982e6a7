import type { ImportFact } from "../types.js";
import { type Meaning, asDefinitions } from "./meaning.js";
import { folderOf, foldersUp } from "./paths.js";
import type { ModuleRules } from "./rules.js";
import type { View, Views } from "./views.js";

const SYSTEM = "rust";
const ROOTS = ["src/lib.rs", "src/main.rs"];

/** Finds names through Rust's modules: `use`, `mod`, `crate::`, `self::`, `super::`, the crates of a workspace. */
export function createRustRules(views: Views): ModuleRules {
  const module = (id: string): Meaning => ({ kind: "module", system: SYSTEM, id });
  const given = (path: string, name: string, seen: Set<string>): Meaning[] => {
    const view = views.of(path);
    if (!view || seen.has(`${path}\0${name}`)) return [];
    seen.add(`${path}\0${name}`);
    if (name === "self") return [module(path)];
    if (name === "crate") return [module(crateRoot(views, path))];
    if (name === "super") return parentModule(views, path).map(module);
    const own = view
      .top(name)
      .filter((symbol) => view.symbol(symbol)?.kind !== "module" || childFile(views, path, name) === null);
    if (own.length > 0) return asDefinitions(own.map((symbol) => ({ path, symbol })));
    const child = childFile(views, path, name);
    if (child !== null) return [module(child)];
    const brought = view
      .imported(name)
      .flatMap(({ fact, binding }) => through(view, fact, binding.name, seen));
    if (brought.length > 0) return brought;
    return view.facts.imports
      .filter(({ bindings }) => bindings.some((each) => each.name === "*"))
      .flatMap((fact) =>
        walk(view, parts(fact.source), seen).flatMap((meaning) => step(meaning, name, seen)),
      );
  };
  const step = (meaning: Meaning, name: string, seen: Set<string>): Meaning[] => {
    if (meaning.kind === "module") return given(meaning.id, name, seen);
    const view = views.of(meaning.path);
    const outer = view?.symbol(meaning.symbol)?.qualified;
    const inside = view?.qualified(`${outer}.${name}`) ?? [];
    return asDefinitions(inside.map((symbol) => ({ path: meaning.path, symbol })));
  };
  const walk = (view: View, [first, ...rest]: readonly string[], seen: Set<string>): Meaning[] => {
    if (first === undefined) return [];
    const here = given(view.path, first, seen);
    const crate = crates(views).get(first);
    const start = here.length > 0 || crate === undefined ? here : [module(crate)];
    return rest.reduce<Meaning[]>(
      (meanings, part) => meanings.flatMap((each) => step(each, part, seen)),
      start,
    );
  };
  const through = (view: View, fact: ImportFact, name: string, seen: Set<string>): Meaning[] => {
    const said = parts(fact.source);
    if (name === "*" || name === "self") return walk(view, said, seen);
    const whole = walk(view, [...said, name], new Set(seen));
    return whole.length > 0 || said.at(-1) !== name ? whole : walk(view, said, seen);
  };
  return {
    visible: (view, name) => {
      const found = given(view.path, name, new Set());
      const crate = crates(views).get(name);
      return found.length > 0 || crate === undefined ? found : [module(crate)];
    },
    member: (path, name) => given(path, name, new Set()),
    imported: (view, fact, name) => through(view, fact, name, new Set()),
    files: (view) => {
      const used = view.facts.imports.flatMap((fact) =>
        fact.bindings.flatMap(({ name }) => through(view, fact, name, new Set())),
      );
      const children = view.facts.symbols
        .filter(({ kind }) => kind === "module")
        .flatMap(({ name }) => childFile(views, view.path, name) ?? []);
      return [...used.map((meaning) => (meaning.kind === "module" ? meaning.id : meaning.path)), ...children];
    },
  };
}

function parts(source: string): string[] {
  return source.split("::").filter((part) => part !== "" && part !== "*");
}

function crateRoot(views: Views, path: string): string {
  for (const folder of foldersUp(folderOf(path)))
    for (const root of ["lib.rs", "main.rs"]) {
      const found = folder === "" ? root : `${folder}/${root}`;
      if (views.has(found)) return found;
    }
  return path;
}

/** The folder in which a file's child modules lie. */
function moduleFolder(path: string): string {
  return /(?:^|\/)(?:mod|lib|main)\.rs$/.test(path) ? folderOf(path) : path.replace(/\.rs$/, "");
}

function childFile(views: Views, path: string, name: string): string | null {
  const folder = moduleFolder(path);
  const base = folder === "" ? name : `${folder}/${name}`;
  return [`${base}.rs`, `${base}/mod.rs`].find((file) => file !== path && views.has(file)) ?? null;
}

function parentModule(views: Views, path: string): string[] {
  const folder = path.endsWith("/mod.rs") ? folderOf(folderOf(path)) : folderOf(path);
  const files = ["mod.rs", "lib.rs", "main.rs"].map((name) => (folder === "" ? name : `${folder}/${name}`));
  return [...files, `${folder}.rs`].filter((file) => file !== path && views.has(file)).slice(0, 1);
}

/** The crates of the tree by the names that code gives them. */
function crates(views: Views): Map<string, string> {
  return views.once("crates", () => {
    const found = new Map<string, string>();
    for (const path of views.index.paths()) {
      if (!/(?:^|\/)Cargo\.toml$/.test(path)) continue;
      const text = views.index.settingsFile(path) ?? "";
      const folder = folderOf(path);
      const name = /^\[package\][^[]*?^name\s*=\s*"([^"]+)"/ms.exec(text)?.[1];
      const root = ROOTS.map((file) => (folder === "" ? file : `${folder}/${file}`)).find(views.has);
      if (name !== undefined && root !== undefined) found.set(name.replaceAll("-", "_"), root);
    }
    return found;
  });
}
