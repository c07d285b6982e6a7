import type { Node, Query } from "web-tree-sitter";
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

/** Everything that a file's query found, in no order. */
export interface Raw {
  symbols: RawSymbol[];
  locals: RawLocal[];
  /** Starts of names in use, each times `PLACE_LIMIT`, plus what `PLACES` says of its kind. */
  uses: number[];
  /** Where the receiver of the use at an index starts. */
  receivers: Map<number, number>;
  scopes: RawScope[];
  imports: RawImport[];
  exports: RawExport[];
  fields: { start: number; name: string; type: string }[];
  packages: string[];
  /** Starts of names that are meant to be those of a scope further out: Python's `global x`. */
  outer: number[];
  /** Starts of names that are no uses: those of arguments and of fields in literals. */
  labels: number[];
  /** Starts of names that are marked as exported or hidden. */
  exported: Set<number>;
  hidden: Set<number>;
  /** Why not all of it is here: there is too much; null when it is. */
  cut: string | null;
}

/** What a place can be, from the least to the most telling, which wins where several patterns find one place. */
export const PLACES = {
  member: 0,
  use: 1,
  type: 2,
  plain: 3,
  call: 4,
  new: 5,
  implement: 6,
  inherit: 7,
  local: 8,
  import: 9,
  none: 10,
} as const;

/** More than any place, so that a start times this plus a place sorts by both. */
export const PLACE_LIMIT = 16;

const USES = new Map<string, number>([
  ["member", PLACES.member],
  ["use", PLACES.use],
  ["type.use", PLACES.type],
  ["use.plain", PLACES.plain],
  ["call", PLACES.call],
  ["new", PLACES.new],
  ["implement", PLACES.implement],
  ["inherit", PLACES.inherit],
]);
/** A longer type than this is none that a receiver is looked up by. */
export const MAX_TYPE = 100;

/** What one file may hold of each; a file of more is a table, or an attack. */
const MAX_SYMBOLS = 10_000;
const MAX_IMPORTS = 10_000;
const MAX_USES = 60_000;

function excessOf({ symbols, imports, uses }: Raw): string | null {
  if (symbols.length > MAX_SYMBOLS) return `more than ${MAX_SYMBOLS} definitions`;
  if (imports.length > MAX_IMPORTS) return `more than ${MAX_IMPORTS} imports`;
  return uses.length > MAX_USES ? `more than ${MAX_USES} uses of names` : null;
}

/** Sorts what a query finds by what it is; stops when `isLate`. The vocabulary is in docs/adding-a-language.md. */
export function collect(query: Query, root: Node, text: string, isLate: () => boolean): Raw {
  const raw: Raw = {
    symbols: [],
    locals: [],
    uses: [],
    receivers: new Map(),
    scopes: [],
    imports: [],
    exports: [],
    fields: [],
    packages: [],
    outer: [],
    labels: [],
    exported: new Set(),
    hidden: new Set(),
    cut: null,
  };
  for (const { captures, patternIndex } of query.matches(root, { progressCallback: isLate })) {
    const [first] = captures;
    // Most matches are one name in use, so nothing is made for them.
    const rank = captures.length === 1 && first ? USES.get(first.name) : undefined;
    if (rank !== undefined && first) raw.uses.push(first.node.startIndex * PLACE_LIMIT + rank);
    else add(raw, captures, patternIndex, text);
    raw.cut = excessOf(raw);
    if (raw.cut !== null) break;
  }
  return raw;
}

/** A definition's node; a `value` is a constant or a variable by its name. */
interface Found {
  kind: SymbolKind | "value";
  node: Node;
  isOuter: boolean;
}

const CAPITALS = /^_*[A-Z][A-Z0-9_]*$/;

type Named = Record<string, Node | undefined>;

function add(raw: Raw, captures: { name: string; node: Node }[], pattern: number, text: string): void {
  const named: Named = {};
  let symbol: Found | null = null;
  for (const { name, node } of captures) {
    const rank = USES.get(name);
    if (rank !== undefined) {
      raw.uses.push(node.startIndex * PLACE_LIMIT + rank);
      if (named["receiver"]) raw.receivers.set(node.startIndex, named["receiver"].startIndex);
    } else if (name.startsWith("symbol."))
      symbol = { kind: name.slice(7) as SymbolKind, node, isOuter: false };
    else if (name.startsWith("outer."))
      symbol = { kind: name.slice(6) as SymbolKind | "value", node, isOuter: true };
    else named[name] = node;
  }
  const written = (node: Node | undefined) => (node ? text.slice(node.startIndex, node.endIndex) : null);
  if (symbol) addSymbol(raw, { ...symbol, pattern, named }, written);
  else if (named["import"] || named["reexport"] || named["include"]) addImport(raw, named, written);
  else addOther(raw, named, written);
}

type Written = (node: Node | undefined) => string | null;

function addSymbol(
  raw: Raw,
  { kind, node, isOuter, pattern, named }: Found & { pattern: number; named: Named },
  written: Written,
): void {
  const { name, body, owner, type, doc } = named;
  if (!name) return;
  const said = written(name) ?? "";
  raw.symbols.push({
    kind: kind !== "value" ? kind : CAPITALS.test(said) ? "constant" : "variable",
    isOuter,
    pattern,
    start: node.startIndex,
    end: node.endIndex,
    nameStart: name.startIndex,
    name: said,
    bodyStart: body?.startIndex ?? -1,
    owner: written(owner),
    type: written(type) ?? callOf(written(named["type.call"])),
    doc: written(doc),
  });
  if (named["exported"]) raw.exported.add(name.startIndex);
  if (named["hidden"]) raw.hidden.add(name.startIndex);
}

function addImport(raw: Raw, named: Named, written: Written): void {
  const kind = named["reexport"] ? "reexport" : named["include"] ? "include" : "import";
  const byName = named["import.name"];
  const local = named["import.alias"] ?? named["import.default"] ?? named["import.all"] ?? byName;
  raw.imports.push({
    statement: named[kind]?.startIndex ?? 0,
    kind,
    source: written(named["import.source"]),
    name: named["import.default"] ? "default" : named["import.all"] ? "*" : written(byName),
    nameStart: (named["import.default"] ?? byName)?.startIndex ?? -1,
    local: written(local)?.replace(/^\*$/, "") ?? null,
    localStart: local?.startIndex ?? -1,
    path: written(named["import.path"]),
  });
}

function addOther(raw: Raw, named: Named, written: Written): void {
  addScope(raw, named);
  const local = named["local"] ?? named["local.function"];
  const type = typeOf(named, written);
  if (local)
    raw.locals.push({ start: local.startIndex, type, isHoisted: named["local.function"] !== undefined });
  const exported = written(named["export.local"]);
  if (exported !== null) {
    const other = named["export.name"];
    raw.exports.push({
      name: named["export.default"] ? "default" : (written(other) ?? exported),
      nameStart: other?.startIndex ?? -1,
      local: exported,
    });
  }
  const field = named["field"];
  if (field && type !== null) raw.fields.push({ start: field.startIndex, name: written(field) ?? "", type });
  if (named["exported"]) raw.exported.add(named["exported"].startIndex);
  if (named["hidden"]) raw.hidden.add(named["hidden"].startIndex);
  if (named["outer"]) raw.outer.push(named["outer"].startIndex);
  if (named["label"]) raw.labels.push(named["label"].startIndex);
  const ownPackage = written(named["package"]);
  if (ownPackage !== null) raw.packages.push(ownPackage);
}

function addScope(raw: Raw, named: Named): void {
  const scope = named["scope"] ?? named["scope.members"] ?? named["scope.function"];
  if (!scope) return;
  raw.scopes.push({
    start: scope.startIndex,
    end: scope.endIndex,
    isMembers: named["scope.members"] !== undefined,
    isFunction: named["scope.function"] !== undefined,
  });
}

function typeOf(named: Named, written: Written): string | null {
  const said = callOf(written(named["type.call"])) ?? written(named["type"]);
  return said === null || said.length > MAX_TYPE ? null : said.replace(/\s+/g, " ");
}

function callOf(said: string | null): string | null {
  return said === null ? null : `${said}()`;
}
