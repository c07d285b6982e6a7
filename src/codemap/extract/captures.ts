import type { Node, Query, QueryMatch } from "web-tree-sitter";
import type { ImportFact, ReferenceKind, SymbolKind } from "../types.js";

/** A definition as a query found it. */
export interface RawSymbol {
  kind: SymbolKind;
  node: Node;
  name: Node;
  body: Node | null;
  /** What it stands in beside its place: a Go receiver's type, an `impl`'s type, a C++ scope. */
  owner: Node | null;
  type: Node | null;
  doc: Node | null;
}

/** A name that is visible in the innermost scope around it only. */
export interface RawLocal {
  name: Node;
  type: Node | null;
  /** True when `type` is a function whose result it is. */
  isCall: boolean;
}

/** A name in use. */
export interface RawUse {
  kind: ReferenceKind;
  node: Node;
  receiver: Node | null;
}

/** A scope; in one of `members`, names are not visible from within it unless the language says so. */
export interface RawScope {
  node: Node;
  isMembers: boolean;
}

/** One import's statement and one name that it brings in. */
export interface RawImport {
  statement: Node;
  kind: ImportFact["kind"];
  source: Node | null;
  /** `default`, `*`, or the name node. */
  name: Node | "default" | "*" | null;
  local: Node | null;
  /** A whole path whose last part is the name: `a.b.C`, `a::{b, c}`. */
  path: Node | null;
}

/** A name that the file gives out under another one. */
export interface RawExport {
  name: Node | "default";
  local: Node;
}

/** Everything that a file's query found, in no order. */
export interface Raw {
  symbols: RawSymbol[];
  locals: RawLocal[];
  uses: RawUse[];
  scopes: RawScope[];
  imports: RawImport[];
  exports: RawExport[];
  fields: { name: Node; type: Node }[];
  packages: Node[];
  /** Names that are meant to be those of a scope further out: Python's `global x`. */
  outer: Node[];
  /** Starts of names that are no uses: those of arguments and of fields in literals. */
  labels: Set<number>;
  /** Starts of names that are marked as exported or hidden. */
  exported: Set<number>;
  hidden: Set<number>;
}

const USES: Record<string, ReferenceKind> = {
  call: "call",
  new: "new",
  inherit: "inherit",
  implement: "implement",
  "type.use": "type",
  use: "use",
};

/** Sorts what a query finds by what it is. The vocabulary is in docs/adding-a-language.md. */
export function collect(query: Query, root: Node): Raw {
  const raw: Raw = {
    symbols: [],
    locals: [],
    uses: [],
    scopes: [],
    imports: [],
    exports: [],
    fields: [],
    packages: [],
    outer: [],
    labels: new Set(),
    exported: new Set(),
    hidden: new Set(),
  };
  for (const match of query.matches(root)) add(raw, match);
  return raw;
}

function add(raw: Raw, match: QueryMatch): void {
  const named: Record<string, Node> = {};
  let symbol: { kind: SymbolKind; node: Node } | null = null;
  for (const { name, node } of match.captures) {
    const kind = USES[name];
    if (kind) raw.uses.push({ kind, node, receiver: named["receiver"] ?? null });
    else if (name.startsWith("symbol.")) symbol = { kind: name.slice(7) as SymbolKind, node };
    else named[name] = node;
  }
  if (symbol) addSymbol(raw, symbol, named);
  else if (named["import"] || named["reexport"] || named["include"]) addImport(raw, named);
  else addOther(raw, named);
}

function addSymbol(raw: Raw, symbol: { kind: SymbolKind; node: Node }, named: Record<string, Node>): void {
  const { name, body = null, owner = null, type = null, doc = null } = named;
  if (name) raw.symbols.push({ ...symbol, name, body, owner, type, doc });
  if (named["exported"] && name) raw.exported.add(name.startIndex);
  if (named["hidden"] && name) raw.hidden.add(name.startIndex);
}

function addImport(raw: Raw, named: Record<string, Node>): void {
  const kind = named["reexport"] ? "reexport" : named["include"] ? "include" : "import";
  const statement = named[kind];
  if (!statement) return;
  const byName = named["import.name"] ?? null;
  raw.imports.push({
    statement,
    kind,
    source: named["import.source"] ?? null,
    name: named["import.default"] ? "default" : named["import.all"] ? "*" : byName,
    local: named["import.alias"] ?? named["import.default"] ?? named["import.all"] ?? byName,
    path: named["import.path"] ?? null,
  });
}

function addOther(raw: Raw, named: Record<string, Node>): void {
  const scope = named["scope"] ?? named["scope.members"];
  const exported = named["export.local"];
  if (scope) raw.scopes.push({ node: scope, isMembers: named["scope.members"] !== undefined });
  else if (named["local"]) {
    const call = named["type.call"];
    raw.locals.push({
      name: named["local"],
      type: call ?? named["type"] ?? null,
      isCall: call !== undefined,
    });
  } else if (exported) {
    raw.exports.push({
      name: named["export.default"] ? "default" : (named["export.name"] ?? exported),
      local: exported,
    });
  } else if (named["field"] && named["type"]) raw.fields.push({ name: named["field"], type: named["type"] });
  if (named["exported"]) raw.exported.add(named["exported"].startIndex);
  if (named["hidden"]) raw.hidden.add(named["hidden"].startIndex);
  if (named["outer"]) raw.outer.push(named["outer"]);
  if (named["label"]) raw.labels.add(named["label"].startIndex);
  if (named["package"]) raw.packages.push(named["package"]);
}
