import { AccrueError, clipEnd, clipMarkdown, estimateTokens, type Language } from "../shared/index.js";
import { depositPath, formatDeposit, notePath, parseDeposit } from "./deposit.js";
import { oneLine } from "./format-rule.js";
import { newNote } from "./format-note.js";
import { learnable } from "./learnable.js";
import { codeSpan } from "./lists.js";
import { mentionsOf } from "./mentions.js";
import type { Deposit, DepositInput, Note, Rule } from "./types.js";
import { singular, wordRuns } from "./words.js";

const MAX_TEXT = 8_000;
const MAX_TITLE = 80;
/** A sentence that takes more room than this is cut at its first comma. */
const LONG_TITLE_TOKENS = 24;
const MAX_ALERT = 240;
const MAX_TRIGGERS = 6;
const MAX_PHRASE_WORDS = 3;

const FORBIDS =
  /\b(never|do(es)? not|(don|doesn|mustn|can)['’]t|must|cannot|forbidden)\b|不要|不得|不能|不可以|禁止|严禁|切勿|千万|必须|(^|[\s，。；、,;])别/i;
const WARNS =
  /\b(avoid|beware|careful|caution|watch out|make sure|pitfall|gotcha)\b|注意|小心|务必|避免|当心|坑/i;
const INSTRUCTS =
  /\b(use|uses|always|prefer|should|call|run|put|follow|write|go(es)? through)\b|应该|应当|使用|统一|优先|先|采用|都要|要用/i;
const DECIDES = /\b(we (decided|chose|agreed)|decision)\b|决定|约定|选定/i;

/** Titles, sentences and headings that a deposit is written with. */
const TEXTS = {
  en: {
    said: (by: string, about: string) => `@${by} pointed this out${about}.`,
    about: (what: string) => ` while working on ${what}`,
    verify: "No check is named yet: see whether a change that meets the triggers follows the solution.",
  },
  zh: {
    said: (by: string, about: string) => `@${by} ${about}指出。`,
    about: (what: string) => `在处理 ${what} 时`,
    verify: "尚无检查命令：查看满足触发条件的改动是否遵循了解决方案。",
  },
} as const satisfies Record<Language, unknown>;

/**
 * Makes a deposit of a person's words without asking a model: one note, and one rule when something can trigger it.
 * Contract: what a reader of the comment cannot see, and what is only quoted, is left out. Throws `INPUT_INVALID` when nothing
 * is left. What someone without write access said is a draft.
 */
export function depositOf(input: DepositInput): Deposit {
  const { trust = "bot" } = input;
  const text = clipMarkdown(learnable(input.text, { trust, injected: [] }).text, MAX_TEXT);
  if (text === "") {
    throw new AccrueError(
      "INPUT_INVALID",
      "There is nothing to remember: say after the command what is to be known.",
    );
  }
  const id = input.newId();
  const file = depositPath(id);
  const note = noteOf(text, file, input);
  const rule = ruleOf(text, note, input);
  const raw = newNote(note, input.language);
  const { run, by, source, at } = input;
  const draft: Deposit = { id, run, by, source, at, note: { ...note, raw }, rules: rule ? [rule] : [] };
  // Read back, so that the deposit is exactly what its file says.
  return parseDeposit(file, formatDeposit(draft)).deposit ?? draft;
}

function noteOf(text: string, file: string, input: DepositInput): Note {
  const texts = TEXTS[input.language];
  const title = titleOf(text);
  const place = input.path ? codeSpan(input.path) : null;
  const about = [input.requirement, place].filter(Boolean).join(", ");
  return {
    id: input.newNoteId(),
    title,
    type: typeOf(text, input),
    status: input.trust === "untrusted" ? "draft" : "active",
    trust: input.trust ?? "bot",
    problem: texts.said(input.by, about ? texts.about(about) : ""),
    triggers: triggersOf(text, input, title),
    solution: text,
    verification: texts.verify,
    related: [input.source, input.requirement ?? "", place ?? ""].filter(Boolean),
    file,
    raw: "",
  };
}

function triggersOf(text: string, input: DepositInput, title: string): Note["triggers"] {
  const named = mentionsOf(text);
  const paths = [...(input.path ? [folderOf(input.path)] : []), ...named.paths.map(pathPattern)];
  const limited = (items: string[]) =>
    [...new Set(items.map(oneLine).filter(Boolean))].slice(0, MAX_TRIGGERS);
  return {
    // The words of a failing check are those of every failing check.
    keywords: input.about === "fix" ? [] : limited([...named.quoted, ...keywordsOf(named.rest)]),
    paths: limited(paths),
    symbols: limited([...input.symbols, ...named.symbols]),
    labels: [],
    phases: [],
    text: [title],
  };
}

function ruleOf(text: string, note: Note, input: DepositInput): Rule | null {
  const { keywords, paths, symbols } = note.triggers;
  if (keywords.length + paths.length + symbols.length === 0) return null;
  const kind = kindOf(text, input);
  const isRisk = kind === "risk";
  return {
    id: input.newRuleId(),
    title: note.title,
    kind,
    // "block" is for a person to choose.
    level: isRisk ? (FORBIDS.test(text) ? "high" : "warn") : "info",
    status: note.trust === "untrusted" ? "draft" : "active",
    match: "any",
    keywords,
    paths,
    labels: [],
    symbols,
    services: [],
    phases: [],
    load: isRisk ? [] : [notePath(note)],
    alert: isRisk ? clipEnd(oneLine(text), MAX_ALERT) : "",
    suggest: [],
    check: "",
    source: `${note.id}, ${oneLine(input.source)}`,
    prose: "",
    file: note.file,
    line: 1,
  };
}

function typeOf(text: string, input: DepositInput): Note["type"] {
  if (input.about === "fix") return "event";
  if (kindOf(text, input) !== "context") return "pattern";
  return DECIDES.test(text) ? "decision" : "fact";
}

function kindOf(text: string, { about }: DepositInput): ReturnType<typeof ruleKind> {
  // What a check said when it failed warns of nothing.
  if (about === "fix") return "pattern";
  const kind = ruleKind(text);
  return about === "flow" && kind === "context" ? "pattern" : kind;
}

/** What kind of rule a text makes; a statement that neither warns nor instructs is context. */
export function ruleKind(text: string): "risk" | "pattern" | "context" {
  if (FORBIDS.test(text) || WARNS.test(text)) return "risk";
  return INSTRUCTS.test(text) ? "pattern" : "context";
}

/** The first clause: what comes before the first end of a sentence, or before a comma when that is still long. */
function titleOf(text: string): string {
  const plain = text
    .split("\n")
    .map((line) => oneLine(line.replace(/^\s*(#+|[-*+>]|\d+[.)])\s+/, "")))
    .find((line) => /[\p{L}\p{N}]/u.test(line));
  const sentence = /^.*?(?=[。！？；]|[.!?;](?:\s|$))/u.exec(plain ?? "")?.[0] || plain || oneLine(text);
  const clause = /^.{12,}?(?=[，：]|[,:]\s| [-–—] )/u.exec(sentence)?.[0] ?? sentence;
  return clipEnd(estimateTokens(sentence) <= LONG_TITLE_TOKENS ? sentence : clause, MAX_TITLE);
}

/** Salient words: phrases as they stand together, and acronyms, which are telling on their own. */
function keywordsOf(text: string): string[] {
  const phrases = wordRuns(text).flatMap((run) => {
    const isHan = /\p{Script=Han}/u.test(run[0] ?? "");
    const words = run.slice(0, MAX_PHRASE_WORDS).map((word) => (isHan ? word : singular(word)));
    const acronyms = words.filter((word) => /^[A-Z][A-Z0-9]+$/.test(word));
    return [words.join(isHan ? "" : " "), ...acronyms];
  });
  return phrases.filter((phrase) => phrase.length >= 2);
}

/** A review comment speaks of its neighbours too, unless it stands near the root, where that would be everything. */
export function folderOf(path: string): string {
  const folders = path.split("/").slice(0, -1);
  return folders.length >= 2 ? `${folders.join("/")}/**` : path;
}

function pathPattern(path: string): string {
  if (/[*?{[(]/.test(path)) return path;
  const last = path.replace(/\/$/, "").split("/").at(-1) ?? "";
  return last.includes(".") ? path : `${path.replace(/\/$/, "")}/**`;
}
