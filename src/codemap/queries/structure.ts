import type { Index, MappedSymbol } from "../map-types.js";
import { entryPointsOf } from "./entry-points.js";
import { byPlace, listing } from "./listing.js";
import { cleanPath, resolveFile } from "./resolve.js";
import { symbolsOf, warningsOf } from "./symbols.js";
import type { Limit, Listing } from "./types.js";
import type { Bound } from "./uses.js";

const DEFAULT_LIMIT = 100;

/** The definitions of a file; of a folder, those at the top of its files that others may use. */
export function outlineOf(
  index: Index,
  path: string,
  { limit = DEFAULT_LIMIT }: Limit = {},
): Listing<MappedSymbol> {
  const clean = cleanPath(path);
  const inside = index.files().filter((file) => clean === "." || file.path.startsWith(`${clean}/`));
  const isFolder = !index.file(clean) && inside.length > 0;
  const paths = isFolder ? inside.map((file) => file.path) : [resolveFile(index, clean)];
  const symbols = paths.flatMap((each) =>
    symbolsOf(index, each).filter(
      ({ parent, isExported, isTest }) => !isFolder || (parent < 0 && isExported && !isTest),
    ),
  );
  return { ...listing(index, symbols, limit, (symbol) => symbol.path), warnings: warningsOf(index, paths) };
}

/** Files that import a file, tests last. */
export function importersOf(
  { index, binder }: Bound,
  path: string,
  { limit = DEFAULT_LIMIT }: Limit = {},
): Listing<string> {
  const file = resolveFile(index, path);
  const isTest = (each: string) => Number(index.file(each)?.isTest ?? false);
  const all = [...binder.importers(file)].sort((a, b) => isTest(a) - isTest(b) || (a < b ? -1 : 1));
  return listing(index, all, limit, (each) => each);
}

/** What files give out, that no other file uses and no package gives out: what may be made private or deleted. */
export function unusedOf(bound: Bound, { limit = DEFAULT_LIMIT }: Limit = {}): Listing<MappedSymbol> {
  const { index, binder } = bound;
  const entries = entryPointsOf(bound);
  const unused = index.files().flatMap(({ path, isTest }) => {
    if (isTest) return [];
    return symbolsOf(index, path).filter(
      (symbol, at) =>
        symbol.parent < 0 &&
        symbol.isExported &&
        // A method that stands apart from its type, as in Go, may be called through an interface.
        symbol.kind !== "module" &&
        symbol.kind !== "method" &&
        !entries.has(symbol) &&
        !binder.references(path, at).some((use) => use.path !== path),
    );
  });
  return listing(index, unused.sort(byPlace), limit, ({ path }) => path);
}
