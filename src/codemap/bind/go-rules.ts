import { type Definition, type Meaning, asDefinitions } from "./meaning.js";
import { folderOf, foldersUp } from "./paths.js";
import type { ModuleRules } from "./rules.js";
import type { View, Views } from "./views.js";

const SYSTEM = "go";

/** Finds names through Go's packages: a folder's files share their names, an import names a folder of a module. */
export function createGoRules(views: Views): ModuleRules {
  const given = (folder: string, name: string, isWanted: (view: View) => boolean): Definition[] =>
    views.index.defining(name).flatMap((path) => {
      if (folderOf(path) !== folder) return [];
      const view = views.of(path);
      if (view?.language.modules !== "go" || !isWanted(view)) return [];
      return view.top(name).map((symbol) => ({ path, symbol }));
    });
  const folderOfImport = (view: View, source: string): string | null =>
    views.once(`go ${folderOf(view.path)}\0${source}`, () => {
      const found = modules(views)
        .filter(({ name }) => source === name || source.startsWith(`${name}/`))
        .map(({ name, folder }) =>
          [folder, source.slice(name.length + 1)].filter((part) => part !== "").join("/"),
        )
        .find((folder) => filesOf(views, folder).length > 0);
      return found ?? null;
    });
  const module = (id: string): Meaning => ({ kind: "module", system: SYSTEM, id });
  const imports = (view: View) =>
    views.once(`go imports ${view.path}`, () =>
      view.facts.imports.flatMap(({ source, bindings }) => {
        const folder = folderOfImport(view, source);
        if (folder === null) return [];
        const said = bindings.map(({ local }) => local).find((local) => local !== "" && local !== "_");
        return [{ folder, local: said !== undefined && said !== source ? said : packageName(views, folder) }];
      }),
    );
  return {
    visible: (view, name) => {
      const own = given(folderOf(view.path), name, (other) => sharesPackage(view, other));
      if (own.length > 0) return asDefinitions(own);
      const named = imports(view).filter(({ local }) => local === name);
      if (named.length > 0) return named.map(({ folder }) => module(folder));
      return imports(view)
        .filter(({ local }) => local === ".")
        .flatMap(({ folder }) => asDefinitions(given(folder, name, isNoTest)));
    },
    member: (folder, name) => asDefinitions(given(folder, name, isNoTest)),
    imported: (view, { source }) => {
      const folder = folderOfImport(view, source);
      return folder === null ? [] : [module(folder)];
    },
    files: (view) => imports(view).flatMap(({ folder }) => filesOf(views, folder)),
  };
}

function isNoTest({ path }: View): boolean {
  return !path.endsWith("_test.go");
}

/** A test's names are not the package's; a package of tests (`x_test`) sees only what it imports. */
function sharesPackage(view: View, other: View): boolean {
  if (view.path === other.path) return true;
  return (isNoTest(other) || !isNoTest(view)) && view.facts.packages[0] === other.facts.packages[0];
}

function packageName(views: Views, folder: string): string {
  const [first] = filesOf(views, folder);
  const said = first === undefined ? undefined : views.of(first)?.facts.packages[0];
  return said ?? folder.slice(folder.lastIndexOf("/") + 1);
}

function filesOf(views: Views, folder: string): readonly string[] {
  const folders = views.once("go folders", () => {
    const found = new Map<string, string[]>();
    for (const { path } of views.index.files())
      if (path.endsWith(".go") && !path.endsWith("_test.go"))
        found.set(folderOf(path), [...(found.get(folderOf(path)) ?? []), path]);
    return found;
  });
  return folders.get(folder) ?? [];
}

/** The modules of the tree, the longest name first. */
function modules(views: Views): { name: string; folder: string }[] {
  return views.once("go modules", () =>
    views.index
      .paths()
      .filter((path) => path === "go.mod" || path.endsWith("/go.mod"))
      .flatMap((path) => {
        const name = /^\s*module\s+"?([^\s"]+)/m.exec(views.index.settingsFile(path) ?? "")?.[1];
        return name === undefined ? [] : [{ name, folder: foldersUp(folderOf(path))[0] ?? "" }];
      })
      .sort((a, b) => b.name.length - a.name.length),
  );
}
