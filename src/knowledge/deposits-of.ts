import { findSecrets } from "../memory/index.js";
import { AccrueError } from "../shared/index.js";
import { depositOf, folderOf, ruleKind } from "./deposit-of.js";
import { depositPath, formatDeposit, isDocumentPath, parseDeposit, targetOf } from "./deposit.js";
import { oneLine } from "./format-rule.js";
import { newNote } from "./format-note.js";
import { learnable } from "./learnable.js";
import { DepositedLesson, rulesOf } from "./lesson.js";
import { foldId, readLibrary } from "./library.js";
import { documentFor } from "./route.js";
import { splitLessons } from "./split-lessons.js";
import type { Deposit, DepositInput, Note, RuleKind, RuleLevel, Tree } from "./types.js";
import { foldText } from "./words.js";

/** What lessons are judged by besides the words. */
export interface DepositsBasis {
  tree: Tree;
  /** What a model made of the remark; null where none was asked. Each is validated. */
  lessons: readonly unknown[] | null;
  /** Texts that whoever said it was shown. */
  injected: readonly string[];
}

/** What of a remark was recorded, for the reply. */
export interface RecordedLesson {
  note: string;
  title: string;
  /** The file that was written. */
  path: string;
  /** Where it will stand after the merge. */
  target: string;
  rules: { id: string; kind: RuleKind; level: RuleLevel; title: string }[];
  aliases: string[][];
  /** Why a person has to look at it first; empty when it counts at once. */
  review: string[];
  /** What to say to take it back. */
  undo: string;
}

/** Why a lesson or rule was left out: it is known, only repeats, is not valid, has no effect, or holds a secret. */
export type SkipCode = "known" | "repeats" | "invalid" | "rule" | "secret";

/** A lesson or rule that was left out, with the reason in words, and the note that says it already. */
export interface SkippedLesson {
  title: string;
  code: SkipCode;
  reason: string;
  known: string | null;
}

/** Deposits of a remark, and what was not recorded. */
export interface Recorded {
  deposits: Deposit[];
  recorded: RecordedLesson[];
  skipped: SkippedLesson[];
}

/**
 * Makes deposits of a person's remark: one for each lesson, routed by what it says to experience or to a document.
 * Contract: `newId`, `newNoteId` and `newRuleId` may repeat themselves, as they do after a crash; ids are told apart here.
 * Throws `INPUT_INVALID` when the remark says nothing of its own.
 */
export function depositsOf(input: DepositInput, basis: DepositsBasis): Recorded {
  const { trust = "bot" } = input;
  const own = (text: string) => learnable(text, { trust, injected: basis.injected }).text;
  const text = own(input.text);
  if (text === "" && basis.lessons === null) {
    const message =
      "There is nothing to remember: say after the command what is to be known. Quoted text and what I showed myself do not count.";
    throw new AccrueError("INPUT_INVALID", message);
  }
  const made: Recorded = { deposits: [], recorded: [], skipped: [] };
  const kit = { made, basis, input: distinctIds(input), own, known: knownTexts(basis.tree) };
  if (basis.lessons === null) for (const lesson of splitLessons(text)) byRules(lesson, kit);
  else for (const lesson of basis.lessons) byModel(lesson, kit);
  return made;
}

interface Kit {
  made: Recorded;
  basis: DepositsBasis;
  input: DepositInput;
  own: (text: string) => string;
  /** What is known, as it is compared → the id of its note. */
  known: Map<string, string>;
}

function byRules(text: string, kit: Kit): void {
  const { basis, input } = kit;
  const deposit = depositOf({ ...input, text });
  const isStatement = input.about === undefined && ruleKind(text) === "context";
  if (isKnown(deposit.note, kit)) return;
  if (!isStatement) {
    add(deposit, kit);
    return;
  }
  const into = documentFor(text, basis.tree);
  const rules = deposit.rules.map((rule) => ({ ...rule, load: [into] }));
  add({ ...deposit, into, rules, note: { ...deposit.note, verification: "" } }, kit);
}

function byModel(proposed: unknown, kit: Kit): void {
  const { input, own, made } = kit;
  const read = DepositedLesson.safeParse(proposed);
  if (!read.success) {
    const [issue] = read.error.issues;
    const reason = `the lesson is not valid: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`;
    made.skipped.push({ title: titleOf(proposed), code: "invalid", reason, known: null });
    return;
  }
  const lesson = read.data;
  const solution = own(lesson.solution);
  if (solution === "") {
    const reason = "it only repeats what was shown or quoted";
    made.skipped.push({ title: lesson.title, code: "repeats", reason, known: null });
    return;
  }
  const [secret] = findSecrets(JSON.stringify(lesson));
  if (secret !== undefined) {
    // Its own title may be the secret.
    made.skipped.push({
      title: "",
      code: "secret",
      reason: `it holds a secret (${secret.kind})`,
      known: null,
    });
    return;
  }
  const id = input.newId();
  const into = input.about !== undefined ? null : documentOf(lesson, kit.basis.tree);
  const isUntrusted = input.trust === "untrusted";
  const note: Note = {
    id: input.newNoteId(),
    title: oneLine(lesson.title),
    type: into === null ? "pattern" : "fact",
    status: isUntrusted ? "draft" : "active",
    trust: input.trust ?? "bot",
    problem: own(lesson.problem),
    triggers: { ...triggersOf(lesson, input), phases: [], text: [oneLine(lesson.title)] },
    solution,
    verification: own(lesson.verification),
    related: [...new Set([input.source, input.requirement ?? "", ...lesson.related].map(oneLine))].filter(
      Boolean,
    ),
    file: depositPath(id),
    raw: "",
  };
  if (isKnown(note, kit)) return;
  const { run, by, source, at } = input;
  const place = into === null ? {} : { into };
  const target = targetOf({ note, ...place });
  const { rules, refused } = rulesOf(
    lesson,
    { id: note.id, target, file: note.file, source, isUntrusted },
    () => input.newRuleId(),
  );
  for (const reason of refused) made.skipped.push({ title: lesson.title, code: "rule", reason, known: null });
  const aliases =
    lesson.aliases.length > 0 ? { aliases: lesson.aliases.map((names) => names.map(aliasName)) } : {};
  add({ id, run, by, source, at, note, rules, ...place, ...aliases }, kit);
}

/** What a model proposes, and the place where it was said. */
function triggersOf(
  { triggers }: DepositedLesson,
  { path, symbols }: DepositInput,
): DepositedLesson["triggers"] {
  const places = path === null ? [] : [folderOf(path)];
  return {
    ...triggers,
    paths: [...new Set([...places, ...triggers.paths])],
    symbols: [...new Set([...symbols, ...triggers.symbols])],
  };
}

/** Where a model's lesson is filed: null makes it a note of its own. */
function documentOf(lesson: DepositedLesson, tree: Tree): string | null {
  if (lesson.kind === "experience") return null;
  if (isDocumentPath(lesson.document) && tree.has(lesson.document)) return lesson.document;
  const service = `context/tech/services/${lesson.service.trim()}.md`;
  if (lesson.kind === "service" && isDocumentPath(service)) return service;
  const found = documentFor(`${lesson.title}\n${lesson.solution}`, tree);
  const folder = lesson.kind === "business" ? "context/business/" : "context/tech/";
  return found.startsWith(folder) ? found : `${folder}facts.md`;
}

function isKnown(note: Note, kit: Kit): boolean {
  const id = kit.known.get(plain(note.solution)) ?? documentWith(note.solution, kit.basis.tree);
  if (id === null) return false;
  kit.made.skipped.push({ title: note.title, code: "known", reason: "it is known already", known: id });
  return true;
}

function add(draft: Deposit, { made, known }: Kit): void {
  const language = /\p{Script=Han}/u.test(draft.note.solution) ? "zh" : "en";
  const written = formatDeposit({ ...draft, note: { ...draft.note, raw: newNote(draft.note, language) } });
  // Read back, so that the deposit is exactly what its file says.
  const deposit = parseDeposit(draft.note.file, written).deposit ?? draft;
  known.set(plain(deposit.note.solution), deposit.note.id);
  made.deposits.push(deposit);
  made.recorded.push(recordedOf(deposit));
}

/** What a deposit records, for the reply; the same from a file that was written before. */
export function recordedOf(deposit: Deposit): RecordedLesson {
  const { note, rules } = deposit;
  return {
    note: note.id,
    title: note.title,
    path: note.file,
    target: targetOf(deposit),
    rules: rules.map(({ id, kind, level, title }) => ({ id, kind, level, title })),
    aliases: deposit.aliases ?? [],
    review: [
      ...(note.trust === "untrusted" ? ["its text comes from someone without write access"] : []),
      ...rules.filter(({ level }) => level === "block").map(({ id }) => `${id} asks for level block`),
    ],
    undo: `forget ${note.id}`,
  };
}

/** What notes and deposits say already, also retired ones, so that what was taken back does not return by itself. */
function knownTexts(tree: Tree): Map<string, string> {
  const { notes, deposits } = readLibrary(tree);
  const all = [...notes, ...deposits.flatMap(({ deposit }) => deposit?.note ?? [])];
  return new Map(
    all.filter(({ solution }) => solution !== "").map((note) => [plain(note.solution), note.id]),
  );
}

/** The document that says it already, in these words. */
function documentWith(text: string, tree: Tree): string | null {
  const wanted = plain(text);
  const documents = [...tree].filter(([path]) => isDocumentPath(path));
  return documents.find(([, document]) => plain(document).includes(wanted))?.[0] ?? null;
}

/** A text as it is compared: its letters and digits. */
function plain(text: string): string {
  return foldText(text).replace(/[^\p{L}\p{N}]+/gu, "");
}

/** A deterministic caller gives the same id again: the next ones count on from it. */
function distinctIds(input: DepositInput): DepositInput {
  const taken = new Set<string>();
  const distinct = (make: () => string) => () => {
    let id = make();
    while (taken.has(foldId(id))) id = nextId(id);
    taken.add(foldId(id));
    return id;
  };
  return {
    ...input,
    newId: distinct(() => input.newId()),
    newNoteId: distinct(() => input.newNoteId()),
    newRuleId: distinct(() => input.newRuleId()),
  };
}

const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

function nextId(id: string): string {
  const next = DIGITS.charAt((DIGITS.indexOf(id.slice(-1).toUpperCase()) + 1) % DIGITS.length);
  return id.slice(0, -1) + next;
}

function aliasName(name: string): string {
  return oneLine(name.replace(/[=＝;|｜()（）]/g, " "));
}

function titleOf(proposed: unknown): string {
  return typeof proposed === "object" && proposed !== null && "title" in proposed
    ? String(proposed.title)
    : "";
}
