import type { ImportFact } from "../types.js";
import { type Meaning, asDefinitions } from "./meaning.js";
import { folderOf, foldersUp } from "./paths.js";
import type { ModuleRules } from "./rules.js";
import type { View, Views } from "./views.js";

const SYSTEM = "python";
const PACKAGE = "__init__.py";

/** Finds names through Python's packages: relative and absolute imports, what `__init__` passes on, submodules. */
export function createPythonRules(views: Views): ModuleRules {
  const module = (id: string): Meaning[] => [{ kind: "module", system: SYSTEM, id }];

  const given = (path: string, name: string, seen: Set<string>): Meaning[] => {
    const view = views.of(path);
    if (seen.has(`${path}\0${name}`)) return [];
    seen.add(`${path}\0${name}`);
    if (view) {
      const own = view.top(name);
      if (own.length > 0) return asDefinitions(own.map((symbol) => ({ path, symbol })));
      const brought = broughtIn(view, name, seen);
      if (brought.length > 0) return brought;
    }
    const inside =
      path.endsWith(`/${PACKAGE}`) || !view
        ? fileOfModule(views, view ? folderOf(path) : path, [name])
        : null;
    return inside === null ? [] : module(inside);
  };

  const broughtIn = (view: View, name: string, seen: Set<string>): Meaning[] => {
    for (const { fact, binding } of view.imported(name)) {
      const found = binding.name === "*" ? source(view, fact) : through(view, fact, binding.name, seen);
      if (found.length > 0) return found;
    }
    // `import a.b` makes `a`.
    for (const fact of view.facts.imports) {
      if (!fact.source.startsWith(`${name}.`) || !fact.bindings.every(isWhole)) continue;
      const found = moduleOf(views, view.path, name);
      if (found !== null) return module(found);
    }
    const stars = view.facts.imports.filter(({ bindings }) =>
      bindings.some((each) => each.name === "*" && each.local === ""),
    );
    return stars.flatMap((fact) => through(view, fact, name, seen));
  };

  const source = (view: View, fact: ImportFact): Meaning[] => {
    const found = moduleOf(views, view.path, fact.source);
    return found === null ? [] : module(found);
  };

  const through = (view: View, fact: ImportFact, name: string, seen: Set<string>): Meaning[] => {
    const found = moduleOf(views, view.path, fact.source);
    const inside = found === null ? [] : given(found, name, seen);
    // `import a.b as c` brings in the module `b`.
    const isWhole = fact.source === name || fact.source.endsWith(`.${name}`);
    return inside.length > 0 || !isWhole ? inside : source(view, fact);
  };

  return {
    visible: (view, name) => broughtIn(view, name, new Set()),
    member: (path, name) => views.once(`given ${path}\0${name}`, () => given(path, name, new Set())),
    imported: (view, fact, name) =>
      name === "*" ? source(view, fact) : through(view, fact, name, new Set()),
    files: (view) =>
      view.facts.imports.flatMap((fact) => {
        const modules = [
          ...source(view, fact),
          ...fact.bindings.flatMap(({ name }) => (name === "*" ? [] : through(view, fact, name, new Set()))),
        ];
        return modules
          .map((meaning) => (meaning.kind === "module" ? meaning.id : meaning.path))
          .filter(views.has);
      }),
  };
}

function isWhole({ name, local }: { name: string; local: string }): boolean {
  return name === "*" || local.includes(".") || name === local;
}

/** The file of a module as an import says it; a folder without `__init__` is its own name. */
function moduleOf(views: Views, from: string, source: string): string | null {
  return views.once(`python ${folderOf(from)}\0${source}`, () => {
    const [, dots = "", rest = ""] = /^(\.*)(.*)$/.exec(source) ?? [];
    const parts = rest === "" ? [] : rest.split(".");
    if (dots !== "") {
      const around = foldersUp(folderOf(from))[dots.length - 1];
      return around === undefined ? null : fileOfModule(views, around, parts);
    }
    for (const root of rootsFor(views, from, parts[0] ?? "")) {
      const found = fileOfModule(views, root, parts);
      if (found !== null) return found;
    }
    return null;
  });
}

/** Folders from which an absolute import may start: around the file, where they are no packages; and where the package is. */
function rootsFor(views: Views, from: string, first: string): string[] {
  const around = foldersUp(folderOf(from)).filter((folder) => !views.has(join(folder, PACKAGE)));
  return [...new Set([...around, ...(packageRoots(views).get(first) ?? [])])];
}

function packageRoots(views: Views): Map<string, string[]> {
  return views.once("python roots", () => {
    const roots = new Map<string, string[]>();
    for (const path of views.index.paths()) {
      if (!path.endsWith(`/${PACKAGE}`)) continue;
      const folder = folderOf(path);
      const root = folderOf(folder);
      if (views.has(join(root, PACKAGE))) continue;
      const name = folder.slice(root === "" ? 0 : root.length + 1);
      roots.set(name, [...(roots.get(name) ?? []), root]);
    }
    return roots;
  });
}

function fileOfModule(views: Views, folder: string, parts: readonly string[]): string | null {
  const base = [folder, ...parts].filter((part) => part !== "").join("/");
  const files = [join(base, PACKAGE), ...(parts.length > 0 ? [`${base}.py`, `${base}.pyi`] : [])];
  return files.find((path) => views.has(path)) ?? (pythonFolders(views).has(base) ? base : null);
}

function pythonFolders(views: Views): ReadonlySet<string> {
  return views.once(
    "python folders",
    () =>
      new Set(
        views.index
          .paths()
          .filter((path) => path.endsWith(".py"))
          .flatMap((path) => foldersUp(folderOf(path)))
          .filter((folder) => folder !== ""),
      ),
  );
}

function join(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}
