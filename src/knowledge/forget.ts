import { withoutSection } from "./document-section.js";
import { formatNote } from "./format-note.js";
import { foldId, readLibrary } from "./library.js";
import { setRuleStatus } from "./rule-file.js";
import { RULE_FILES, RULE_KINDS } from "./rule-keys.js";
import type { Tree } from "./types.js";

/** What forgetting changes, and how to take it back. */
export interface Forgotten {
  /** Path → new text, or null to delete. */
  writes: Map<string, string | null>;
  /** Ids that do not count any more. */
  ids: string[];
  /** What a person does to have it back; one line for each file. */
  undo: string[];
}

/**
 * Retires a note with its rules, or a rule alone, by its id in any case. A deposit that was not folded yet is deleted, and what
 * stands in a document is taken out of it: history has both.
 * Contract: null when nothing has the id.
 */
export function forget(tree: Tree, id: string): Forgotten | null {
  const wanted = foldId(id.trim());
  const library = readLibrary(tree);
  const forgotten: Forgotten = { writes: new Map(), ids: [], undo: [] };
  const isMeant = (other: string) => foldId(other) === wanted;
  const retiring = new Set(
    library.rules
      .filter((rule) => isMeant(rule.id) || (rule.source.match(/\bEXP-\w+/gi) ?? []).some(isMeant))
      .map((rule) => foldId(rule.id)),
  );
  for (const { path, deposit } of library.deposits) {
    if (!deposit || ![deposit.id, deposit.note.id].some(isMeant)) continue;
    forgotten.writes.set(path, null);
    forgotten.ids.push(deposit.note.id, ...deposit.rules.map((rule) => rule.id));
    forgotten.undo.push(`restore ${path} from history`);
  }
  for (const note of library.notes.filter((candidate) => isMeant(candidate.id))) {
    forgotten.writes.set(note.file, formatNote({ ...note, status: "retired" }));
    forgotten.ids.push(note.id);
    forgotten.undo.push(`set "status: active" in ${note.file}`);
  }
  forgetSections(tree, wanted, forgotten);
  for (const kind of RULE_KINDS) {
    const file = RULE_FILES[kind];
    const text = tree.get(file);
    const here = library.rules.filter((rule) => rule.kind === kind && retiring.has(foldId(rule.id)));
    if (text === undefined || here.length === 0) continue;
    forgotten.writes.set(file, setRuleStatus(text, retiring, "retired"));
    const names = here.map((rule) => rule.id);
    forgotten.ids.push(...names);
    forgotten.undo.push(`set "status: active" of ${names.join(", ")} in ${file}`);
  }
  return forgotten.ids.length === 0 ? null : forgotten;
}

function forgetSections(tree: Tree, wanted: string, forgotten: Forgotten): void {
  if (!/^EXP-\w{4,}$/.test(wanted)) return;
  for (const [path, text] of tree) {
    if (!/^context\/(business|tech)\/.*\.md$/.test(path)) continue;
    const rest = withoutSection(text, wanted);
    if (rest === text) continue;
    forgotten.writes.set(path, rest);
    forgotten.ids.push(wanted);
    forgotten.undo.push(`restore the section of ${wanted} in ${path} from history`);
  }
}
