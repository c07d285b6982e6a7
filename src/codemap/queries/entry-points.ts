import { posix } from "node:path";
import type { Index } from "../map-types.js";
import { keyOf } from "./symbols.js";
import type { EntryPoints } from "./types.js";
import type { Bound } from "./uses.js";

const MAIN_FUNCTION = new Set(["go", "java", "csharp", "c", "cpp", "rust", "kotlin", "scala", "swift"]);
const ENTRY_NAME = /(?:^|\/)(?:__main__\.py|src\/(?:main|lib)\.rs|src\/bin\/[^/]+\.rs)$/;
const BUILT = /^(?:dist|build|lib|out|es|esm|cjs)\//;

/** What packages name as their entries (`main`, `module`, `exports`, `bin`), and what these files pass on; read once until the tree changes. */
export function entryPointsOf(bound: Bound): EntryPoints {
  const files = bound.index.files();
  if (bound.kept?.files !== files) bound.kept = { files, entries: createEntryPoints(bound) };
  return bound.kept.entries;
}

function createEntryPoints(bound: Bound): EntryPoints {
  const { index } = bound;
  const starts = index.files().flatMap(({ path }) => (ENTRY_NAME.test(path) ? [path] : []));
  const given = givenOut(bound, [...starts, ...packageEntries(index)]);
  return {
    has: ({ path, key, name, parent, isExported, kind }) =>
      (parent < 0 && isExported && given.files.has(path)) ||
      given.keys.has(key) ||
      (name === "main" && kind === "function" && MAIN_FUNCTION.has(index.file(path)?.language ?? "")),
  };
}

/** All that some files give out: their own exports, and what they pass on of others; by file, or by key. */
function givenOut(
  { index, binder }: Bound,
  entries: readonly string[],
): { files: Set<string>; keys: Set<string> } {
  const [files, keys, seen] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const open = entries.map((path): { path: string; name: string | null } => ({ path, name: null }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { path, name } = next;
    const facts = index.facts(path);
    if (!facts || seen.has(`${path}\0${name}`)) continue;
    seen.add(`${path}\0${name}`);
    if (name === null) files.add(path);
    const local = facts.exports.find((fact) => fact.name === name)?.local ?? name;
    for (const fact of facts.symbols)
      if (local !== null && fact.parent < 0 && fact.name === local) keys.add(keyOf(path, fact));
    const renamed = new Set(facts.exports.map((fact) => fact.local));
    for (const { kind, source, bindings } of facts.imports) {
      const isStar = kind === "reexport" && bindings.every((each) => each.name === "*");
      const passed = isStar
        ? [name]
        : bindings.flatMap((each) => {
            const isPassed =
              name === null ? kind === "reexport" || renamed.has(each.local) : each.local === local;
            return isPassed ? [each.name] : [];
          });
      if (passed.length === 0) continue;
      for (const file of filesOf(binder.imports(path), path, source))
        open.push(...passed.map((each) => ({ path: file, name: each === "*" ? null : each })));
    }
  }
  return { files, keys };
}

/** The imported files that a source stands for: those at the place that it names, or all when none is there. */
function filesOf(imported: readonly string[], path: string, source: string): readonly string[] {
  const stem = withoutEnding(posix.join(posix.dirname(path), source));
  const exact = imported.filter((each) => [stem, `${stem}/index`].includes(withoutEnding(each)));
  return exact.length > 0 ? exact : source.startsWith(".") ? [] : imported;
}

function withoutEnding(path: string): string {
  return path.replace(/(?:\.d)?\.[cm]?[jt]sx?$/, "");
}

function packageEntries(index: Index): string[] {
  return index
    .paths()
    .filter((path) => posix.basename(path) === "package.json")
    .flatMap((path) => {
      const folder = posix.dirname(path);
      const described = parsed(index.settingsFile(path));
      const targets = ["main", "module", "types", "browser", "bin", "exports"].flatMap((key) =>
        namedFiles(described[key]),
      );
      const places = targets.length > 0 ? targets : ["index.js"];
      return places.flatMap((target) => sourceOf(index, folder, target) ?? []);
    });
}

function parsed(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    // A package.json that is none names no entry.
    return {};
  }
}

function namedFiles(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(namedFiles) : [];
}

/** What is built lies in another folder than what it is built from. */
function sourceOf(index: Index, folder: string, target: string): string | null {
  const path = target.replace(/^\.\//, "");
  const stem = withoutEnding(path);
  const stems = [stem, stem.replace(BUILT, "src/"), stem.replace(BUILT, ""), `${stem}/index`, "src/index"];
  for (const each of stems) {
    for (const ending of [".ts", ".tsx", ".mts", ".cts", ".js", ".mjs", ".cjs", ".jsx"]) {
      const candidate = posix.join(folder, `${each}${ending}`);
      if (index.file(candidate)) return candidate;
    }
  }
  return null;
}
