import type { Binder, Index, MappedFile, MappedSymbol } from "../map-types.js";
import type { Confidence } from "../types.js";
import { byPlace, listing } from "./listing.js";
import { type Place, mapped, placeOfKey, symbolsOf } from "./symbols.js";
import type { Dependent, EntryPoints, Limit, Listing, Use } from "./types.js";

const SURENESS: readonly Confidence[] = ["guess", "likely", "certain"];
const DEFAULT_LIMIT = 30;
const MAX_DEPENDENTS = 2_000;
const CONSTRUCTORS = ["constructor", "__init__", "new", "initialize"];

/** What the questions about uses are asked of. */
export interface Bound {
  index: Index;
  binder: Binder;
  /** What was read of a tree's packages, and of which listing. */
  kept: { files: readonly MappedFile[]; entries: EntryPoints } | null;
}

/** How far and how surely uses are followed. */
export interface Reach {
  depth: number;
  least: Confidence;
}

/** Tells whether a binding is as sure as is asked for. */
export function isSure(confidence: Confidence, least: Confidence): boolean {
  return SURENESS.indexOf(confidence) >= SURENESS.indexOf(least);
}

/** The uses of one definition: outside of tests first, then by place. */
export function usesOf(
  { index, binder }: Bound,
  { path, symbol }: Place,
  { limit = DEFAULT_LIMIT, least = "guess" }: Limit & { least?: Confidence } = {},
): Listing<Use> {
  const uses = binder
    .references(path, symbol)
    .filter(({ confidence }) => isSure(confidence, least))
    .map(({ path: at, line, column, kind, confidence, within }): Use => {
      return { path: at, line, column, kind, confidence, within, isTest: index.file(at)?.isTest ?? false };
    })
    .sort((a, b) => Number(a.isTest) - Number(b.isTest) || byPlace(a, b));
  return listing(index, uses, limit, (use) => use.path);
}

/** What uses some definitions, directly or not: nearest first. `files` are those that use one at their top, outside of any definition. */
export function dependentsOf(
  bound: Bound,
  seeds: readonly Place[],
  { depth, least }: Reach,
): { symbols: Dependent[]; files: Set<string>; isCut: boolean } {
  const { index } = bound;
  const keys = new Set(seeds.flatMap((seed) => mapped(index, seed)?.key ?? []));
  const symbols: Dependent[] = [];
  const files = new Set<string>();
  let edge = seeds.map((place) => ({ place, confidence: "certain" as Confidence }));
  for (let step = 1; step <= depth && edge.length > 0; step++) {
    const next: typeof edge = [];
    for (const { place, confidence } of edge) {
      for (const use of reaching(bound, place)) {
        const sureness = weaker(confidence, use.confidence);
        if (!isSure(sureness, least)) continue;
        if (use.within === null) files.add(use.path);
        if (use.within === null || keys.has(use.within)) continue;
        const user = placeOfKey(index, use.path, use.within);
        const symbol = user && mapped(index, user);
        if (!user || !symbol) continue;
        if (symbols.length >= MAX_DEPENDENTS) return { symbols, files, isCut: true };
        keys.add(use.within);
        symbols.push({ symbol, depth: step, confidence: sureness, through: mapped(index, place)?.key ?? "" });
        next.push({ place: user, confidence: sureness });
      }
    }
    edge = next;
  }
  return { symbols, files, isCut: false };
}

/** All that a definition and what stands in it are made of. */
export function withMembers(index: Index, place: Place): Place[] {
  const symbols = index.facts(place.path)?.symbols ?? [];
  const inside = new Set([place.symbol]);
  symbols.forEach(({ parent }, symbol) => {
    if (inside.has(parent)) inside.add(symbol);
  });
  return [...inside].map((symbol) => ({ path: place.path, symbol }));
}

/** Definitions that inherit from or implement one. */
export function implementersOf({ index, binder }: Bound, { path, symbol }: Place): MappedSymbol[] {
  const found = binder.implementers(path, symbol).flatMap((place) => mapped(index, place) ?? []);
  return [...new Map(found.map((each) => [each.key, each])).values()].sort(byPlace);
}

/** Uses of a definition, and of what calls it without naming it: its class where it constructs, the same method of what its class inherits. */
function reaching(bound: Bound, place: Place): ReturnType<Binder["references"]> {
  const { index, binder } = bound;
  const own = binder.references(place.path, place.symbol);
  const fact = index.facts(place.path)?.symbols[place.symbol];
  if (!fact || fact.kind !== "method" || fact.parent < 0) return own;
  const owner = { path: place.path, symbol: fact.parent };
  const made = CONSTRUCTORS.includes(fact.name)
    ? binder.references(owner.path, owner.symbol).filter(({ kind }) => kind === "new" || kind === "call")
    : [];
  const above = basesOf(bound, owner).flatMap((base) =>
    symbolsOf(index, base.path).flatMap((symbol, at) =>
      symbol.parent === base.symbol && symbol.name === fact.name
        ? binder
            .references(base.path, at)
            .map((use) => ({ ...use, confidence: weaker(use.confidence, "likely") }))
        : [],
    ),
  );
  return [...own, ...made, ...above];
}

/** Classes and interfaces that one inherits from or implements, in the tree. */
function basesOf({ index, binder }: Bound, { path, symbol }: Place): Place[] {
  const references = index.facts(path)?.references ?? [];
  return references.flatMap(({ kind, within }, at) =>
    within === symbol && (kind === "inherit" || kind === "implement") ? binder.targets(path, at) : [],
  );
}

function weaker(a: Confidence, b: Confidence): Confidence {
  return isSure(a, b) ? b : a;
}
