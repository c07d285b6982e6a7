import type { Language } from "../languages.js";
import type { ReferenceFact, ReferenceKind } from "../types.js";
import { PLACES, PLACE_LIMIT, type Raw } from "./captures.js";
import { placeFromText } from "./places.js";
import { receiverBefore, receiverFrom } from "./receivers.js";
import { type Scopes, readScopes } from "./scopes.js";
import type { Source } from "./source.js";
import type { PlacedSymbol } from "./symbols.js";

const KINDS: readonly ReferenceKind[] = [
  "use",
  "use",
  "type",
  "use",
  "call",
  "new",
  "implement",
  "inherit",
  "use",
  "import",
];

/** The names in use that no local of their scopes stands for, in source order. */
export function readReferences(
  raw: Raw,
  symbols: readonly PlacedSymbol[],
  source: Source,
  language: Language,
): ReferenceFact[] {
  const { brought, sources, names } = importedNames(raw);
  const scopes = readScopes(raw, symbols, source, { language, brought });
  const keys = placesOf(raw, symbols, { brought, names });
  const within = innermost(symbols);
  const references: ReferenceFact[] = [];
  let line = 1;
  let lineStart = 0;
  let lineEnd = source.startOf(2);
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] ?? 0;
    const at = Math.floor(key / PLACE_LIMIT);
    // Of several kinds at one place the last is the most telling.
    if (Math.floor((keys[index + 1] ?? -1) / PLACE_LIMIT) === at) continue;
    const place = key - at * PLACE_LIMIT;
    if (place === PLACES.local || place === PLACES.none) continue;
    while (at >= lineEnd && line < source.lines) {
      lineStart = lineEnd;
      lineEnd = source.startOf(++line + 1);
    }
    const name = source.wordAt(at);
    if (name === "") continue;
    const use =
      place === PLACES.import
        ? imported(sources.get(at))
        : readUse(name, at, place, { raw, scopes, source, language });
    if (use !== null)
      references.push({
        name,
        kind: KINDS[use.place] ?? "use",
        line,
        column: at - lineStart,
        within: within(at),
        target: use.target,
        receiver: use.receiver,
        receiverType: use.receiverType,
      });
  }
  return references;
}

/** All places that mean anything, in rising order. */
function placesOf(
  { uses, locals, labels }: Raw,
  symbols: readonly PlacedSymbol[],
  { brought, names }: { brought: ReadonlySet<number>; names: ReadonlySet<number> },
): Float64Array {
  const keys = uses.slice();
  for (const { start } of locals) keys.push(start * PLACE_LIMIT + PLACES.local);
  for (const start of brought) keys.push(start * PLACE_LIMIT + PLACES.local);
  for (const start of names) keys.push(start * PLACE_LIMIT + PLACES.import);
  for (const { nameStart } of symbols) keys.push(nameStart * PLACE_LIMIT + PLACES.none);
  for (const start of labels) keys.push(start * PLACE_LIMIT + PLACES.none);
  return Float64Array.from(keys).sort();
}

/** What the text around a name adds to its place. */
interface Use {
  place: number;
  target: number;
  receiver: string | null;
  receiverType: string | null;
}

function imported(from: string | undefined): Use {
  return { place: PLACES.import, target: -1, receiver: from ?? null, receiverType: null };
}

interface Around {
  raw: Raw;
  scopes: Scopes;
  source: Source;
  language: Language;
}

/** Null for a local, and for a name that would be a use only as a member. */
function readUse(
  name: string,
  at: number,
  place: number,
  { raw, scopes, source, language }: Around,
): Use | null {
  const start = raw.receivers.get(at);
  const receiver =
    start !== undefined
      ? receiverFrom(source.text, start, at)
      : language.dots
        ? receiverBefore(source.text, at, language.colons === true)
        : null;
  const told = language.dots ? placeFromText(source.text, at, name, { place, receiver }) : place;
  if (receiver === null) {
    if (place === PLACES.member) return null;
    const bound = scopes.find(name, at);
    if (bound?.symbol === -1) return null;
    return { place: told, target: bound?.symbol ?? -1, receiver: null, receiverType: null };
  }
  const local = receiver.type === null && receiver.said !== "?" ? scopes.find(receiver.said, at) : null;
  return {
    place: told,
    target: -1,
    receiver: receiver.said,
    receiverType: receiver.type ?? (local?.symbol === -1 ? local.type : null),
  };
}

/** Where imports make names here, where they say a source's names, and the source of each such place. */
function importedNames({ imports, exports }: Raw): {
  brought: Set<number>;
  names: Set<number>;
  sources: Map<number, string>;
} {
  const brought = new Set<number>();
  const names = new Set<number>();
  const sources = new Map<number, string>();
  for (const { nameStart, localStart, source } of imports) {
    if (localStart >= 0) brought.add(localStart);
    if (nameStart < 0 || source === null) continue;
    names.add(nameStart);
    sources.set(nameStart, source);
  }
  for (const { nameStart } of exports) if (nameStart >= 0) names.add(nameStart);
  return { brought, names, sources };
}

/** Finds the innermost definition around an index; asked in rising order. */
function innermost(symbols: readonly PlacedSymbol[]): (at: number) => number {
  const open: number[] = [];
  let next = 0;
  return (at) => {
    for (let symbol = symbols[next]; symbol && symbol.start <= at; symbol = symbols[++next]) {
      while (open.length > 0 && (symbols[open.at(-1) ?? 0]?.end ?? 0) <= symbol.start) open.pop();
      open.push(next);
    }
    while (open.length > 0 && (symbols[open.at(-1) ?? 0]?.end ?? 0) <= at) open.pop();
    return open.at(-1) ?? -1;
  };
}
