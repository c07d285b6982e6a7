import type { Runtime } from "./runtime.js";

/** What of a grammar is needed to make sense of its trees. */
export interface GrammarTables {
  /** The number by which each symbol of a tree is asked for. */
  kindOf: Uint16Array;
  /** Whether nodes of a kind have a name, or are only text between others; the last one is that of errors. */
  isNamed: Uint8Array;
  /** For each child of each production: the symbol it is shown as, or 0, and its field in the upper half. */
  slots: Int32Array;
  /** Slots of one production. */
  width: number;
}

/** A slot of no more than this has no field. */
const MAX_SYMBOL = 0xffff;

/** Cells of a language, as `parser.h` of tree-sitter has them where an address takes four bytes. */
const LANGUAGE = {
  symbols: 1,
  aliases: 2,
  productions: 7,
  fields: 8,
  longestAliases: 9,
  fieldSlices: 16,
  fieldEntries: 17,
  metadata: 18,
  publicSymbols: 19,
  aliasSequences: 21,
} as const;

/** Versions of a language's layout that have these cells in these places. */
const LAYOUTS = [13, 14, 15];

/** Reads a grammar's tables from where they lie in the memory of the runtime; null where it is laid out in another way. */
export function readTables({ HEAP32, HEAPU16, HEAPU8 }: Runtime, language: number): GrammarTables | null {
  if (!LAYOUTS.includes(HEAP32[language >> 2] ?? 0)) return null;
  const cell = (place: number) => HEAP32[(language >> 2) + place] ?? 0;
  const half = (address: number, index: number) => HEAPU16[(address >> 1) + index] ?? 0;
  const count = cell(LANGUAGE.symbols) + cell(LANGUAGE.aliases);
  const kindOf = Uint16Array.from({ length: count }, (_, symbol) =>
    half(cell(LANGUAGE.publicSymbols), symbol),
  );
  const isNamed = new Uint8Array(count + 1).fill(1, count);
  for (let symbol = 0; symbol < count; symbol++)
    isNamed[symbol] = HEAPU8[cell(LANGUAGE.metadata) + symbol * 3 + 1] ?? 0;
  const longest = cell(LANGUAGE.longestAliases) & 0xffff;
  const placed: [production: number, child: number, value: number][] = [];
  for (let production = 0; production < cell(LANGUAGE.productions); production++) {
    for (let child = production === 0 ? longest : 0; child < longest; child++)
      placed.push([production, child, half(cell(LANGUAGE.aliasSequences), production * longest + child)]);
    if (cell(LANGUAGE.fields) === 0) continue;
    const first = half(cell(LANGUAGE.fieldSlices), production * 2);
    const last = first + half(cell(LANGUAGE.fieldSlices), production * 2 + 1);
    for (let entry = first; entry < last; entry++) {
      const place = half(cell(LANGUAGE.fieldEntries), entry * 2 + 1);
      const isInherited = place >> 8 !== 0;
      if (!isInherited)
        placed.push([production, place & 0xff, half(cell(LANGUAGE.fieldEntries), entry * 2) << 16]);
    }
  }
  const width = Math.max(1, ...placed.map(([, child]) => child + 1));
  const slots = new Int32Array(cell(LANGUAGE.productions) * width);
  for (const [production, child, value] of placed) {
    const slot = production * width + child;
    // Of several fields the first one counts.
    if (value <= MAX_SYMBOL || (slots[slot] ?? 0) >>> 16 === 0) slots[slot] = (slots[slot] ?? 0) | value;
  }
  return { kindOf, isNamed, slots, width };
}
