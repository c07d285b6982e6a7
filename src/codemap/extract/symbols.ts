import type { Language } from "../languages.js";
import type { SymbolFact, SymbolKind } from "../types.js";
import type { Raw, RawSymbol } from "./raw.js";
import { docAbove, shortDoc } from "./docs.js";
import { type Source, evenBlanks } from "./source.js";

/** A definition with its place in the text, in UTF-16 units. */
export interface PlacedSymbol {
  fact: SymbolFact;
  start: number;
  end: number;
  nameStart: number;
}

const MAX_SIGNATURE = 200;
/** What stands around a definition is named as far as this. */
const MAX_OUTER = 500;
const CONTAINERS: ReadonlySet<SymbolKind> = new Set(["class", "interface", "enum"]);

/** The file's definitions in source order, each name once. `brought` holds the starts of names that imports make. */
export function readSymbols(
  raw: Raw,
  source: Source,
  language: Language,
  brought: ReadonlySet<number>,
): PlacedSymbol[] {
  const placed: PlacedSymbol[] = [];
  const open: number[] = [];
  const ordinals = new Map<string, number>();
  const givenOut = new Set(raw.exports.map(({ local }) => local));
  for (const symbol of inOrder(raw, brought)) {
    while (open.length > 0 && !isInside(symbol, placed[open.at(-1) ?? 0])) open.pop();
    const parent = open.at(-1) ?? -1;
    const outer = parent < 0 ? undefined : placed[parent]?.fact;
    const name = symbol.name.replace(/^:(?!:)/, "");
    const qualified = qualify(outer?.qualified.slice(0, MAX_OUTER), symbol.owner, name);
    const ordinal = ordinals.get(qualified) ?? 0;
    ordinals.set(qualified, ordinal + 1);
    open.push(placed.length);
    const { start, end, nameStart } = symbol;
    const from = source.lineAt(start);
    const line = source.lineAt(nameStart);
    const isMember = symbol.kind === "function" && outer !== undefined && CONTAINERS.has(outer.kind);
    placed.push({
      start,
      end,
      nameStart,
      fact: {
        name,
        qualified,
        ordinal,
        kind: isMember ? "method" : symbol.kind,
        from,
        to: source.lineAt(Math.max(start, end - 1)),
        line,
        column: nameStart - source.startOf(line),
        signature: signatureOf(symbol, source),
        doc: symbol.doc === null ? docAbove(from, source) : shortDoc(symbol.doc.split("\n")),
        isExported: (parent === -1 && givenOut.has(name)) || isExported(symbol, raw, language),
        parent,
        type: symbol.type,
      },
    });
  }
  return placed;
}

/** By place, the outer one first; of several patterns that found one name, what the first of them says. */
function inOrder(raw: Raw, brought: ReadonlySet<number>): RawSymbol[] {
  const byName = new Map<number, RawSymbol>();
  for (const symbol of raw.symbols) {
    if (brought.has(symbol.nameStart)) continue;
    const present = byName.get(symbol.nameStart);
    if (
      !present ||
      symbol.pattern < present.pattern ||
      (symbol.pattern === present.pattern && present.type === null)
    )
      byName.set(symbol.nameStart, symbol);
  }
  return [...byName.values()].sort((a, b) => a.start - b.start || b.end - a.end || a.nameStart - b.nameStart);
}

/** False for a sibling that has the same node: `int a, b;`. */
function isInside({ start, end }: RawSymbol, outer: PlacedSymbol | undefined): boolean {
  if (!outer || outer.end <= start) return false;
  return outer.start !== start || outer.end !== end;
}

function qualify(outer: string | undefined, owner: string | null, name: string): string {
  const own = owner ? `${owner}.${name}` : name;
  const qualified = outer ? (own ? `${outer}.${own}` : outer) : own;
  return qualified.includes("::") ? qualified.replaceAll("::", ".") : qualified;
}

function signatureOf({ start, end, bodyStart }: RawSymbol, { text }: Source): string {
  const until = Math.min(bodyStart >= 0 ? bodyStart : end, start + 2 * MAX_SIGNATURE);
  const said = text.slice(start, until).trim();
  const code = said.includes("\n") ? said.replace(/\n\s*(?:#|\/\/).*/g, "") : said;
  const even = evenBlanks(code).trimEnd();
  return (even.endsWith("=") ? even.slice(0, -1).trimEnd() : even).slice(0, MAX_SIGNATURE);
}

function isExported(
  { name, nameStart }: RawSymbol,
  { exported, hidden }: Raw,
  { exports }: Language,
): boolean {
  if (exports === "marked") return exported.has(nameStart);
  if (exports === "unless-hidden") return !hidden.has(nameStart);
  if (exports === "upper-case") return /^\p{Lu}/u.test(name);
  return !name.startsWith("_") || /^__\w+__$/.test(name);
}

/** Finds the innermost definition around an index; asked in rising order. */
export function innermost(symbols: readonly PlacedSymbol[]): (at: number) => number {
  const open: number[] = [];
  let next = 0;
  let nextStart = symbols[0]?.start ?? Infinity;
  let closing = Infinity;
  const close = (until: number) => {
    while (closing <= until) {
      open.pop();
      closing = symbols[open.at(-1) ?? -1]?.end ?? Infinity;
    }
  };
  return (at) => {
    while (nextStart <= at) {
      close(nextStart);
      open.push(next);
      closing = symbols[next]?.end ?? Infinity;
      nextStart = symbols[++next]?.start ?? Infinity;
    }
    close(at);
    return open.at(-1) ?? -1;
  };
}
