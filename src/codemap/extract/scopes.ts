import type { Language } from "../languages.js";
import type { Raw, RawLocal, RawScope } from "./captures.js";
import type { Source } from "./source.js";
import type { PlacedSymbol } from "./symbols.js";

/** What a name stands for in its scope: a definition of the file, or -1 for a local; and its type, where one is written. */
export interface Bound {
  symbol: number;
  type: string | null;
}

/** The scopes of one file. */
export interface Scopes {
  /** What a bare name at an index stands for; null when no scope of the file knows it. Quickest in rising order. */
  find(name: string, at: number): Bound | null;
}

interface Scope extends RawScope {
  parent: number;
  /** The next one outwards that has names. */
  next: number;
  names: Map<string, Bound>;
}

/** Builds the scopes of a file, with what is declared in each. `brought` holds the starts of names that imports make. */
export function readScopes(
  raw: Raw,
  symbols: readonly PlacedSymbol[],
  source: Source,
  { language, brought }: { language: Language; brought: ReadonlySet<number> },
): Scopes {
  const scopes = nest(raw);
  const innermost = innermostOf(scopes);
  declareSymbols(scopes, innermost, symbols, language);
  const outer = new Set(raw.outer.map((start) => `${innermost(start)} ${source.wordAt(start)}`));
  const symbolNames = new Set(symbols.map(({ nameStart }) => nameStart));
  for (const local of raw.locals) {
    if (symbolNames.has(local.start) || brought.has(local.start)) continue;
    const name = source.wordAt(local.start);
    if (outer.size > 0 && outer.has(`${innermost(local.start)} ${name}`)) continue;
    declareLocal(scopes, innermost, local, name);
  }
  const known = new Set<string>();
  for (const scope of scopes) {
    for (const name of scope.names.keys()) known.add(name);
    const outer = scope.parent < 0 ? undefined : scopes[scope.parent];
    if (outer?.names.size === 0) scope.next = outer.next;
  }
  return {
    find: (name, at) => {
      if (!known.has(name)) return null;
      for (let index = innermost(at); index >= 0;) {
        const scope = scopes[index];
        if (!scope) break;
        const bound = scope.names.get(name);
        if (bound && (!scope.isMembers || language.membersInScope)) return bound;
        index = scope.next;
      }
      return null;
    },
  };
}

/** A method is no bare name, unless the language says that its class' code sees it; a function is declared around its own scope. */
function declareSymbols(
  scopes: readonly Scope[],
  innermost: (at: number) => number,
  symbols: readonly PlacedSymbol[],
  { membersInScope }: Language,
): void {
  for (const [index, { fact, start, end, nameStart }] of symbols.entries()) {
    if (fact.kind === "method" && !membersInScope) continue;
    let scope = scopes[innermost(start)];
    while (scope?.start === start && scope.end <= end) scope = scopes[scope.parent];
    if (nameStart < start) scope = scopes[innermost(nameStart)];
    if (scope && !scope.names.has(fact.name)) scope.names.set(fact.name, { symbol: index, type: fact.type });
  }
}

function declareLocal(
  scopes: readonly Scope[],
  innermost: (at: number) => number,
  { start, type, isHoisted }: RawLocal,
  name: string,
): void {
  let scope = scopes[innermost(start)];
  if (isHoisted) while (scope && !scope.isFunction && scope.parent >= 0) scope = scopes[scope.parent];
  const present = scope?.names.get(name);
  if (!present || (present.symbol === -1 && present.type === null))
    scope?.names.set(name, { symbol: -1, type });
}

function innermostOf(scopes: readonly Scope[]): (at: number) => number {
  let last = 0;
  let before = { at: -1, low: -1, found: -1 };
  return (at) => {
    let low = 0;
    let high = scopes.length;
    // Names are mostly asked for in rising order, so the next place is near the last one.
    if ((scopes[last]?.start ?? 0) <= at) {
      low = last;
      while (low < high && (scopes[low]?.start ?? 0) <= at) low++;
      high = low;
    }
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((scopes[middle]?.start ?? 0) <= at) low = middle + 1;
      else high = middle;
    }
    // What was left behind stays so.
    let index = before.low === low && before.at <= at ? before.found : low - 1;
    last = Math.max(0, low - 1);
    while (index >= 0 && (scopes[index]?.end ?? 0) <= at) index = scopes[index]?.parent ?? -1;
    before = { at, low, found: index };
    return index;
  };
}

function nest(raw: Raw): Scope[] {
  const scopes = raw.scopes.toSorted((a, b) => a.start - b.start || b.end - a.end);
  const open: number[] = [];
  return scopes.map((scope, index) => {
    while (open.length > 0 && (scopes[open.at(-1) ?? 0]?.end ?? 0) <= scope.start) open.pop();
    const parent = open.at(-1) ?? -1;
    open.push(index);
    return { ...scope, parent, next: parent, names: new Map<string, Bound>() };
  });
}
