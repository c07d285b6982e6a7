import { posix } from "node:path";
import type { Index, MappedSymbol } from "../map-types.js";
import { keyOf } from "./symbols.js";
import type { Bound } from "./uses.js";

/** Which definitions a package starts with or gives out. */
export interface EntryPoints {
  has(symbol: MappedSymbol): boolean;
}

const MAIN_FUNCTION = new Set(["go", "java", "csharp", "c", "cpp", "rust", "kotlin", "scala", "swift"]);
const ENTRY_NAME = /(?:^|\/)(?:__main__\.py|src\/(?:main|lib)\.rs|src\/bin\/[^/]+\.rs)$/;
const BUILT = /^(?:dist|build|lib|out|es|esm|cjs)\//;

/** Reads what packages name as their entries (`main`, `module`, `exports`, `bin`), and what these files pass on. */
export function createEntryPoints({ index, binder }: Bound): EntryPoints {
  const entries = new Set([
    ...index.files().flatMap(({ path }) => (ENTRY_NAME.test(path) ? [path] : [])),
    ...packageEntries(index),
  ]);
  const passed = new Set<string>();
  const open = new Set<string>();
  const visit = (path: string) => {
    if (open.has(path)) return;
    open.add(path);
    const facts = index.facts(path);
    facts?.references.forEach(({ kind, within }, at) => {
      if (kind !== "import" || within !== -1) return;
      const [target] = binder.targets(path, at);
      const fact = target && index.facts(target.path)?.symbols[target.symbol];
      if (target && fact) passed.add(keyOf(target.path, fact));
    });
    const stars = facts?.imports.filter(
      ({ kind, bindings }) => kind === "reexport" && bindings.some(({ name }) => name === "*"),
    );
    for (const { source } of stars ?? [])
      for (const next of filesOf(binder.imports(path), path, source)) visit(next);
  };
  for (const path of entries) visit(path);
  return {
    has: ({ path, key, name, parent, isExported, kind }) =>
      (parent < 0 && isExported && open.has(path)) ||
      passed.has(key) ||
      (name === "main" && kind !== "constant" && MAIN_FUNCTION.has(index.file(path)?.language ?? "")),
  };
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
