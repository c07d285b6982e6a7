import type { Node, Tree } from "web-tree-sitter";
import type { Language } from "../languages.js";
import type { FieldFact, FileFacts, ImportFact } from "../types.js";
import { type Raw, collect } from "./captures.js";
import type { LoadedGrammar } from "./grammars.js";
import { readReferences } from "./references.js";
import { createSource, type Source } from "./source.js";
import { type PlacedSymbol, readSymbols } from "./symbols.js";

/** A file that takes longer than this to parse is read in part only. */
const DEADLINE_MS = 500;

/** Reads what one file's text says by itself. Contract: never throws for any text; gives what can be had. */
export function extract(
  text: string,
  language: Language,
  grammar: LoadedGrammar,
  now: () => number,
): FileFacts {
  const source = createSource(text, language.words);
  const started = now();
  const progressCallback = () => now() - started > DEADLINE_MS;
  const tree = grammar.parser.parse(text, null, { progressCallback });
  if (!tree) {
    grammar.parser.reset();
    return { ...nothing(language, source), partial: `took longer than ${DEADLINE_MS} ms to parse` };
  }
  try {
    return read(tree, source, language, grammar);
  } finally {
    tree.delete();
  }
}

function nothing(language: Language, { lines }: Source): FileFacts {
  const facts = { packages: [], symbols: [], references: [], imports: [], exports: [], fields: [] };
  return { language: language.name, lines: lines.length, partial: null, ...facts };
}

function read(tree: Tree, source: Source, language: Language, { query }: LoadedGrammar): FileFacts {
  const root = tree.rootNode;
  const raw = collect(query, root);
  const symbols = readSymbols(raw, source, language);
  const references = readReferences(raw, symbols, source, language);
  return {
    ...nothing(language, source),
    partial: root.hasError ? "syntax error" : null,
    packages: raw.packages.map((node) => node.text),
    symbols: symbols.map(({ fact }) => fact),
    references,
    imports: readImports(raw),
    fields: readFields(raw, symbols),
    exports: raw.exports.map(({ name, local }) => ({
      name: name === "default" ? name : name.text,
      local: local.text,
    })),
  };
}

function readFields(raw: Raw, symbols: readonly PlacedSymbol[]): FieldFact[] {
  return raw.fields.flatMap(({ name, type }) => {
    const at = name.startIndex;
    const owner = symbols.findLastIndex(
      ({ fact, start, end }) =>
        start <= at && at < end && (fact.kind === "class" || fact.kind === "interface"),
    );
    return owner < 0 ? [] : [{ owner, name: name.text, type: type.text }];
  });
}

function readImports(raw: Raw): ImportFact[] {
  const found = new Map<number, ImportFact>();
  for (const { statement, kind, source, name, local } of raw.imports) {
    const present = found.get(statement.id) ?? {
      kind,
      source: source?.text ?? "",
      line: statement.startPosition.row + 1,
      bindings: [],
    };
    if (name !== null)
      present.bindings.push({ name: nameOf(name), local: local?.text.replace(/^\*$/, "") ?? "" });
    found.set(statement.id, present);
  }
  return [...found.values()].sort((a, b) => a.line - b.line);
}

function nameOf(name: Node | "default" | "*"): string {
  return typeof name === "string" ? name : name.text;
}
