import type { Language } from "../languages.js";
import type { Names } from "./names.js";
import { type Raw, type RawLocal, type RawScope, betterType } from "./raw.js";
import type { PlacedSymbol } from "./symbols.js";

/** What a name stands for in its scope: a definition of the file, or -1 for a local; and its type, where one is written. */
export interface Bound {
  symbol: number;
  type: string | null;
}

/** The scopes of one file, walked through once. */
export interface Scopes {
  /** Goes on to an index, which is never before the last one. */
  enter(at: number): void;
  /** What a bare name stands for where we are; null when no scope of the file knows it. */
  find(name: number): Bound | null;
}

/** What a name stands for in one scope. */
interface Declared extends Bound {
  name: number;
  /** What it stood for around that scope. */
  outer: Declared | null;
}

interface Scope extends RawScope {
  parent: number;
  declared: Declared[];
}

/** What a file's scopes are made from. */
export interface ScopeParts {
  names: Names;
  symbols: readonly PlacedSymbol[];
  language: Language;
  /** The starts of names that imports make. */
  brought: ReadonlySet<number>;
}

/** Builds the scopes of a file, with what is declared in each; those of `raw` are sorted. */
export function readScopes(raw: Raw, { names, symbols, language, brought }: ScopeParts): Scopes {
  const scopes = nest(raw.scopes);
  const declare = createDeclarer(scopes, names);
  declareSymbols(symbols, language, declare);
  const outer = new Set(raw.outer.map((start) => `${declare.innermost(start)} ${names.at(start)}`));
  const symbolNames = new Set(symbols.map(({ nameStart }) => nameStart));
  for (const local of raw.locals) {
    if (symbolNames.has(local.start) || brought.has(local.start)) continue;
    const name = names.at(local.start);
    if (outer.size > 0 && outer.has(`${declare.innermost(local.start)} ${name}`)) continue;
    declare.local(local, name);
  }
  return walk(scopes, names, language.membersInScope);
}

/** Puts names into scopes. */
interface Declarer {
  innermost(at: number): number;
  symbol(symbol: PlacedSymbol, index: number): void;
  local(local: RawLocal, name: number): void;
}

function createDeclarer(scopes: readonly Scope[], names: Names): Declarer {
  const innermost = innermostOf(scopes);
  const known = new Map<number, Declared>();
  const keyOf = (scope: number, name: number) => name * scopes.length + scope;
  const put = (scope: number, declared: Declared) => {
    known.set(keyOf(scope, declared.name), declared);
    scopes[scope]?.declared.push(declared);
  };
  const outwards = (from: number, isEnough: (scope: Scope) => boolean) => {
    let index = from;
    for (let scope = scopes[index]; scope && !isEnough(scope); scope = scopes[index]) index = scope.parent;
    return index;
  };
  return {
    innermost,
    // A function is declared around its own scope.
    symbol: ({ fact, start, end, nameStart }, symbol) => {
      const scope =
        nameStart < start
          ? innermost(nameStart)
          : outwards(innermost(start), (each) => each.start !== start || each.end > end);
      const name = names.of(fact.name);
      if (scope >= 0 && !known.has(keyOf(scope, name)))
        put(scope, { symbol, type: fact.type, name, outer: null });
    },
    local: ({ start, type, isHoisted }, name) => {
      const own = innermost(start);
      const scope = isHoisted ? outwards(own, (each) => each.isFunction || each.parent < 0) : own;
      const present = known.get(keyOf(scope, name));
      if (!present) put(scope, { symbol: -1, type, name, outer: null });
      else if (present.symbol === -1) present.type = betterType(present.type, type);
    },
  };
}

/** A method is no bare name, unless the language says that its class' code sees it. */
function declareSymbols(
  symbols: readonly PlacedSymbol[],
  { membersInScope }: Language,
  declare: Declarer,
): void {
  for (const [index, symbol] of symbols.entries())
    if (symbol.fact.kind !== "method" || membersInScope) declare.symbol(symbol, index);
}

/** Goes through sorted scopes in rising order, so that what a name stands for is always at hand. */
function walk(scopes: readonly Scope[], names: Names, seesMembers: boolean): Scopes {
  const current: (Declared | null)[] = [];
  for (let left = names.count(); left > 0; left--) current.push(null);
  const open: Scope[] = [];
  let next = 0;
  let closing = Infinity;
  const leaveUntil = (at: number) => {
    while (closing <= at) {
      for (const declared of open.pop()?.declared ?? []) current[declared.name] = declared.outer;
      closing = open.at(-1)?.end ?? Infinity;
    }
  };
  return {
    enter: (at) => {
      for (let scope = scopes[next]; scope && scope.start <= at; scope = scopes[++next]) {
        leaveUntil(scope.start);
        open.push(scope);
        closing = scope.end;
        if (scope.isMembers && !seesMembers) scope.declared = [];
        for (const declared of scope.declared) {
          declared.outer = current[declared.name] ?? null;
          current[declared.name] = declared;
        }
      }
      leaveUntil(at);
    },
    find: (name) => current[name] ?? null,
  };
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

function nest(scopes: readonly RawScope[]): Scope[] {
  const open: number[] = [];
  return scopes.map(({ start, end, isMembers, isFunction }, index) => {
    while (open.length > 0 && (scopes[open.at(-1) ?? 0]?.end ?? 0) <= start) open.pop();
    const parent = open.at(-1) ?? -1;
    open.push(index);
    return { start, end, isMembers, isFunction, parent, declared: [] };
  });
}
