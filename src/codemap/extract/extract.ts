import type { Tree } from "web-tree-sitter";
import type { Language } from "../languages.js";
import type { FieldFact, FileFacts, SymbolKind } from "../types.js";
import { createCollector } from "./captures.js";
import type { LoadedGrammar } from "./grammars.js";
import { readImports } from "./imports.js";
import type { Raw } from "./raw.js";
import { firstError, recover } from "./recover.js";
import { settleOuter } from "./outer.js";
import { readReferences } from "./references.js";
import { onlyScripts } from "./script-blocks.js";
import { type Source, createSource, evenText } from "./source.js";
import { type PlacedSymbol, innermost, readSymbols } from "./symbols.js";

/** A file that takes longer than this to parse is not read at all, so that time is left for what its parts mean. */
const PARSE_MS = 300;
/** A file that takes longer than this to parse and to query is read in part only. */
const DEADLINE_MS = 400;
const OWNERS: ReadonlySet<SymbolKind> = new Set(["class", "interface", "module"]);

/** Reads what one file's text says by itself. Contract: never throws for any text; gives what can be had. */
export function extract(
  text: string,
  language: Language,
  grammar: LoadedGrammar,
  now: () => number,
): FileFacts {
  const even = evenText(text);
  const source = createSource(language.scripts ? onlyScripts(even) : even, language.words);
  const started = now();
  const tree = parse(source.text, grammar, () => now() > started + PARSE_MS);
  if (!tree) return { ...nothing(language, source), partial: `took longer than ${PARSE_MS} ms to parse` };
  try {
    return read(tree, { source, language, grammar, isLate: () => now() > started + DEADLINE_MS });
  } finally {
    tree.delete();
  }
}

/** Parses a text; null when it is late, so that nothing waits for a hostile one. */
export function parse(text: string, { parser }: LoadedGrammar, isLate: () => boolean): Tree | null {
  let isCut = false;
  let isParsing = true;
  // One token may take a scanner to the text's end, without a word to the callback: for a late one the text ends here.
  const part = (index: number) => {
    isCut ||= isParsing && isLate();
    return isCut ? "" : text.slice(index);
  };
  const tree = parser.parse(part, null, { progressCallback: isLate });
  isParsing = false;
  if (tree && !isCut) return tree;
  tree?.delete();
  parser.reset();
  return null;
}

function nothing(language: Language, { lines }: Source): FileFacts {
  const facts = { packages: [], symbols: [], references: [], imports: [], exports: [], fields: [] };
  return { language: language.name, lines, partial: null, ...facts };
}

interface Reading {
  source: Source;
  language: Language;
  grammar: LoadedGrammar;
  isLate: () => boolean;
}

function read(tree: Tree, { source, language, grammar, isLate }: Reading): FileFacts {
  const root = tree.rootNode;
  const { matcher, vocabulary } = grammar;
  const { raw, take } = createCollector(vocabulary, source.text);
  matcher.run(tree, { text: source.text, isLate, take });
  const cut = raw.cut ?? (isLate() ? `took longer than ${DEADLINE_MS} ms` : null);
  const { hasError } = root;
  if (hasError && cut === null) recover(raw, root, source);
  settleOuter(raw);
  const brought = new Set(raw.imports.map(({ localStart }) => localStart));
  const symbols = readSymbols(raw, source, language, brought);
  return {
    ...nothing(language, source),
    partial: cut !== null ? cut : hasError ? `syntax error at line ${firstError(root, source)}` : null,
    packages: raw.packages,
    symbols: symbols.map(({ fact }) => fact),
    references: readReferences(raw, symbols, source, language),
    imports: readImports(raw, source),
    exports: raw.exports.map(({ name, local }) => ({ name, local })),
    fields: readFields(raw, symbols),
  };
}

function readFields(raw: Raw, symbols: readonly PlacedSymbol[]): FieldFact[] {
  const found: FieldFact[] = [];
  const known = new Map<number, Set<string>>();
  const within = innermost(symbols);
  for (const { start, name, type } of raw.fields.sort((a, b) => a.start - b.start)) {
    let owner = within(start);
    while (owner >= 0 && !OWNERS.has(symbols[owner]?.fact.kind ?? "function"))
      owner = symbols[owner]?.fact.parent ?? -1;
    const names = known.get(owner) ?? new Set();
    if (owner < 0 || names.has(name)) continue;
    known.set(owner, names.add(name));
    found.push({ owner, name, type });
  }
  return found;
}
