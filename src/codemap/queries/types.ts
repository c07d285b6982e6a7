import type { FoundReference, MappedSymbol, Refreshed } from "../map-types.js";
import type { Confidence, SymbolKind } from "../types.js";

/** A file that could not be read as a whole, so that an answer about it may miss something. */
export interface Warning {
  path: string;
  reason: string;
}

/** A list that may be cut: how many more there are, and what may be missing from it. */
export interface Listing<Item> {
  items: Item[];
  truncated: number;
  /** True where the search ended before all were seen, so that there may be more still. */
  isOpen?: boolean;
  warnings: Warning[];
}

/** A use with the line number and key of what uses it. */
export interface Use extends FoundReference {
  isTest: boolean;
}

/** Something that depends on a definition, over how many steps, and through which one. */
export interface Dependent {
  symbol: MappedSymbol;
  depth: number;
  /** The surest way there; a chain is as sure as its weakest use. */
  confidence: Confidence;
  /** Key of what it uses. */
  through: string;
}

/** A definition that a change takes away, and who still names it. */
export interface Removed {
  name: string;
  /** Where it was. */
  path: string;
  /** `within` is the key of what uses it; null at a file's top. */
  users: { path: string; line: number; within: string | null }[];
}

/** What a change can break. */
export interface Impact {
  /** What is changed itself. */
  changed: MappedSymbol[];
  /** What a diff takes away, where somebody still names it. */
  removed: Removed[];
  /** What uses it, directly or not, nearest first; without tests. */
  symbols: Dependent[];
  /** Files with something that uses it, and files that are changed; without tests. */
  files: string[];
  /** Test files that reach it. */
  tests: string[];
  /** What people or other packages start with: given out by a package's entry, or used by nobody here. */
  entryPoints: string[];
  truncated: number;
  warnings: Warning[];
}

/** A definition's text. */
export interface DefinitionText {
  symbol: MappedSymbol;
  lines: [number, number];
  text: string;
  warnings: Warning[];
}

/** A neighbourhood: files or symbols, and who uses whom. */
export interface Graph {
  nodes: GraphNode[];
  edges: { from: string; to: string }[];
  truncated: number;
  warnings: Warning[];
}

/** A file or symbol of a graph. */
export interface GraphNode {
  /** A path or a key. */
  id: string;
  label: string;
  /** 0 for what was asked for, negative for what uses it, positive for what it uses. */
  layer: number;
  isTest: boolean;
}

/** Which definitions a package starts with or gives out. */
export interface EntryPoints {
  has(symbol: MappedSymbol): boolean;
}

/** A symbol's structure, and what is known about it. */
export interface Lookup<Known> {
  symbol: MappedSymbol;
  references: Listing<Use>;
  implementers: MappedSymbol[];
  /** What the passed-in function says; null without one. */
  knowledge: Known | null;
}

/** Files and definitions as somebody wrote them down, maybe long ago: paths, `path#name`, names. */
export interface Names {
  files: readonly string[];
  symbols: readonly string[];
}

/** What they are called in the tree now: a path, or a key. What is not known for certain is left out. */
export interface Followed {
  files: ReadonlyMap<string, string>;
  symbols: ReadonlyMap<string, string>;
}

/** How long a list may be. */
export interface Limit {
  limit?: number;
}

/** Where symbols are, who uses them, and what a change can break, in a tree as last refreshed. Keys are `path#Outer.name~2`. */
export interface CodeMap {
  /** With `paths`, only these files are looked at, without asking git. */
  refresh(signal: AbortSignal, paths?: readonly string[]): Promise<Refreshed>;
  /** Whether a path, as a person writes it, is a mapped file. */
  hasFile(path: string): boolean;
  find(name: string, options?: Limit & { kind?: SymbolKind | null }): Listing<MappedSymbol>;
  /** The definition that a key, or a name that is defined once, stands for. Throws `INPUT_INVALID` with the nearest ones. */
  symbol(key: string): MappedSymbol;
  definition(key: string): Promise<DefinitionText>;
  references(key: string, options?: Limit & { least?: Confidence }): Listing<Use>;
  callers(key: string, options?: Limit & { depth?: number }): Listing<Dependent>;
  implementers(key: string, options?: Limit): Listing<MappedSymbol>;
  /** Of a symbol by its key, or of a whole file by its path. */
  impact(keyOrPath: string, options?: Limit & { depth?: number }): Impact;
  /** Of a unified diff whose new side is the tree. */
  impactOfDiff(diff: string, options?: Limit & { depth?: number }): Impact;
  importers(path: string, options?: Limit): Listing<string>;
  /** Of a file: its symbols. Of a folder: the symbols of its files that others may use. `.` is the whole tree. */
  outline(path: string, options?: Limit): Listing<MappedSymbol>;
  /** What is given out to other files, and used by none. */
  unused(options?: Limit): Listing<MappedSymbol>;
  /** The tree for whoever sees it first: folders, then the symbols that most files use. */
  overview(maxTokens: number): string;
  /** Of a file or a symbol. */
  graph(keyOrPath: string, options?: Limit & { depth?: number }): Graph;
  /** Where files and definitions that somebody wrote down are now; what is not known for certain is left out. */
  follow(names: Names): Promise<Followed>;
  /** Structure and history in one answer: `knowledge` says what is known about the definition. */
  lookup<Known>(
    key: string,
    knowledge?: ((symbol: MappedSymbol) => Promise<Known>) | null,
    options?: Limit,
  ): Promise<Lookup<Known>>;
}
