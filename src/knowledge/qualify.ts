import { renameMentions } from "./mentions.js";
import type { Deposit, Note, Rule } from "./types.js";

/** `acme/shop:src/a.ts`; a line number after a file is none. */
const QUALIFIED = /^[A-Za-z0-9][\w-]*\/[\w.-]+:[^\s\d]/;
/** Lies in the shared repository itself. */
const OF_KNOWLEDGE = /^context\//;
const REQUIREMENT = /^REQ-[\w-]+$/;

/** True for a path or name that says of which repository it is: `acme/shop:src/a.ts`. */
export function isQualified(name: string): boolean {
  return QUALIFIED.test(name);
}

/**
 * A deposit for the repository that several share: the paths and definitions that trigger it and that it speaks of say of which
 * repository they are. The title stays, because the note's file is called by it.
 */
export function qualify(deposit: Deposit, repository: string): Deposit {
  const named = (name: string) =>
    isQualified(name) || OF_KNOWLEDGE.test(name) ? name : `${repository}:${name}`;
  const said = (text: string) => renameMentions(text, (name) => (named(name) === name ? null : named(name)));
  return {
    ...deposit,
    note: qualifiedNote(deposit.note, named, said),
    rules: deposit.rules.map((rule) => qualifiedRule(rule, named, said)),
  };
}

/** The text of a shared file as the repository reads it that its own names are of: without its name before them. */
export function unqualify(text: string, repository: string): string {
  const name = repository.replace(/[^\w/-]/g, String.raw`\$&`);
  return text.replace(new RegExp(String.raw`(?<![\w./-])${name}:(?=[^\s\d])`, "gi"), "");
}

type Rewrite = (text: string) => string;

function qualifiedNote(note: Note, named: Rewrite, said: Rewrite): Note {
  const { triggers } = note;
  return {
    ...note,
    problem: said(note.problem),
    triggers: { ...triggers, paths: triggers.paths.map(named), symbols: triggers.symbols.map(named) },
    solution: said(note.solution),
    verification: said(note.verification),
    related: note.related.map((item) => (REQUIREMENT.test(item) ? named(item) : said(item))),
  };
}

function qualifiedRule(rule: Rule, named: Rewrite, said: Rewrite): Rule {
  return {
    ...rule,
    paths: rule.paths.map(named),
    symbols: rule.symbols.map(named),
    load: rule.load.map(named),
    alert: said(rule.alert),
    prose: said(rule.prose),
  };
}
