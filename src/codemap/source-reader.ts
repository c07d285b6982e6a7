import { Query, type Tree } from "web-tree-sitter";
import { AccrueError, isAccrueError, messageOf } from "../shared/index.js";
import { extract, parse } from "./extract/extract.js";
import { type LoadedGrammar, createGrammars } from "./extract/grammars.js";
import { errorsOf } from "./extract/recover.js";
import { onlyScripts } from "./extract/script-blocks.js";
import { type Source, createSource, evenText } from "./extract/source.js";
import { LANGUAGES, type Language, languageOfFile } from "./languages.js";
import type { ImportFact } from "./types.js";

/** A place in one text. Lines count from 1, inclusive; `text` is the first line's. */
export interface SourcePlace {
  /** In UTF-16 units. */
  start: number;
  end: number;
  from: number;
  to: number;
  text: string;
}

/** Reads single texts as the code map does, without a tree of files around them. */
export interface SourceReader {
  /** The name of the language that a path's end stands for; null for one that the code map does not read. */
  languageOf(path: string): string | null;
  /** Where a text cannot be parsed; null when its language is not known, or it takes too long to tell. */
  errors(path: string, text: string): Promise<SourcePlace[] | null>;
  /** What a text imports; empty when its language is not known. */
  imports(path: string, text: string): Promise<ImportFact[]>;
  /** Names that a text defines. */
  names(path: string, text: string): Promise<string[]>;
  /**
   * What a tree-sitter query finds: the nodes captured as `@finding`, or else each match's first capture. Throws `CONFIG_INVALID`
   * for a query that the language's grammar does not know.
   */
  find(path: string, text: string, query: string): Promise<SourcePlace[]>;
}

/** A text that takes longer is not judged. */
const LIMIT_MS = 400;
const FINDING = "finding";

/** Makes a reader of single texts. */
export function createSourceReader(now: () => number): SourceReader {
  const { load } = createGrammars();
  const queries = new Map<string, Query>();
  const queryOf = ({ name }: Language, { source }: LoadedGrammar, text: string) => {
    const key = `${name}\0${text}`;
    const query = queries.get(key) ?? compile(name, source.grammar, text);
    queries.set(key, query);
    return query;
  };
  // Some languages' grammars are optional packages.
  const loadKnown = (language: Language) =>
    load(language).catch((error: unknown) => {
      if (isAccrueError(error, "GRAMMAR_MISSING")) return null;
      throw error;
    });
  const read = async <Found>(
    path: string,
    text: string,
    look: (found: { tree: Tree; source: Source; language: Language; grammar: LoadedGrammar }) => Found,
  ): Promise<Found | null> => {
    const language = languageOfFile(path, text);
    if (!language) return null;
    const grammar = await loadKnown(language);
    if (!grammar) return null;
    const even = evenText(text);
    const source = createSource(language.scripts ? onlyScripts(even) : even, language.words);
    const end = now() + LIMIT_MS;
    const tree = parse(source.text, grammar, () => now() > end);
    if (!tree) return null;
    try {
      return look({ tree, source, language, grammar });
    } finally {
      tree.delete();
    }
  };
  const facts = async (path: string, text: string) => {
    const language = languageOfFile(path, text);
    const grammar = language && (await loadKnown(language));
    return language && grammar && extract(text, language, grammar, now);
  };
  return {
    languageOf: (path) => languageOfFile(path)?.name ?? null,
    errors: (path, text) =>
      read(path, text, ({ tree, source }) =>
        errorsOf(tree.rootNode).map(({ startIndex }) => placeOf(source, startIndex, startIndex)),
      ),
    imports: async (path, text) => (await facts(path, text))?.imports ?? [],
    names: async (path, text) => (await facts(path, text))?.symbols.map(({ name }) => name) ?? [],
    find: async (path, text, query) =>
      (await read(path, text, ({ tree, source, language, grammar }) => {
        const end = now() + LIMIT_MS;
        const matches = queryOf(language, grammar, query).matches(tree.rootNode, {
          progressCallback: () => now() > end,
        });
        const nodes = matches.flatMap(({ captures }) => {
          const named = captures.filter(({ name }) => name === FINDING);
          return (named.length > 0 ? named : captures.slice(0, 1)).map(({ node }) => node);
        });
        return nodes.map(({ startIndex, endIndex }) => placeOf(source, startIndex, endIndex));
      })) ?? [],
  };
}

/** Names of the languages that a query can be written for. */
export const LANGUAGE_NAMES: readonly string[] = LANGUAGES.map(({ name }) => name);

function placeOf(source: Source, start: number, end: number): SourcePlace {
  const from = source.lineAt(start);
  return { start, end, from, to: source.lineAt(end), text: source.lineText(from).trim() };
}

function compile(language: string, grammar: ConstructorParameters<typeof Query>[0], text: string): Query {
  try {
    return new Query(grammar, text);
  } catch (cause) {
    throw new AccrueError(
      "CONFIG_INVALID",
      `A query in \`validate.custom\` is none of ${language}'s grammar (${messageOf(cause)}): correct it.`,
      { cause },
    );
  }
}
