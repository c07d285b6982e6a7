import { readFile } from "node:fs/promises";
import { Language as Grammar, Parser, Query } from "web-tree-sitter";
import { type Language, grammarFile } from "../languages.js";

const QUERIES = new URL("../../../data/queries/", import.meta.url);

/** What parses and queries one language. */
export interface LoadedGrammar {
  parser: Parser;
  query: Query;
}

/** Loads each language's grammar at its first use, and keeps it. */
export function createGrammars(): { load(language: Language): Promise<LoadedGrammar> } {
  const loaded = new Map<string, Promise<LoadedGrammar>>();
  return {
    load: (language) => {
      const present = loaded.get(language.name);
      if (present) return present;
      const loading = load(language);
      loaded.set(language.name, loading);
      return loading;
    },
  };
}

async function load(language: Language): Promise<LoadedGrammar> {
  await Parser.init();
  const grammar = await Grammar.load(await readFile(grammarFile(language)));
  const names = language.queries ?? [language.name];
  const sources = await Promise.all(names.map((name) => readFile(new URL(`${name}.scm`, QUERIES), "utf8")));
  const parser = new Parser();
  parser.setLanguage(grammar);
  return { parser, query: new Query(grammar, sources.join("\n")) };
}
