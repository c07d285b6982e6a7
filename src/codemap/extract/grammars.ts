import { readFile } from "node:fs/promises";
import { Language as Grammar, Parser, Query } from "web-tree-sitter";
import { type Language, grammarFile } from "../languages.js";
import { type Matcher, createMatcher } from "./matches.js";
import { startRuntime } from "./runtime.js";
import { type Vocabulary, readVocabulary } from "./vocabulary.js";

const QUERIES = new URL("../../../data/queries/", import.meta.url);

/** What parses and queries one language. */
export interface LoadedGrammar {
  parser: Parser;
  query: Query;
  matcher: Matcher;
  vocabulary: Vocabulary;
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
  const runtime = await startRuntime();
  const grammar = await Grammar.load(await readFile(grammarFile(language)));
  const names = language.queries ?? [language.name];
  const sources = await Promise.all(names.map((name) => readFile(new URL(`${name}.scm`, QUERIES), "utf8")));
  const parser = new Parser();
  parser.setLanguage(grammar);
  const query = new Query(grammar, sources.join("\n"));
  return {
    parser,
    query,
    matcher: createMatcher(query, runtime),
    vocabulary: readVocabulary(query.captureNames),
  };
}
