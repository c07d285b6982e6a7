import type { Index, MappedSymbol } from "../map-types.js";
import type { Confidence } from "../types.js";
import { readDiff } from "./diff-lines.js";
import { entryPointsOf } from "./entry-points.js";
import { byPlace } from "./listing.js";
import { cleanPath, resolveSymbol } from "./resolve.js";
import { type Place, mapped, symbolsOf, warningsOf } from "./symbols.js";
import { removedOf } from "./removed.js";
import type { Dependent, EntryPoints, Impact, Limit } from "./types.js";
import { type Bound, dependentsOf, isSure, withMembers } from "./uses.js";

const DEFAULT_DEPTH = 3;
const DEFAULT_LIMIT = 50;

/** Uses that are only a name's are left out: a list of what may break has to be believed. */
const LEAST: Confidence = "likely";

/** What is changed: definitions, and whole files. */
interface Change {
  places: readonly Place[];
  paths: readonly string[];
}

type Options = Limit & { depth?: number };

/** What a change of a symbol, or of a whole file, can break. */
export function impactOf(bound: Bound, keyOrPath: string, options: Options = {}): Impact {
  const path = cleanPath(keyOrPath);
  if (!bound.index.file(path)) {
    const place = resolveSymbol(bound.index, keyOrPath);
    return impact(bound, { places: withMembers(bound.index, place), paths: [place.path] }, options);
  }
  const places = symbolsOf(bound.index, path).map((_, symbol) => ({ path, symbol }));
  return withImporters(bound, [path], impact(bound, { places, paths: [path] }, options));
}

/** What a diff can break: the innermost definitions that its lines stand in. */
export function impactOfDiff(bound: Bound, diff: string, options: Options = {}): Impact {
  const files = readDiff(diff);
  const places = files.flatMap(({ path, lines }) => touched(bound.index, path, lines));
  const paths = files.map(({ path }) => path);
  const gone = removedOf(bound, files).filter(({ users }) => users.length > 0);
  const users = gone.flatMap((each) => each.users.map(({ path }) => path));
  const found = impact(bound, { places, paths: [...paths, ...users] }, options);
  const removed = gone.map(({ name, path, users }) => ({ name, path, users }));
  return { ...withFormer(bound, gone, options, found), removed };
}

/** Who names what is gone comes first, then who uses them. */
function withFormer(
  bound: Bound,
  gone: readonly { name: string; path: string; places: readonly Place[] }[],
  options: Options,
  found: Impact,
): Impact {
  const { depth = DEFAULT_DEPTH, limit = DEFAULT_LIMIT } = options;
  const known = new Set([
    ...found.changed.map(({ key }) => key),
    ...found.symbols.map(({ symbol }) => symbol.key),
  ]);
  const former = gone.flatMap(({ name, path, places }) =>
    places.flatMap((place): Dependent[] => {
      const symbol = mapped(bound.index, place);
      return symbol ? [{ symbol, depth: 1, confidence: "likely", through: `${path}#${name}` }] : [];
    }),
  );
  const places = gone.flatMap((each) => each.places);
  const further = dependentsOf(bound, places, { depth: depth - 1, least: LEAST }).symbols;
  const all = [...former, ...further.map((each) => ({ ...each, depth: each.depth + 1 }))];
  const fresh = all.filter(({ symbol }) => {
    if (known.has(symbol.key)) return false;
    known.add(symbol.key);
    return true;
  });
  const symbols = [...fresh.filter(({ symbol }) => !symbol.isTest), ...found.symbols].sort(
    (a, b) => a.depth - b.depth,
  );
  const joined = (own: readonly string[], isTest: boolean) => {
    const more = fresh.filter(({ symbol }) => symbol.isTest === isTest).map(({ symbol }) => symbol.path);
    return [...new Set([...own, ...more])].sort();
  };
  return {
    ...found,
    symbols: symbols.slice(0, limit),
    files: joined(found.files, false),
    tests: joined(found.tests, true),
    truncated: found.truncated + Math.max(0, symbols.length - limit),
  };
}

function touched(index: Index, path: string, lines: readonly number[]): Place[] {
  const symbols = index.facts(path)?.symbols ?? [];
  const found = new Set<number>();
  for (const line of lines) {
    const around = symbols.flatMap(({ from, to }, symbol) =>
      from <= line && line <= to ? [{ symbol, size: to - from }] : [],
    );
    const least = Math.min(...around.map(({ size }) => size));
    for (const { symbol, size } of around) if (size === least) found.add(symbol);
  }
  return [...found].map((symbol) => ({ path, symbol }));
}

function impact(bound: Bound, { places, paths }: Change, options: Options): Impact {
  const { depth = DEFAULT_DEPTH, limit = DEFAULT_LIMIT } = options;
  const { index } = bound;
  const { symbols, files, isCut } = dependentsOf(bound, places, { depth, least: LEAST });
  const changed = places.flatMap((place) => mapped(index, place) ?? []).sort(byPlace);
  const isTest = (path: string) => index.file(path)?.isTest ?? false;
  const reached = new Set([...paths, ...files, ...symbols.map(({ symbol }) => symbol.path)]);
  const product = symbols.filter(({ symbol }) => !symbol.isTest);
  const sorted = [...reached].sort();
  const entries = entryPointsOf(bound);
  const affected = [...changed, ...product.map(({ symbol }) => symbol)].filter((symbol) => !symbol.isTest);
  return {
    changed,
    removed: [],
    symbols: product.slice(0, limit),
    files: sorted.filter((path) => !isTest(path)),
    tests: sorted.filter(isTest),
    entryPoints: affected.filter((symbol) => startsHere(bound, entries, symbol)).map(({ key }) => key),
    truncated: Math.max(0, product.length - limit) + (isCut ? 1 : 0),
    warnings: warningsOf(index, reached),
  };
}

/** Given out by a package's entry; or a callable at the top that nothing outside of tests uses. */
function startsHere(bound: Bound, entries: EntryPoints, symbol: MappedSymbol): boolean {
  if (entries.has(symbol)) return true;
  if (symbol.parent >= 0 || (symbol.kind !== "function" && symbol.kind !== "class")) return false;
  const at = bound.index
    .facts(symbol.path)
    ?.symbols.findIndex(
      ({ qualified, ordinal }) => qualified === symbol.qualified && ordinal === symbol.ordinal,
    );
  const uses = at === undefined ? [] : bound.binder.references(symbol.path, at);
  return !uses.some(
    ({ path, confidence, within }) =>
      isSure(confidence, LEAST) && within !== symbol.key && !(bound.index.file(path)?.isTest ?? false),
  );
}

/** A whole file also reaches those that import it without naming anything of it. */
function withImporters({ index, binder }: Bound, paths: readonly string[], found: Impact): Impact {
  const importers = paths.flatMap((path) => binder.importers(path));
  const isTest = (path: string) => index.file(path)?.isTest ?? false;
  const joined = (own: readonly string[], more: readonly string[]) => [...new Set([...own, ...more])].sort();
  return {
    ...found,
    files: joined(
      found.files,
      importers.filter((path) => !isTest(path)),
    ),
    tests: joined(found.tests, importers.filter(isTest)),
  };
}
