import { GLOSSARY_PATH, parseGlossary } from "./glossary.js";
import { foldId, readLibrary } from "./library.js";
import { conflictProblem, isConflictMarker, readLines } from "./lines.js";
import type { Problem, Tree } from "./types.js";

/**
 * Everything that is wrong in the knowledge of a tree, in the order of files and lines. `roots` are the beginnings of paths,
 * besides `context/`, that the tree holds all of.
 */
export function checkKnowledge(tree: Tree, roots: readonly string[] = []): Problem[] {
  const library = readLibrary(tree);
  const glossary = parseGlossary(GLOSSARY_PATH, tree.get(GLOSSARY_PATH) ?? "");
  const problems = [...library.problems, ...glossary.problems, ...conflictsIn(tree)];
  const isKnown = (path: string) => ["context/", ...roots].some((root) => path.startsWith(root));
  const owners = new Map<string, string>();
  const claim = (id: string, place: { file: string; line: number }) => {
    const owner = owners.get(foldId(id));
    if (owner === undefined) owners.set(foldId(id), place.file);
    else if (owner !== place.file) {
      const message = `${id} is also in ${owner}: give one of the two an id of its own.`;
      problems.push({ ...place, code: "duplicate-id", message });
    }
  };
  for (const rule of library.rules) {
    claim(rule.id, rule);
    if (rule.status === "retired") continue;
    for (const path of rule.load.filter((target) => isKnown(target) && !tree.has(target))) {
      const message = `${rule.id} loads ${path}, which does not exist: correct the path or delete it.`;
      problems.push({ file: rule.file, line: rule.line, code: "load-missing", message });
    }
  }
  for (const note of library.notes) claim(note.id, { file: note.file, line: 1 });
  for (const { path, deposit } of library.deposits) {
    if (deposit) claim(deposit.note.id, { file: path, line: 1 });
    for (const rule of deposit?.rules ?? []) claim(rule.id, rule);
  }
  return problems
    .map(({ file, line, code, message }) => ({ file, line, code, message }))
    .sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1));
}

/** Left-over merge markers in documents: rules, notes and the glossary report their own. */
function conflictsIn(tree: Tree): Problem[] {
  const documents = [...tree].filter(
    ([path]) => /^context\/(business|tech)\/.*\.md$/.test(path) && path !== GLOSSARY_PATH,
  );
  return documents.flatMap(([path, text]) =>
    readLines(path, text)
      .lines.filter((line) => !line.isCode && isConflictMarker(line.text))
      .map((line) => conflictProblem(path, line.number)),
  );
}
