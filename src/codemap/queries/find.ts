import { closest } from "../../shared/index.js";
import type { Index, MappedSymbol } from "../map-types.js";
import type { SymbolKind } from "../types.js";
import { byPlace, listing } from "./listing.js";
import { symbolsOf } from "./symbols.js";
import type { Limit, Listing } from "./types.js";

const DEFAULT_LIMIT = 20;
const MAX_NAMES = 2_000;
const ALL_NAMES = 200_000;

/** Finds definitions by name: exact before prefix, word within a name, and what is spelt nearly so. */
export function findSymbols(
  index: Index,
  query: string,
  { kind = null, limit = DEFAULT_LIMIT }: Limit & { kind?: SymbolKind | null } = {},
): Listing<MappedSymbol> {
  const wanted = query.trim().replaceAll("::", ".");
  const last = wanted.slice(wanted.lastIndexOf(".") + 1);
  if (last === "") return { items: [], truncated: 0, warnings: [] };
  const look = (names: readonly string[]) =>
    definitionsOf(index, names).filter(
      (symbol) => (kind === null || symbol.kind === kind) && fitsOuter(symbol, wanted),
    );
  const names = index.names(last, MAX_NAMES);
  const found = look(names);
  const near = found.length > 0 ? [] : look(nearest(index, last));
  const ranked = [...found, ...near]
    .map((symbol) => ({ symbol, rank: rankOf(symbol, last) }))
    .sort((a, b) => a.rank - b.rank || byPlace(a.symbol, b.symbol));
  const all = ranked.map(({ symbol }) => symbol);
  const cut = listing(index, all, limit, ({ path }) => path);
  return names.length < MAX_NAMES ? cut : { ...cut, isOpen: true };
}

function nearest(index: Index, name: string): string[] {
  const names = index.names("", ALL_NAMES);
  const near = closest(name.toLowerCase(), [...new Set(names.map((each) => each.toLowerCase()))]);
  return near === null ? [] : names.filter((each) => each.toLowerCase() === near);
}

function definitionsOf(index: Index, names: readonly string[]): MappedSymbol[] {
  const wanted = new Set(names);
  const paths = new Set(names.flatMap((name) => index.defining(name)));
  return [...paths].flatMap((path) => symbolsOf(index, path).filter(({ name }) => wanted.has(name)));
}

/** `Store.save` finds `save` in `Store`, also where `Store` itself stands in something. */
function fitsOuter({ qualified }: MappedSymbol, wanted: string): boolean {
  const outer = wanted.slice(0, wanted.lastIndexOf(".") + 1).toLowerCase();
  if (outer === "") return true;
  const at = qualified.toLowerCase().lastIndexOf(outer);
  return at === 0 || qualified[at - 1] === ".";
}

/** Lower is nearer; what is given out comes before what is not, tests come last. */
function rankOf({ name, isExported, isTest }: MappedSymbol, wanted: string): number {
  const [lower, query] = [name.toLowerCase(), wanted.toLowerCase()];
  const isWord = words(name).some((_, at, all) => all.slice(at).join("").startsWith(words(wanted).join("")));
  const tiers = [
    name === wanted,
    lower === query,
    lower.startsWith(query),
    isWord,
    lower.includes(query),
    true,
  ];
  return (isTest ? 100 : 0) + tiers.indexOf(true) * 10 + (isExported ? 0 : 5) + Math.min(4, name.length / 25);
}

/** The words of a name: `getUserName`, `get_user_name` and `HTTPServer` are three, three and two. */
function words(name: string): string[] {
  const parts = name.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}]+|\p{N}+/gu) ?? [name];
  return parts.map((part) => part.toLowerCase());
}
