import { liveKnowledge, readLibrary } from "./library.js";
import { oncePerTree } from "./once-per-tree.js";
import type { Lookups, Tree } from "./types.js";
import { citedCode, isCitedText } from "./verify.js";

/** Reads code as it is now. */
export interface CitedCode {
  /** Null where there is no such file. */
  file(path: string): Promise<string | null>;
  /** The text of a definition, also where it has moved since; null where it is gone; undefined where nobody can tell. */
  definition(path: string, symbol: string): Promise<string | null | undefined>;
}

const citedIn = oncePerTree((tree) =>
  citedCode(liveKnowledge(readLibrary(tree)).notes.map(({ note }) => note)),
);

/** Looks up the code that the notes of a tree cite, so that they can be verified; a definition only where its file has changed. */
export async function lookUpCited(tree: Tree, code: CitedCode): Promise<Lookups> {
  const files = new Map<string, string>();
  const definitions = new Map<string, string | null>();
  for (const { path, symbol, hash } of citedIn(tree)) {
    const text = files.get(path) ?? tree.get(path) ?? (await code.file(path));
    if (text !== null) files.set(path, text);
    if (symbol === null || (text !== null && isCitedText(text, hash))) continue;
    const key = `${path}#${symbol}`;
    const known = definitions.has(key) ? definitions.get(key) : await code.definition(path, symbol);
    if (known !== undefined) definitions.set(key, known);
  }
  return {
    fileText: (path) => files.get(path) ?? null,
    symbolText: (path, symbol) => definitions.get(`${path}#${symbol}`),
  };
}
