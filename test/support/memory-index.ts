import { extract } from "../../src/codemap/extract/extract.js";
import { createGrammars } from "../../src/codemap/extract/grammars.js";
import { languageOfFile } from "../../src/codemap/languages.js";
import type { Index, MappedFile } from "../../src/codemap/map-types.js";
import type { FileFacts } from "../../src/codemap/types.js";

const grammars = createGrammars();

/** An index of a few files in memory, and which of them were decoded. */
export interface MemoryIndex extends Index {
  decoded: Set<string>;
}

/** Extracts a small tree at once. */
export async function memoryIndex(tree: Record<string, string>): Promise<MemoryIndex> {
  const facts = new Map<string, FileFacts>();
  for (const [path, text] of Object.entries(tree)) {
    const language = languageOfFile(path);
    if (language)
      facts.set(
        path,
        extract(text, language, await grammars.load(language), () => 0),
      );
  }
  const decoded = new Set<string>();
  const files = [...facts]
    .map(([path, { language, partial }]): MappedFile => ({
      path,
      blob: "",
      language,
      isTest: false,
      partial,
    }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const naming = (name: string, of: (facts: FileFacts) => readonly { name: string }[]) =>
    files
      .map(({ path }) => path)
      .filter((path) => of(factsOf(facts, path)).some((each) => each.name === name));
  return {
    decoded,
    files: () => files,
    file: (path) => files.find((file) => file.path === path) ?? null,
    facts: (path) => {
      decoded.add(path);
      return facts.get(path) ?? null;
    },
    defining: (name) => naming(name, ({ symbols }) => symbols),
    using: (name) => naming(name, ({ references }) => references),
    names: () => [],
    settingsFile: (path) => tree[path] ?? null,
    paths: () => Object.keys(tree).sort(),
  };
}

function factsOf(facts: ReadonlyMap<string, FileFacts>, path: string): FileFacts {
  const found = facts.get(path);
  if (!found) throw new Error(`${path} was not extracted`);
  return found;
}
