import type { Language } from "../languages.js";
import type { ReferenceFact, ReferenceKind } from "../types.js";
import type { Raw, RawUse } from "./captures.js";
import { type Scopes, readScopes } from "./scopes.js";
import type { Source } from "./source.js";
import type { PlacedSymbol } from "./symbols.js";

/** The more telling kind wins where several patterns find one name. */
const RANK: Record<ReferenceKind, number> = {
  import: 6,
  inherit: 5,
  implement: 5,
  new: 4,
  call: 3,
  type: 2,
  use: 1,
};
const MAX_RECEIVER = 60;
const RECEIVER = /^[\p{L}\p{N}_$#@]+(?:\s*(?:\.|\?\.|::?|->|!\.)\s*[\p{L}\p{N}_$#]+)*(?:\(\))?$/u;

/** The names in use that no local of their scopes stands for, in source order. */
export function readReferences(
  raw: Raw,
  symbols: readonly PlacedSymbol[],
  source: Source,
  language: Language,
): ReferenceFact[] {
  const scopes = readScopes(raw, symbols, source, language);
  const places = new Set([...raw.labels, ...symbols.map(({ nameStart }) => nameStart)]);
  for (const { name } of raw.locals) places.add(name.startIndex);
  const best = new Map<number, RawUse>();
  for (const use of raw.uses) {
    const at = use.node.startIndex;
    if (places.has(at)) continue;
    const present = best.get(at);
    const use_ = present?.receiver && !use.receiver ? { ...use, receiver: present.receiver } : use;
    if (!present) best.set(at, use);
    else if (RANK[use.kind] > RANK[present.kind]) best.set(at, use_);
    else if (use.receiver && !present.receiver) best.set(at, { ...present, receiver: use.receiver });
  }
  const ordered = [...best].sort(([a], [b]) => a - b);
  const within = innermost(symbols);
  const references: ReferenceFact[] = [];
  for (const [at, use] of ordered) {
    const reference = referenceOf(at, use, { scopes, source, within: within(at) });
    if (reference) references.push(reference);
  }
  return references;
}

function referenceOf(
  at: number,
  { kind, node, receiver }: RawUse,
  { scopes, source, within }: { scopes: Scopes; source: Source; within: number },
): ReferenceFact | null {
  const name = source.wordAt(at) || node.text;
  const { row, column } = node.startPosition;
  const place = { name, kind, line: row + 1, column, within };
  if (receiver === null) {
    const bound = scopes.find(name, at);
    if (bound?.symbol === -1) return null;
    return { ...place, target: bound?.symbol ?? -1, receiver: null, receiverType: null };
  }
  const said = source.text.slice(receiver.startIndex, at).replace(/\s*(?:\.|\?\.|::?|->|!\.)\s*$/, "");
  const isPlain = said.length <= MAX_RECEIVER && RECEIVER.test(said);
  const local = isPlain ? scopes.find(said, at) : null;
  return {
    ...place,
    target: -1,
    receiver: isPlain ? said.replace(/\s+/g, "") : "?",
    receiverType: local?.symbol === -1 ? local.type : null,
  };
}

/** Finds the innermost definition around an index; asked in rising order. */
function innermost(symbols: readonly PlacedSymbol[]): (at: number) => number {
  const open: number[] = [];
  let next = 0;
  return (at) => {
    for (let symbol = symbols[next]; symbol && symbol.start <= at; symbol = symbols[++next]) open.push(next);
    while (open.length > 0 && (symbols[open.at(-1) ?? 0]?.end ?? 0) <= at) open.pop();
    return open.at(-1) ?? -1;
  };
}
