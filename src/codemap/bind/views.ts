import { LANGUAGES, type Language } from "../languages.js";
import type { Index } from "../map-types.js";
import type { FileFacts, ImportBinding, ImportFact, ReferenceFact, SymbolFact } from "../types.js";

/** One name that an import makes in a file. */
export interface Imported {
  fact: ImportFact;
  binding: ImportBinding;
}

/** A file's facts with what is looked up in them again and again. */
export interface View {
  path: string;
  language: Language;
  facts: FileFacts;
  symbol(index: number): SymbolFact | null;
  reference(index: number): ReferenceFact | null;
  /** Definitions that stand in another (-1: in none) with a name. */
  children(parent: number, name: string): readonly number[];
  /** Definitions that stand in no other one with a name. */
  top(name: string): readonly number[];
  /** Definitions with a qualified name, wherever they stand. */
  qualified(name: string): readonly number[];
  /** Definitions with a name, wherever they stand. */
  named(name: string): readonly number[];
  /** Uses with a name, in source order. */
  uses(name: string): readonly number[];
  /** Imports that make a local name. */
  imported(local: string): readonly Imported[];
  /** References in a definition's head that name what it inherits from or implements. */
  bases(symbol: number): readonly number[];
}

/** The files of the tree as last refreshed. */
export interface Views {
  index: Index;
  /** Null when the file is not mapped. */
  of(path: string): View | null;
  has(path: string): boolean;
  /** Computes once per key until the tree changes. */
  once<T>(key: string, compute: () => T): T;
}

/** Looks into an index's files, and forgets what it saw when the index was refreshed. */
export function createViews(index: Index): Views {
  let generation: unknown = null;
  let views = new Map<string, View | null>();
  let kept = new Map<string, unknown>();
  let paths = new Set<string>();
  const renew = () => {
    const files = index.files();
    if (files === generation) return;
    generation = files;
    views = new Map();
    kept = new Map();
    paths = new Set(index.paths());
  };
  return {
    index,
    of: (path) => {
      renew();
      const present = views.get(path);
      if (present !== undefined) return present;
      const facts = index.facts(path);
      const view = facts && createView(path, facts);
      views.set(path, view);
      return view;
    },
    has: (path) => {
      renew();
      return paths.has(path);
    },
    once: <T>(key: string, compute: () => T): T => {
      renew();
      if (!kept.has(key)) kept.set(key, compute());
      return kept.get(key) as T;
    },
  };
}

const BY_NAME = new Map(LANGUAGES.map((language) => [language.name, language]));
const NONE: readonly never[] = [];

function createView(path: string, facts: FileFacts): View | null {
  const language = BY_NAME.get(facts.language);
  if (!language) return null;
  const { symbols, references, imports } = facts;
  const children = lazily(() =>
    group(symbols.map(({ parent, name }, index) => [`${parent}.${name}`, index])),
  );
  const qualified = lazily(() => group(symbols.map((symbol, index) => [symbol.qualified, index])));
  const named = lazily(() => group(symbols.map(({ name }, index) => [name, index])));
  const uses = lazily(() => group(references.map(({ name }, index) => [name, index])));
  const imported = lazily(() =>
    group(imports.flatMap((fact) => fact.bindings.map((binding) => [binding.local, { fact, binding }]))),
  );
  const bases = lazily(() =>
    group(
      references.flatMap(({ kind, within }, index) =>
        kind === "inherit" || kind === "implement" ? [[within, index] as const] : [],
      ),
    ),
  );
  return {
    path,
    language,
    facts,
    symbol: (index) => symbols[index] ?? null,
    reference: (index) => references[index] ?? null,
    children: (parent, name) => children().get(`${parent}.${name}`) ?? NONE,
    top: (name) => (children().get(`-1.${name}`) ?? NONE).filter((each) => symbols[each]?.qualified === name),
    qualified: (name) => qualified().get(name) ?? NONE,
    named: (name) => named().get(name) ?? NONE,
    uses: (name) => uses().get(name) ?? NONE,
    imported: (local) => imported().get(local) ?? NONE,
    bases: (symbol) => bases().get(symbol) ?? NONE,
  };
}

function lazily<T>(compute: () => T): () => T {
  let value: { is: T } | null = null;
  return () => (value ??= { is: compute() }).is;
}

function group<K, V>(pairs: readonly (readonly [K, V])[]): Map<K, V[]> {
  const groups = new Map<K, V[]>();
  for (const [key, value] of pairs) {
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return groups;
}
