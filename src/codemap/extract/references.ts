import type { Language } from "../languages.js";
import type { ReferenceFact, ReferenceKind } from "../types.js";
import { type Names, createNames } from "./names.js";
import { placeFromText } from "./places.js";
import { PLACES, type Raw, mark } from "./raw.js";
import { type Receiver, receiverBefore, receiverFrom } from "./receivers.js";
import { type Scopes, readScopes } from "./scopes.js";
import type { Source } from "./source.js";
import { type PlacedSymbol, innermost } from "./symbols.js";

const KINDS: readonly ReferenceKind[] = [
  "use",
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
  const { brought, sources, imported } = importedNames(raw);
  const names = createNames(source);
  const scopes = readScopes(raw, { names, symbols, language, brought });
  markPlaces(raw, symbols, { brought, imported });
  const { places } = raw;
  const within = innermost(symbols);
  const around = { raw, scopes, names, source, language };
  const references: ReferenceFact[] = [];
  let line = 1;
  let lineStart = 0;
  let lineEnd = source.startOf(2);
  for (let at = 0; at < places.length; at++) {
    const place = places[at] ?? 0;
    if (place === PLACES.nothing || place === PLACES.local || place === PLACES.none) continue;
    const name = names.at(at);
    if (name === 0) continue;
    const reference =
      place === PLACES.import
        ? referenceOf(names.text(name), "import", sources.get(at) ?? null)
        : readUse(name, at, place, around);
    if (reference === null) continue;
    while (at >= lineEnd && line < source.lines) {
      lineStart = lineEnd;
      lineEnd = source.startOf(++line + 1);
    }
    reference.line = line;
    reference.column = at - lineStart;
    reference.within = within(at);
    references.push(reference);
  }
  return references;
}

/** A reference whose place is not known yet. */
function referenceOf(name: string, kind: ReferenceKind, receiver: string | null): ReferenceFact {
  return { name, kind, line: 0, column: 0, within: -1, target: -1, receiver, receiverType: null };
}

/** Adds to the places in use those that names are declared and defined at. */
function markPlaces(
  { places, locals }: Raw,
  symbols: readonly PlacedSymbol[],
  { brought, imported }: { brought: ReadonlySet<number>; imported: ReadonlySet<number> },
): void {
  for (const { start } of locals) mark(places, start, PLACES.local);
  for (const start of brought) mark(places, start, PLACES.local);
  for (const start of imported) mark(places, start, PLACES.import);
  for (const { nameStart } of symbols) mark(places, nameStart, PLACES.none);
}

interface Around {
  raw: Raw;
  scopes: Scopes;
  names: Names;
  source: Source;
  language: Language;
}

/** Null for a local, and for a name that would be a use only as a member. */
function readUse(
  name: number,
  at: number,
  place: number,
  { raw, scopes, names, source, language }: Around,
): ReferenceFact | null {
  const { text } = source;
  const receiver = receiverOf(at, raw, text, language);
  if (receiver === null && place === PLACES.member) return null;
  scopes.enter(at);
  const bound = receiver === null ? scopes.find(name) : null;
  if (bound?.symbol === -1) return null;
  const said = names.text(name);
  const start = receiver === null ? at : receiver.start;
  const told = language.dots ? placeFromText(text, start, at + said.length, place) : place;
  const reference = referenceOf(said, KINDS[told] ?? "use", receiver?.said ?? null);
  if (bound) reference.target = bound.symbol;
  if (receiver) reference.receiverType = receiver.type ?? typeOfLocal(receiver, names, scopes);
  return reference;
}

function receiverOf(at: number, { receivers }: Raw, text: string, language: Language): Receiver | null {
  if (language.dots) return receiverBefore(text, at, language.colons === true);
  const start = receivers.get(at);
  return start === undefined ? null : receiverFrom(text, start, at);
}

function typeOfLocal({ said, start }: Receiver, names: Names, scopes: Scopes): string | null {
  const name = start < 0 ? 0 : names.at(start);
  if (names.text(name) !== said) return null;
  const bound = scopes.find(name);
  return bound?.symbol === -1 ? bound.type : null;
}

/** Where imports make names here, where they say a source's names, and the source of each such place. */
function importedNames({ imports, exports }: Raw): {
  brought: Set<number>;
  imported: Set<number>;
  sources: Map<number, string>;
} {
  const brought = new Set<number>();
  const imported = new Set<number>();
  const sources = new Map<number, string>();
  for (const { nameStart, localStart, source } of imports) {
    if (localStart >= 0) brought.add(localStart);
    if (nameStart < 0 || source === null) continue;
    imported.add(nameStart);
    sources.set(nameStart, source);
  }
  for (const { nameStart } of exports) if (nameStart >= 0) imported.add(nameStart);
  return { brought, imported, sources };
}
