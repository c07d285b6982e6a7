import { asObject, parseJsonc } from "./jsonc.js";
import { folderOf, foldersUp, joinPath } from "./paths.js";
import type { Views } from "./views.js";

const EXTENSIONS = [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".vue", ".svelte", ".d.ts"];
/** What a compiled file is made from. */
const SOURCES: [RegExp, string[]][] = [
  [/\.js$/, [".ts", ".tsx", ".d.ts", ".jsx"]],
  [/\.jsx$/, [".tsx"]],
  [/\.mjs$/, [".mts", ".d.mts"]],
  [/\.cjs$/, [".cts", ".d.cts"]],
];
const BUILT = /^(?:dist|lib|build|out|esm|cjs)\//;
const MAX_EXTENDS = 8;

interface PathMapping {
  /** What the mapping's targets are relative to. */
  folder: string;
  baseUrl: string | null;
  paths: Record<string, unknown>;
}

/** Finds the files that JavaScript's and TypeScript's import specifiers mean. */
export function createScriptPaths(views: Views): (from: string, specifier: string) => string | null {
  const resolve = (from: string, specifier: string): string | null => {
    if (/^\.{1,2}(?:\/|$)/.test(specifier)) return fileAt(views, joinPath(folderOf(from), specifier));
    const bare = specifier.replace(/[?#](?=.).*$/, (tail) => (specifier.startsWith("#") ? tail : ""));
    return (
      byMapping(views, folderOf(from), bare) ??
      byOwnImports(views, folderOf(from), bare) ??
      byPackage(views, bare)
    );
  };
  return (from, specifier) =>
    views.once(`script ${folderOf(from)}\0${specifier}`, () => resolve(from, specifier));
}

function fileAt(views: Views, base: string | null): string | null {
  if (base === null) return null;
  if (base !== "" && views.of(base)) return base;
  for (const [end, sources] of SOURCES) {
    if (!end.test(base)) continue;
    for (const source of sources) if (views.of(base.replace(end, source))) return base.replace(end, source);
  }
  if (base !== "")
    for (const end of EXTENSIONS) if (views.has(base + end) && views.of(base + end)) return base + end;
  const folder = base === "" ? "" : `${base}/`;
  if (views.has(`${folder}package.json`)) {
    const main = asObject(settings(views, `${folder}package.json`))["main"];
    const file =
      typeof main === "string" && !/^\.?\/?$/.test(main) ? fileAt(views, joinPath(base, main)) : null;
    if (file) return file;
  }
  for (const end of EXTENSIONS)
    if (views.has(`${folder}index${end}`) && views.of(`${folder}index${end}`)) return `${folder}index${end}`;
  return null;
}

function settings(views: Views, path: string): unknown {
  return views.once(`json ${path}`, () => {
    const text = views.index.settingsFile(path);
    return text === null ? null : parseJsonc(text);
  });
}

function byMapping(views: Views, folder: string, specifier: string): string | null {
  const mapping = views.once(`mapping ${folder}`, () => mappingFor(views, folder));
  if (!mapping) return null;
  for (const target of matchPattern(mapping.paths, specifier)) {
    const file = fileAt(views, joinPath(mapping.folder, target));
    if (file) return file;
  }
  return mapping.baseUrl === null ? null : fileAt(views, joinPath(mapping.baseUrl, specifier));
}

function mappingFor(views: Views, folder: string): PathMapping | null {
  for (const around of foldersUp(folder)) {
    for (const name of ["tsconfig.json", "jsconfig.json"]) {
      const path = around === "" ? name : `${around}/${name}`;
      if (!views.has(path)) continue;
      const mapping = readMapping(views, path, 0);
      if (mapping) return mapping;
      const parts = asObject(settings(views, path))["references"];
      for (const part of Array.isArray(parts) ? parts : []) {
        const referred = configAt(views, around, asObject(part)["path"]);
        const found = referred === null ? null : readMapping(views, referred, 0);
        if (found) return found;
      }
    }
  }
  return null;
}

function readMapping(views: Views, path: string, depth: number): PathMapping | null {
  const content = asObject(settings(views, path));
  const compiler = asObject(content["compilerOptions"]);
  const folder = folderOf(path);
  const base = typeof compiler["baseUrl"] === "string" ? joinPath(folder, compiler["baseUrl"]) : null;
  const paths = asObject(compiler["paths"]);
  const outer = [content["extends"]]
    .flat()
    .toReversed()
    .map((parent) => {
      const found = depth < MAX_EXTENDS ? configAt(views, folder, parent) : null;
      return found === null ? null : readMapping(views, found, depth + 1);
    })
    .find((found) => found !== null);
  if (Object.keys(paths).length > 0)
    return { folder: base ?? outer?.baseUrl ?? folder, baseUrl: base ?? outer?.baseUrl ?? null, paths };
  if (base !== null) return { folder: base, baseUrl: base, paths: outer?.paths ?? {} };
  return outer ?? null;
}

function configAt(views: Views, folder: string, said: unknown): string | null {
  if (typeof said !== "string" || !said.startsWith(".")) return null;
  const base = joinPath(folder, said);
  if (base === null) return null;
  return (
    [base, `${base}.json`, base === "" ? "tsconfig.json" : `${base}/tsconfig.json`].find(
      (path) => views.has(path) && path.endsWith(".json"),
    ) ?? null
  );
}

function byOwnImports(views: Views, folder: string, specifier: string): string | null {
  if (!specifier.startsWith("#")) return null;
  for (const around of foldersUp(folder)) {
    const path = around === "" ? "package.json" : `${around}/package.json`;
    if (!views.has(path)) continue;
    return firstFile(
      views,
      around,
      matchPattern(asObject(asObject(settings(views, path))["imports"]), specifier),
    );
  }
  return null;
}

function byPackage(views: Views, specifier: string): string | null {
  const [, name = "", rest = ""] = /^((?:@[^/]+\/)?[^/@][^/]*)(?:\/(.*))?$/.exec(specifier) ?? [];
  const folder = packages(views).get(name);
  if (folder === undefined) return null;
  const content = asObject(settings(views, folder === "" ? "package.json" : `${folder}/package.json`));
  const given = content["exports"];
  const isMap = Object.keys(asObject(given)).some((key) => key.startsWith("."));
  const targets = matchPattern(isMap ? asObject(given) : { ".": given }, rest === "" ? "." : `./${rest}`);
  if (rest !== "") return firstFile(views, folder, [...targets, rest, `src/${rest}`]);
  const mains = ["source", "module", "main", "types"].flatMap((key) => strings(content[key]));
  return firstFile(views, folder, [...targets, ...mains, "src/index", "index"]);
}

function packages(views: Views): Map<string, string> {
  return views.once("packages", () => {
    const found = new Map<string, string>();
    for (const path of views.index.paths()) {
      if (!/(?:^|\/)package\.json$/.test(path) || /(?:^|\/)node_modules\//.test(path)) continue;
      const { name } = asObject(settings(views, path));
      if (typeof name === "string" && !found.has(name)) found.set(name, folderOf(path));
    }
    return found;
  });
}

function firstFile(views: Views, folder: string, targets: readonly string[]): string | null {
  for (const target of targets) {
    const plain = target.replace(/^\.\//, "");
    // What is built is not in the tree; what it is built from is.
    const sources = BUILT.test(plain) ? [plain.replace(BUILT, "src/"), plain.replace(BUILT, "")] : [];
    for (const candidate of [plain, ...sources]) {
      const file =
        fileAt(views, joinPath(folder, candidate)) ??
        fileAt(views, joinPath(folder, candidate.replace(/(?:\.d)?\.[cm]?[jt]sx?$/, "")));
      if (file) return file;
    }
  }
  return null;
}

/** The targets that a map of patterns (`@app/*`) gives for a name, the closest pattern first. */
function matchPattern(patterns: Record<string, unknown>, name: string): string[] {
  const exact = patterns[name];
  if (exact !== undefined) return strings(exact);
  const found = Object.keys(patterns)
    .filter((pattern) => {
      const star = pattern.indexOf("*");
      return star >= 0 && name.startsWith(pattern.slice(0, star)) && name.endsWith(pattern.slice(star + 1));
    })
    .sort((a, b) => b.length - a.length);
  return found.flatMap((pattern) => {
    const star = pattern.indexOf("*");
    const part = name.slice(star, name.length - (pattern.length - star - 1));
    return strings(patterns[pattern]).map((target) => target.replaceAll("*", part));
  });
}

function strings(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(strings);
  return Object.values(asObject(value)).flatMap(strings);
}
