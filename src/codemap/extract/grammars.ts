import { readFile } from "node:fs/promises";
import { Language as Grammar, Parser } from "web-tree-sitter";
import { type Language, grammarFile } from "../languages.js";
import { type Matcher, type QuerySource, createMatcher } from "./matcher.js";
import { startRuntime } from "./runtime.js";
import { type Vocabulary, readVocabulary } from "./vocabulary.js";

const QUERIES = new URL("../../../data/queries/", import.meta.url);

/** What parses one language, and finds what its query asks for. */
export interface LoadedGrammar {
  parser: Parser;
  source: QuerySource;
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
  const names = (language.queries ?? [language.name]).map((name) => `${name}.scm`);
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, QUERIES), "utf8")));
  const files = names.map((name, index) => ({ name, text: texts[index] ?? "" }));
  const parser = new Parser();
  parser.setLanguage(grammar);
  const source = { parser, grammar, files };
  const matcher = createMatcher(source, runtime);
  return { parser, source, matcher, vocabulary: readVocabulary(matcher.captureNames) };
}
