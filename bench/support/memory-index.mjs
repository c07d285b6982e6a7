// An index of given files in memory, extracted at once: the binder's side alone is measured, not the store's.
import { createGrammars } from "../../dist/codemap/extract/grammars.js";
import { extract } from "../../dist/codemap/extract/extract.js";
import { languageOfFile } from "../../dist/codemap/languages.js";

/** Extracts texts by path; `settings` gives the text of any other file of the tree. */
export async function memoryIndex(texts, paths, settings) {
  const grammars = createGrammars();
  const facts = new Map();
  for (const [path, text] of [...texts].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const language = languageOfFile(path);
    if (!language) continue;
    facts.set(
      path,
      extract(text, language, await grammars.load(language), () => performance.now()),
    );
  }
  const defining = byName(facts, ({ symbols }) => symbols);
  const using = byName(facts, ({ references }) => references);
  const files = [...facts].map(([path, { language, partial }]) => ({
    path,
    blob: "",
    language,
    isTest: false,
    partial,
  }));
  return {
    files: () => files,
    file: (path) => files.find((file) => file.path === path) ?? null,
    facts: (path) => facts.get(path) ?? null,
    defining: (name) => defining.get(name) ?? [],
    using: (name) => using.get(name) ?? [],
    names: () => [],
    settingsFile: settings,
    paths: () => paths,
  };
}

function byName(facts, of) {
  const found = new Map();
  for (const [path, each] of facts)
    for (const name of new Set(of(each).map((fact) => fact.name))) {
      const present = found.get(name);
      if (present) present.push(path);
      else found.set(name, [path]);
    }
  return found;
}
