import { isDepositPath, parseDeposit, targetOf } from "./deposit.js";
import { parseNote } from "./note.js";
import { RULE_FILES, RULE_KINDS } from "./rule-keys.js";
import { parseRules } from "./rules.js";
import type { Deposit, Note, Problem, Rule, Tree } from "./types.js";

/** A deposit file as found, with what is wrong in it. */
export interface DepositFile {
  path: string;
  deposit: Deposit | null;
  problems: Problem[];
  /** True when the document that it is for says it already: then the document is shown, not the deposit. */
  isWritten: boolean;
}

/** All knowledge of a tree, read once. */
export interface Library {
  rules: Rule[];
  notes: Note[];
  deposits: DepositFile[];
  /** Of rule files, notes and deposits, in the order of their files. */
  problems: Problem[];
}

/** Rules and notes that may fire, with those of trusted deposits that were not folded yet. */
export interface Live {
  rules: { rule: Rule; isPending: boolean }[];
  notes: { note: Note; isPending: boolean }[];
}

/** Reads every rule file, note and deposit of a tree, in the order of their paths. */
export function readLibrary(tree: Tree): Library {
  const library: Library = { rules: [], notes: [], deposits: [], problems: [] };
  for (const kind of RULE_KINDS) {
    const text = tree.get(RULE_FILES[kind]);
    if (text === undefined) continue;
    const { rules, problems } = parseRules(RULE_FILES[kind], text, kind);
    library.rules.push(...rules);
    library.problems.push(...problems);
  }
  for (const [path, text] of sorted(tree)) {
    if (isNotePath(path)) {
      const { note, problems } = parseNote(path, text);
      library.notes.push(note);
      library.problems.push(...problems);
    } else if (isDepositPath(path)) {
      const { deposit, problems } = parseDeposit(path, text);
      library.deposits.push({
        path,
        deposit,
        problems,
        isWritten: deposit !== null && isWritten(tree, deposit),
      });
      library.problems.push(...problems);
    }
  }
  return library;
}

/** Every rule of a tree, whatever its status, also those that wait in deposits. */
export function allRules(tree: Tree): Rule[] {
  const { rules, deposits } = readLibrary(tree);
  return [...rules, ...deposits.flatMap(({ deposit }) => deposit?.rules ?? [])];
}

/** True when a document names the note, as `withSection` asks before it writes one. */
function isWritten(tree: Tree, { into, note }: Deposit): boolean {
  return into !== undefined && (tree.get(into) ?? "").toUpperCase().includes(note.id.toUpperCase());
}

/** True for the path of a folded note. */
export function isNotePath(path: string): boolean {
  return path.startsWith("context/experience/") && path.endsWith(".md");
}

/** What may fire: active, not from untrusted text, and each id once (what is folded goes before its deposit). */
export function liveKnowledge(library: Library): Live {
  const live: Live = { rules: [], notes: [] };
  const seen = new Set<string>();
  const isNew = (id: string) => !seen.has(foldId(id)) && Boolean(seen.add(foldId(id)));
  for (const rule of library.rules) if (isNew(rule.id)) live.rules.push({ rule, isPending: false });
  for (const note of library.notes) if (isNew(note.id)) live.notes.push({ note, isPending: false });
  for (const { deposit, isWritten: isInDocument } of library.deposits) {
    if (!deposit || deposit.note.trust === "untrusted") continue;
    const future = targetOf(deposit);
    for (const rule of deposit.rules) {
      // Its note lies in the deposit until the fold.
      const load = rule.load.map((path) => (path === future && !isInDocument ? deposit.note.file : path));
      if (isNew(rule.id)) live.rules.push({ rule: { ...rule, load }, isPending: true });
    }
    if (!isInDocument && isNew(deposit.note.id)) live.notes.push({ note: deposit.note, isPending: true });
  }
  return {
    rules: live.rules.filter(({ rule }) => rule.status === "active"),
    notes: live.notes.filter(({ note }) => note.status === "active" && note.trust !== "untrusted"),
  };
}

/** An id as it is compared: file systems and people do not keep its case. */
export function foldId(id: string): string {
  return id.normalize("NFKC").toUpperCase();
}

function sorted(tree: Tree): [string, string][] {
  return [...tree].sort(([a], [b]) => (a < b ? -1 : 1));
}
