import { MAX_TYPE, type Raw, type RawScope, type RawSymbol, betterType } from "./raw.js";
import { evenBlanks } from "./source.js";

/** Makes locals of those definitions that stand in a function but are some only out of it, and gives the others what a local of their place knows. */
export function settleOuter(raw: Raw): void {
  raw.scopes.sort((a, b) => a.start - b.start || b.end - a.end);
  const types = new Map<number, string | null>();
  for (const { start, type } of raw.locals)
    if (type !== null) types.set(start, betterType(types.get(start) ?? null, type));
  const kept: RawSymbol[] = [];
  const open: RawScope[] = [];
  let next = 0;
  for (const symbol of raw.symbols.sort((a, b) => a.start - b.start)) {
    if (!symbol.isOuter) {
      kept.push(symbol);
      continue;
    }
    const at = symbol.nameStart;
    for (let scope = raw.scopes[next]; scope && scope.start <= at; scope = raw.scopes[++next]) {
      while ((open.at(-1)?.end ?? Infinity) <= scope.start) open.pop();
      open.push(scope);
    }
    while ((open.at(-1)?.end ?? Infinity) <= at) open.pop();
    if (open.length <= 1 || open.at(-1)?.isMembers) {
      symbol.type ??= types.get(at) ?? null;
      kept.push(symbol);
    } else raw.locals.push({ start: at, type: localType(symbol.type), isHoisted: false });
  }
  raw.symbols = kept;
}

function localType(type: string | null): string | null {
  return type === null || type.length > MAX_TYPE ? null : evenBlanks(type);
}
