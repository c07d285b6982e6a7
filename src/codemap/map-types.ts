import type { TreeEntry } from "../git/index.js";
import type { Confidence, FileFacts, ReferenceKind, SymbolFact } from "./types.js";

/** A checkout as the code map reads it: tracked files and new ones that are not ignored, no links, no submodules. */
export interface TreeSource {
  list(signal: AbortSignal): Promise<TreeEntry[]>;
  /** Null when there is no such regular file any more. */
  read(path: string): Promise<Buffer | null>;
}

/** One file as the map knows it. */
export interface MappedFile {
  path: string;
  blob: string;
  language: string;
  isTest: boolean;
  partial: string | null;
}

/** A definition with its place. */
export interface MappedSymbol extends SymbolFact {
  path: string;
  /** `path#qualified`, with `~2` from the second definition of that name on: unique in the tree. */
  key: string;
  isTest: boolean;
}

/** What a refresh found and did. */
export interface Refreshed {
  files: number;
  symbols: number;
  references: number;
  partial: { path: string; reason: string }[];
  /** Files that were not mapped although their language is known: vendored, generated, minified, too large, binary. */
  skipped: { path: string; reason: string }[];
  /** Files whose facts were known already; files that were read; paths that are gone or new since the last refresh. */
  reused: number;
  read: number;
  changed: string[];
  ms: number;
}

/** One use of a definition. */
export interface FoundReference {
  path: string;
  line: number;
  column: number;
  kind: ReferenceKind;
  confidence: Confidence;
  /** Key of the definition that uses it; null at a file's top. */
  within: string | null;
}

/** What the binder and the queries need of an indexed tree. All answers are of the tree as last refreshed. */
export interface Index {
  /** Sorted by path. */
  files(): readonly MappedFile[];
  file(path: string): MappedFile | null;
  /** Null when the file is not mapped. */
  facts(path: string): FileFacts | null;
  /** Paths of files that define, or use, a name; sorted. */
  defining(name: string): string[];
  using(name: string): string[];
  /** Names of definitions that begin with a text, then those that contain it, whatever their case; each sorted, at most `limit`. */
  names(text: string, limit: number): string[];
  /** A file that says how names are found (`package.json`, `tsconfig.json`, `go.mod`, `Cargo.toml`), wherever it is not ignored. */
  settingsFile(path: string): string | null;
  /** Paths of all files in the tree, mapped or not; sorted. */
  paths(): readonly string[];
}

/** Binds names to definitions, at query time. */
export interface Binder {
  /** What a use in a file is bound to, surest first; the same confidence may stand for several (overloads, branches). */
  targets(path: string, reference: number): { path: string; symbol: number; confidence: Confidence }[];
  /** All uses of one definition. */
  references(path: string, symbol: number): (FoundReference & { index: number })[];
  /** Files that a file imports, in the tree. */
  imports(path: string): string[];
  /** Files that import a file. */
  importers(path: string): string[];
  /** Definitions that inherit from or implement one. */
  implementers(path: string, symbol: number): { path: string; symbol: number; confidence: Confidence }[];
}
