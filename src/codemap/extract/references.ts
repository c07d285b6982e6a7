import type { Language } from "../languages.js";
import type { ReferenceFact } from "../types.js";
import { type Raw, USE_KINDS } from "./captures.js";
import { receiverBefore, receiverFrom } from "./receivers.js";
import { type Scopes, readScopes } from "./scopes.js";
import type { Source } from "./source.js";
import type { PlacedSymbol } from "./symbols.js";

const IMPORT = USE_KINDS.indexOf("import");
const LARGEST = 8;

/** The names in use that no local of their scopes stands for, in source order. */
export function readReferences(
  raw: Raw,
  symbols: readonly PlacedSymbol[],
  source: Source,
  language: Language,
): ReferenceFact[] {
  const { brought, sources, names } = importedNames(raw);
  const scopes = readScopes(raw, symbols, source, { language, brought });
  const places = new Set(brought);
  for (const { start } of raw.locals) places.add(start);
  for (const start of names) places.delete(start);
  for (const { nameStart } of symbols) places.add(nameStart);
  const keys = Float64Array.from([...raw.uses, ...[...names].map((at) => at * LARGEST + IMPORT)]).sort();
  const within = innermost(symbols);
  const references: ReferenceFact[] = [];
  let line = 1;
  let lineEnd = source.startOf(2);
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] ?? 0;
    const at = Math.floor(key / LARGEST);
    // Of several kinds at one place the last is the most telling.
    if (Math.floor((keys[index + 1] ?? -1) / LARGEST) === at || places.has(at)) continue;
    while (at >= lineEnd && line < source.lines) lineEnd = source.startOf(++line + 1);
    const name = source.wordAt(at);
    if (name === "") continue;
    const kind = USE_KINDS[key % LARGEST] ?? "use";
    const place = { name, kind, line, column: at - source.startOf(line), within: within(at) };
    if (kind === "import")
      references.push({ ...place, target: -1, receiver: sources.get(at) ?? null, receiverType: null });
    else addUse(references, at, place, { raw, scopes, source, language });
  }
  return references;
}

interface Around {
  raw: Raw;
  scopes: Scopes;
  source: Source;
  language: Language;
}

function addUse(
  references: ReferenceFact[],
  at: number,
  place: Pick<ReferenceFact, "name" | "kind" | "line" | "column" | "within">,
  { raw, scopes, source, language }: Around,
): void {
  const start = raw.receivers.get(at);
  const receiver =
    start !== undefined
      ? receiverFrom(source.text, start, at)
      : language.dots
        ? receiverBefore(source.text, at)
        : null;
  if (receiver === null) {
    const bound = scopes.find(place.name, at);
    if (bound?.symbol !== -1)
      references.push({ ...place, target: bound?.symbol ?? -1, receiver: null, receiverType: null });
    return;
  }
  const local = receiver.type === null && receiver.said !== "?" ? scopes.find(receiver.said, at) : null;
  references.push({
    ...place,
    target: -1,
    receiver: receiver.said,
    receiverType: receiver.type ?? (local?.symbol === -1 ? local.type : null),
  });
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
