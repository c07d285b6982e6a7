import type { Language } from "../shared/index.js";
import { formatContextIndex, INDEX_PATH } from "./context-index.js";
import { targetOf } from "./deposit.js";
import { withSection } from "./document-section.js";
import { formatNote } from "./format-note.js";
import { formatRule } from "./format-rule.js";
import { GLOSSARY_PATH, parseGlossary, proposedLine } from "./glossary.js";
import { foldId, readLibrary, type DepositFile, type Library } from "./library.js";
import { RULE_FILES, RULE_KINDS } from "./rule-keys.js";
import { foldText } from "./words.js";
import type { Deposit, FoldInput, FoldResult, Note, Rule, RuleKind, Tree } from "./types.js";

const DAY_MS = 86_400_000;
const RULE_TITLES: Readonly<Record<RuleKind, Readonly<Record<Language, string>>>> = {
  context: { en: "Context rules", zh: "上下文规则" },
  risk: { en: "Risk rules", zh: "风险规则" },
  service: { en: "Service rules", zh: "服务规则" },
  pattern: { en: "Pattern rules", zh: "模式规则" },
};
const GLOSSARY_TITLES = { en: "Names that mean the same", zh: "同义的名称" } as const;

interface Reasons {
  untrusted: string;
  block(id: string): string;
  clash(id: string, file: string): string;
}
const REASONS: Readonly<Record<Language, Reasons>> = {
  en: {
    untrusted: "its text comes from someone without write access",
    block: (id) => `${id} asks for level block`,
    clash: (id, file) => `${id} exists with another text in ${file}, both are kept`,
  },
  zh: {
    untrusted: "内容来自没有写权限的人",
    block: (id) => `${id} 要求级别 block（会拦住工作）`,
    clash: (id, file) => `${id} 在 ${file} 中已有不同的内容，两者都已保留`,
  },
};

/**
 * Computes what the fold changes: deposits become notes and rules, the index is written anew. A deposit goes in whole or
 * stays whole: one that needs a person stays where it is and is named in the summary.
 * Contract: folding the result again writes nothing.
 */
export function fold(tree: Tree, input: FoldInput): FoldResult {
  const folded = new Map(tree);
  const library = readLibrary(tree);
  const summary = input.completed.map(({ requirement }) => `${requirement} is completed`);
  const review: FoldResult["review"] = [];
  for (const file of library.deposits) {
    const { path } = file;
    const isReviewed = input.reviewed?.has(path) === true;
    const deposit = file.deposit && isReviewed ? reviewed(file.deposit) : file.deposit;
    const say = REASONS[input.language];
    const reasons = holdReasons({ ...file, deposit }, { library, isReviewed, say });
    if (!deposit || reasons.length > 0) {
      const target = file.deposit ? targetOf(file.deposit) : "";
      review.push({ path, deposit: file.deposit, target, reasons });
      summary.push(`${path} waits for a person${waiting(deposit, input.now)}: ${reasons.join("; ")}`);
      continue;
    }
    const twin = twinOf(deposit, library);
    if (twin) {
      folded.delete(path);
      summary.push(`${deposit.note.id} says the same as ${twin.id}, which stays the only one`);
      continue;
    }
    apply(folded, { deposit, library, language: input.language });
    // The next deposit is judged against what this one has changed.
    library.notes.push({ ...deposit.note, file: targetOf(deposit) });
    library.rules.push(...deposit.rules.map((rule) => ({ ...rule, file: RULE_FILES[rule.kind] })));
    folded.delete(path);
    summary.push(`${deposit.note.id} ${deposit.note.title}, by @${deposit.by}: ${ruleNames(deposit.rules)}`);
  }
  const index = formatContextIndex(folded, readLibrary(folded), input.language);
  const hasKnowledge = [...folded.keys()].some((path) => path.startsWith("context/"));
  if (hasKnowledge) folded.set(INDEX_PATH, index);
  return { writes: difference(tree, folded), summary, review };
}

/** What a person has looked at counts, whoever said it. */
function reviewed(deposit: Deposit): Deposit {
  const note: Note = { ...deposit.note, trust: "reviewed", status: "active" };
  const rules = deposit.rules.map((rule) => ({ ...rule, status: "active" as const }));
  return { ...deposit, note, rules };
}

/** Why a deposit must be looked at by a person before it may take effect; empty when it need not. */
function holdReasons(
  { deposit, problems }: DepositFile,
  { library, isReviewed, say }: { library: Library; isReviewed: boolean; say: Reasons },
): string[] {
  if (!deposit) return problems.map((problem) => problem.message);
  const reasons = problems
    .filter((problem) => problem.code !== "bare-glob")
    .map((problem) => `line ${problem.line}: ${problem.message}`);
  if (deposit.note.trust === "untrusted") reasons.push(say.untrusted);
  for (const rule of deposit.rules) {
    if (rule.level === "block" && !isReviewed) reasons.push(say.block(rule.id));
    const known = library.rules.find(({ id }) => foldId(id) === foldId(rule.id));
    if (known && !isSameRule(known, rule)) reasons.push(say.clash(rule.id, known.file));
  }
  const known = library.notes.find(({ id }) => foldId(id) === foldId(deposit.note.id));
  if (known && !isSameNote(known, deposit.note)) reasons.push(say.clash(known.id, known.file));
  return reasons;
}

function apply(
  tree: Map<string, string>,
  change: { deposit: Deposit; library: Library; language: Language },
): void {
  const { deposit, library, language } = change;
  const { note } = deposit;
  const target = targetOf(deposit);
  if (deposit.into !== undefined) tree.set(target, withSection(tree.get(target), target, deposit, language));
  else if (library.notes.every(({ id }) => foldId(id) !== foldId(note.id)))
    tree.set(target, formatNote(note));
  for (const names of deposit.aliases ?? []) proposeAliases(tree, names, language);
  for (const kind of RULE_KINDS) {
    const added = deposit.rules.filter(
      (rule) => rule.kind === kind && library.rules.every(({ id }) => foldId(id) !== foldId(rule.id)),
    );
    if (added.length === 0) continue;
    const file = RULE_FILES[kind];
    const before = tree.get(file) ?? `# ${RULE_TITLES[kind][language]}\n`;
    tree.set(file, `${before.trimEnd()}\n\n${added.map(formatRule).join("\n")}`);
  }
}

/** Proposes names to people; they do not count before somebody removes the mark, and are not proposed twice. */
function proposeAliases(tree: Map<string, string>, names: readonly string[], language: Language): void {
  const before = tree.get(GLOSSARY_PATH) ?? `# ${GLOSSARY_TITLES[language]}\n`;
  const { groups, proposed } = parseGlossary(GLOSSARY_PATH, before);
  const isThere = [...groups, ...proposed].some((group) => names.every((name) => group.names.includes(name)));
  if (!isThere) tree.set(GLOSSARY_PATH, `${before.trimEnd()}\n\n${proposedLine(names, language)}\n`);
}

function isSameRule(a: Rule, b: Rule): boolean {
  return a.kind === b.kind && formatRule(a) === formatRule(b);
}

function isSameNote(a: Note, b: Note): boolean {
  const said = ({ title, type, problem, triggers, solution, verification, related }: Note) =>
    JSON.stringify([title, type, problem, triggers, solution, verification, related]);
  return said(a) === said(b);
}

/** The note that says the same already, with the same rules: two runs that end at once may learn one thing. */
function twinOf({ note, rules, into, aliases }: Deposit, { notes, rules: known }: Library): Note | null {
  if (into !== undefined || aliases?.length || note.solution.trim() === "") return null;
  const said = ({ type, status, solution }: Note) => `${type} ${status} ${foldText(solution).trim()}`;
  // Its id, and the note that it comes from and loads, are what differs in a rule of the same words.
  const effect = (rule: Rule) => JSON.stringify({ ...rule, id: "", source: "", load: [], file: "", line: 0 });
  if (!rules.every((rule) => known.some((other) => effect(other) === effect(rule)))) return null;
  const twin = notes.find((other) => foldId(other.id) !== foldId(note.id) && said(other) === said(note));
  return twin ?? null;
}

function waiting(deposit: Deposit | null, now: string): string {
  const days = deposit ? Math.floor((Date.parse(now) - Date.parse(deposit.at)) / DAY_MS) : 0;
  return days > 0 ? ` for ${days} ${days === 1 ? "day" : "days"}` : "";
}

function ruleNames(rules: readonly Rule[]): string {
  return rules.map((rule) => `${rule.kind} rule ${rule.id}`).join(", ") || "no rule";
}

function difference(before: Tree, after: Tree): Map<string, string | null> {
  const writes = new Map<string, string | null>();
  for (const [path, text] of after) if (before.get(path) !== text) writes.set(path, text);
  for (const path of before.keys()) if (!after.has(path)) writes.set(path, null);
  return writes;
}
