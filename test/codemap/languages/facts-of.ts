import { readFile } from "node:fs/promises";
import { extract } from "../../../src/codemap/extract/extract.js";
import { createGrammars } from "../../../src/codemap/extract/grammars.js";
import { languageOfFile } from "../../../src/codemap/languages.js";
import type { FileFacts, ReferenceFact } from "../../../src/codemap/types.js";

const FIXTURES = new URL("../../fixtures/codemap/", import.meta.url);
const grammars = createGrammars();

/** Facts of a file as lines that can be read and compared. */
export interface ReadableFacts {
  facts: FileFacts;
  /** `kind qualified~ordinal from-to`, with `(hidden)` where other files may not use it. */
  symbols: string[];
  /** `line kind receiver.name`, with `-> qualified` where it is bound in the file. */
  references: string[];
}

/** Reads a text as the file of that name. */
export async function factsOf(path: string, text: string): Promise<ReadableFacts> {
  const language = languageOfFile(path, text);
  if (!language) throw new Error(`No language for ${path}.`);
  const facts = extract(text, language, await grammars.load(language), () => 0);
  const key = ({ qualified, ordinal }: FileFacts["symbols"][number]) =>
    `${qualified}${ordinal > 0 ? `~${ordinal}` : ""}`;
  const reference = ({ line, kind, name, receiver, receiverType, target }: ReferenceFact) => {
    const before = receiver === null ? "" : `${receiver}${receiverType ? `<${receiverType}>` : ""}.`;
    const symbol = facts.symbols[target];
    return `${line} ${kind} ${before}${name}${symbol ? ` -> ${key(symbol)}` : ""}`;
  };
  return {
    facts,
    symbols: facts.symbols.map(
      (symbol) =>
        `${symbol.kind} ${key(symbol)} ${symbol.from}-${symbol.to}${symbol.isExported ? "" : " (hidden)"}`,
    ),
    references: facts.references.map(reference),
  };
}

/** Reads a fixture: `ruby/store.rb`. */
export async function factsOfFixture(path: string): Promise<ReadableFacts> {
  return factsOf(path, await readFile(new URL(path, FIXTURES), "utf8"));
}
