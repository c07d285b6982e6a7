import type { Language } from "../languages.js";
import type { Raw } from "./captures.js";
import type { Source } from "./source.js";
import type { PlacedSymbol } from "./symbols.js";

/** What a name stands for in its scope: a definition of the file, or -1 for a local and its type, where one is written. */
export interface Bound {
  symbol: number;
  type: string | null;
}

/** The scopes of one file. */
export interface Scopes {
  /** What a bare name at an index stands for; null when no scope of the file knows it. */
  find(name: string, at: number): Bound | null;
}

interface Scope {
  start: number;
  end: number;
  parent: number;
  isMembers: boolean;
  names: Map<string, Bound>;
}

/** Builds the scopes of a file, with what is declared in each. */
export function readScopes(
  raw: Raw,
  symbols: readonly PlacedSymbol[],
  source: Source,
  { membersInScope }: Language,
): Scopes {
  const scopes = nest(raw);
  const innermost = (at: number) => {
    let low = 0;
    let high = scopes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((scopes[middle]?.start ?? 0) <= at) low = middle + 1;
      else high = middle;
    }
    let index = low - 1;
    while (index >= 0 && (scopes[index]?.end ?? 0) <= at) index = scopes[index]?.parent ?? -1;
    return index;
  };
  for (const [index, { fact, start, end, nameStart }] of symbols.entries()) {
    // A function is declared around its own scope, not inside it.
    let scope = scopes[innermost(start)];
    if (scope?.start === start && scope.end <= end) scope = scopes[scope.parent];
    if (nameStart < start) scope = scopes[innermost(nameStart)];
    if (scope && !scope.names.has(fact.name)) scope.names.set(fact.name, { symbol: index, type: fact.type });
  }
  const outer = new Set(
    raw.outer.map(({ startIndex }) => `${innermost(startIndex)} ${source.wordAt(startIndex)}`),
  );
  const symbolNames = new Set(symbols.map(({ nameStart }) => nameStart));
  for (const { name, type, isCall } of raw.locals) {
    if (symbolNames.has(name.startIndex)) continue;
    const own = source.wordAt(name.startIndex);
    const scope = innermost(name.startIndex);
    if (outer.has(`${scope} ${own}`)) continue;
    const names = scopes[scope]?.names;
    const said = type === null ? null : `${source.wordAt(type.startIndex)}${isCall ? "()" : ""}`;
    const present = names?.get(own);
    if (!present || (present.symbol === -1 && present.type === null))
      names?.set(own, { symbol: -1, type: said });
  }
  return {
    find: (name, at) => {
      for (let index = innermost(at); index >= 0; index = scopes[index]?.parent ?? -1) {
        const scope = scopes[index];
        if (!scope || (scope.isMembers && !membersInScope)) continue;
        const bound = scope.names.get(name);
        if (bound) return bound;
      }
      return null;
    },
  };
}

function nest(raw: Raw): Scope[] {
  const scopes = raw.scopes
    .map(({ node, isMembers }) => ({ start: node.startIndex, end: node.endIndex, isMembers }))
    .sort((a, b) => a.start - b.start || b.end - a.end);
  const open: number[] = [];
  return scopes.map((scope, index) => {
    while (open.length > 0 && (scopes[open.at(-1) ?? 0]?.end ?? 0) <= scope.start) open.pop();
    const parent = open.at(-1) ?? -1;
    open.push(index);
    return { ...scope, parent, names: new Map<string, Bound>() };
  });
}
