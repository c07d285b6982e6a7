import type { ImportFact, SymbolKind } from "../types.js";

/** A definition as a query found it; indices are of the text. */
export interface RawSymbol {
  kind: SymbolKind;
  /** True where it is a local unless it stands in no function: in the scope of the file or of a class' members. */
  isOuter: boolean;
  /** Place of the pattern in its query: the first of two that find one name wins. */
  pattern: number;
  start: number;
  end: number;
  nameStart: number;
  name: string;
  /** Where its body starts; -1 when it has none. */
  bodyStart: number;
  /** What it stands in beside its place: a Go receiver's type, an `impl`'s type, a C++ scope. */
  owner: string | null;
  type: string | null;
  doc: string | null;
}

/** A name that is visible in the scope around it only. */
export interface RawLocal {
  start: number;
  /** As written; ends with `()` for what calling that function gives; null when not written. */
  type: string | null;
  /** True where it is visible in the whole function around it. */
  isHoisted: boolean;
}

/** A scope; in one of `members`, names are not visible from within it unless the language says so. */
export interface RawScope {
  start: number;
  end: number;
  isMembers: boolean;
  isFunction: boolean;
}

/** One import's statement and one name that it brings in. */
export interface RawImport {
  statement: number;
  kind: ImportFact["kind"];
  source: string | null;
  /** `default`, `*`, or the name; null when the statement brings none. */
  name: string | null;
  nameStart: number;
  local: string | null;
  localStart: number;
  /** A whole path whose last part is the name: `a.b.C`, `a::{b, c}`. */
  path: string | null;
}

/** A name that the file gives out under another one. */
export interface RawExport {
  name: string;
  /** Where another name is written; -1 when none is. */
  nameStart: number;
  local: string;
}

/** Everything that a file's query found; symbols, locals and scopes in no order. */
export interface Raw {
  symbols: RawSymbol[];
  locals: RawLocal[];
  /** For each index of the text what starts there: one of {@link PLACES}. Gone when the next text is read. */
  places: Uint8Array;
  /** Where the receiver of the use at an index starts. */
  receivers: Map<number, number>;
  scopes: RawScope[];
  imports: RawImport[];
  exports: RawExport[];
  fields: { start: number; name: string; type: string }[];
  packages: string[];
  /** Starts of names that are meant to be those of a scope further out: Python's `global x`. */
  outer: number[];
  /** Starts of names that are marked as exported or hidden. */
  exported: Set<number>;
  hidden: Set<number>;
  /** Why not all of it is here: there is too much; null when it is. */
  cut: string | null;
}

/** What a place can be, from the least to the most telling, which wins where several patterns find one place. */
export const PLACES = {
  nothing: 0,
  member: 1,
  use: 2,
  type: 3,
  plain: 4,
  call: 5,
  new: 6,
  implement: 7,
  inherit: 8,
  local: 9,
  import: 10,
  none: 11,
} as const;

/** Says what starts at an index, unless something more telling does. */
export function mark(places: Uint8Array, start: number, place: number): void {
  if ((places[start] ?? 0) < place) places[start] = place;
}

/** A longer type than this is none that a receiver is looked up by. */
export const MAX_TYPE = 100;

/** Of two types that are said of one name, the one to keep: a written one rather than what calling something gives, else the first. */
export function betterType(first: string | null, other: string | null): string | null {
  if (first === null || other === null) return first ?? other;
  return first.endsWith("()") && !other.endsWith("()") ? other : first;
}
