import { isoTime, slug } from "../shared/index.js";
import { formatDepositRule, oneLine } from "./format-rule.js";
import { formatNote } from "./format-note.js";
import { quoteScalar, readFrontmatter } from "./frontmatter.js";
import { readLines, splitLines } from "./lines.js";
import { headingOf } from "./note-sections.js";
import { parseNote } from "./note.js";
import { RULE_HEADING } from "./rule-blocks.js";
import { readRules } from "./rules.js";
import type { Deposit, Problem, Rule } from "./types.js";

const FOLDER = "context/deposits";
const REVIEW_AFTER_DAYS = 180;
const ORIGINS = ["task", "bug", "pattern"] as const;
const ID = /^[0-9A-HJKMNP-TV-Z]{26}$/;
const NOTE_ID = /^EXP-[0-9A-Z]{4,32}$/i;

/** Where a deposit lies until the fold. */
export function depositPath(id: string): string {
  return `${FOLDER}/${id}.md`;
}

/** True for the path of a deposit file. */
export function isDepositPath(path: string): boolean {
  return path.startsWith(`${FOLDER}/`) && path.endsWith(".md");
}

/** Where a note will lie after the fold. */
export function notePath(note: { id: string; title: string }): string {
  return `context/experience/${[slug(note.title), note.id].filter(Boolean).join("-")}.md`;
}

/** Where what a deposit says will stand after the fold. */
export function targetOf(deposit: Pick<Deposit, "note" | "into">): string {
  return deposit.into ?? notePath(deposit.note);
}

/** Writes a deposit as one Markdown file: who said it, the note, and the rules with the files they are for. */
export function formatDeposit(deposit: Deposit): string {
  const { note } = deposit;
  const head = {
    id: deposit.id,
    run: deposit.run,
    by: deposit.by,
    source: deposit.source,
    date: deposit.at,
    note: note.id,
    type: note.type,
    status: note.status,
    trust: note.trust,
    ...(deposit.origin === undefined ? {} : { origin: deposit.origin }),
    ...(deposit.into === undefined ? {} : { into: deposit.into }),
    ...(deposit.aliases?.length
      ? { aliases: deposit.aliases.map((names) => names.join(" = ")).join("; ") }
      : {}),
  };
  const body = readFrontmatter(note.file, formatNote(note)).body.trim();
  const rules = deposit.rules.map((rule) => `\n${formatDepositRule(rule)}`);
  return `---\n${headLines(head)}\n---\n\n${body}\n${rules.join("")}`;
}

/**
 * Reads a deposit, also after a person edited it in the pull request.
 * Contract: never throws; `deposit` is null when the file does not say what it is. Rules with problems are left out.
 */
export function parseDeposit(file: string, text: string): { deposit: Deposit | null; problems: Problem[] } {
  const front = readFrontmatter(file, text);
  const value = (key: string) => front.values.get(key)?.trim() ?? "";
  const id = value("id");
  const wrong = [
    ID.test(id) ? "" : `"id" is "${id}" and no ULID`,
    NOTE_ID.test(value("note"))
      ? ""
      : `"note" is "${value("note")}" and no id of a note such as EXP-7K3M2P9Q`,
    value("into") && !isDocumentPath(value("into"))
      ? `"into" is "${value("into")}" and no document of context/`
      : "",
    Number.isNaN(Date.parse(value("date"))) ? `"date" is "${value("date")}" and no ISO 8601 time` : "",
  ].filter(Boolean);
  if (wrong.length > 0) {
    const message = `The deposit's frontmatter is broken: ${wrong.join("; ")}. Restore it from history.`;
    return { deposit: null, problems: [...front.problems, { file, line: 1, code: "deposit-head", message }] };
  }
  const body = readBody(file, front.body);
  const origin = ORIGINS.find((known) => known === value("origin"));
  const head = {
    id: value("note"),
    title: titleOf(body.noteText) || value("note"),
    type: value("type"),
    status: value("status"),
    date: value("date").slice(0, 10),
    source: value("source"),
    // Whatever does not say that it may be trusted, may not.
    trust: value("trust") || "untrusted",
    ...(origin === undefined ? {} : { origin }),
    review_after: reviewDate(value("date")),
  };
  const noteHead = `---\n${headLines(head)}\n---\n`;
  const { note, problems: inNote } = parseNote(file, noteHead + body.noteText);
  const shift = (problems: Problem[], by: number) =>
    problems.map((problem) => ({ ...problem, line: Math.max(1, problem.line + by) }));
  const deposit: Deposit = {
    id,
    run: value("run"),
    by: value("by"),
    source: value("source"),
    at: value("date"),
    note,
    rules: body.rules.map((rule) => ({ ...rule, line: rule.line + front.lineCount })),
    ...(origin === undefined ? {} : { origin }),
    ...(value("into") ? { into: value("into") } : {}),
    ...(value("aliases") ? { aliases: aliasesOf(value("aliases")) } : {}),
  };
  const noteProblems = shift(inNote, front.lineCount - Object.keys(head).length - 2);
  return {
    deposit,
    problems: [...front.problems, ...noteProblems, ...shift(body.problems, front.lineCount)],
  };
}

/** True for a document that a deposit may add a section to. */
export function isDocumentPath(path: string): boolean {
  return (
    /^context\/(business|tech|tech\/services)\/[^/\\:*?"<>|]{1,80}\.md$/.test(path) && !path.includes("..")
  );
}

function aliasesOf(value: string): string[][] {
  const groups = value.split(";").map((group) =>
    group
      .split("=")
      .map((name) => name.trim())
      .filter(Boolean),
  );
  return groups.filter((names) => names.length >= 2);
}

/** The note's part of a deposit's body as written, and the rules below it; lines count within the body. */
function readBody(file: string, body: string): { noteText: string; rules: Rule[]; problems: Problem[] } {
  const { lines, problems } = readLines(file, body);
  const start = lines.findIndex((line) => !line.isCode && RULE_HEADING.test(line.text));
  // Without rules the note's own reading reports what is unclosed.
  if (start < 0) return { noteText: `${body.trimEnd()}\n`, rules: [], problems: [] };
  const noteText = `${splitLines(body).slice(0, start).join("\n").trimEnd()}\n`;
  const rules = readRules({ file, lines: lines.slice(start), kind: null }, problems);
  return { noteText, rules, problems };
}

function titleOf(noteText: string): string {
  const first = splitLines(noteText).find((line) => line.trim() !== "") ?? "";
  const heading = headingOf(first);
  return heading?.level === 1 ? heading.title : "";
}

function reviewDate(at: string): string {
  return isoTime(Date.parse(at) + REVIEW_AFTER_DAYS * 86_400_000).slice(0, 10);
}

function headLines(head: Readonly<Record<string, string>>): string {
  return Object.entries(head)
    .map(([key, value]) => `${key}: ${quoteScalar(oneLine(value))}`)
    .join("\n");
}
