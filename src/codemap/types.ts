/** What a definition can be. */
export const SYMBOL_KINDS = [
  "function",
  "method",
  "class",
  "interface",
  "type",
  "enum",
  "constant",
  "variable",
  "module",
  "macro",
] as const;

/** What a definition is. */
export type SymbolKind = (typeof SYMBOL_KINDS)[number];

/** How a name is used. */
export type ReferenceKind = "call" | "new" | "inherit" | "implement" | "type" | "import" | "use";

/** How sure a binding is: `certain` follows scopes and imports, `likely` a receiver's type, `guess` only a name. */
export type Confidence = "certain" | "likely" | "guess";

/** One definition of a file. Lines count from 1, inclusive; columns from 0, in UTF-16 units. */
export interface SymbolFact {
  name: string;
  /** With what it stands in: `Outer.inner`. A Go receiver, an `impl` type or a C++ scope counts as outer. */
  qualified: string;
  /** 0 for the first definition in the file with that qualified name, then 1, 2, … in source order. */
  ordinal: number;
  kind: SymbolKind;
  from: number;
  to: number;
  line: number;
  column: number;
  /** First line of the definition without its body, on one line, at most 200 characters. */
  signature: string;
  /** First paragraph of its doc comment, on one line, at most 300 characters; empty when there is none. */
  doc: string;
  isExported: boolean;
  /** Index of the definition it stands in, or -1. */
  parent: number;
  /** Name of a variable's or parameterless value's type, or of what a function returns; null when not written. */
  type: string | null;
}

/** One place where something outside of the nearest scopes' locals is named. */
export interface ReferenceFact {
  name: string;
  kind: ReferenceKind;
  line: number;
  column: number;
  /** Index of the innermost definition around it, or -1. */
  within: number;
  /** Index of the definition in this file that its scope binds it to; -1 when it must be looked for elsewhere. */
  target: number;
  /**
   * What stands before the dot of a member, as written and at most 60 characters: `x`, `this.store`, `a.b`; `()` at its end for
   * the result of a call; `?` for anything else; null when the name stands alone. For an import: the source it is imported from.
   */
  receiver: string | null;
  /** Type of the receiver where the scope tells: a name (`Store`), or `make()` for what calling `make` returns. */
  receiverType: string | null;
}

/** One name that an import brings in or passes on. */
export interface ImportBinding {
  /** Name in the source; `default`; `*` for all of it. */
  name: string;
  /** Name here; empty when none is made (`import "x"`, `export * from`). */
  local: string;
}

/** One import, require, include or re-export. */
export interface ImportFact {
  kind: "import" | "reexport" | "include";
  /** As written, without quotes: `./a.js`, `os.path`, `crate::io`, `com.acme`. */
  source: string;
  line: number;
  bindings: ImportBinding[];
}

/** A name that a file gives out, where it differs from its definitions' own marks: `export { a as b }`, `module.exports = { a }`. */
export interface ExportFact {
  name: string;
  local: string;
}

/** A field, property or parameter property of a class and its type, for receivers such as `this.store.save()`. */
export interface FieldFact {
  /** Index of the class. */
  owner: number;
  name: string;
  type: string;
}

/** Everything that one file's text says by itself; it depends on nothing outside of that text and its language. */
export interface FileFacts {
  language: string;
  lines: number;
  /** Why not everything could be read: `syntax error at line 12`, `took longer than 400 ms`; null when all of it was. */
  partial: string | null;
  /** The Java package, Go package name, C# or PHP namespaces, … that the file says it belongs to. */
  packages: string[];
  symbols: SymbolFact[];
  references: ReferenceFact[];
  imports: ImportFact[];
  exports: ExportFact[];
  fields: FieldFact[];
}
