import type { Language } from "../shared/index.js";
import { HEADINGS } from "./headings.js";
import { bullets, keepHeadings, oneLine, quoted, restoreHeadings, sectionsOf } from "./markdown.js";
import { blocksOf, criterionOf, wordsOfHeading } from "./requirement-blocks.js";
import type { Criterion, RequirementDraft } from "./types.js";

/** What of a requirement's document is read back. */
export interface ParsedRequirement {
  title: string;
  /** Null when it does not come from an issue. */
  issue: number | null;
  /** Address of that issue; empty when it does not say. */
  url: string;
  /** `yyyy-mm-dd`; empty when it does not say. */
  created: string;
  criteria: Criterion[];
  questions: RequirementDraft["questions"];
  /** Lines of the change log, oldest first. */
  changes: string[];
}

const ANSWER = /\s(?:\*\*)?(?:→\s*)?(?:\*\*)?(Assumed:|假定：)(?:\*\*)?\s*/;

/** Writes `requirement.md` in the language of its issue. */
export function formatRequirement(
  draft: RequirementDraft,
  about: {
    id: string;
    issue: number | null;
    language: Language;
    url: string | null;
    created: string;
    /** Lines that the change log has already; without them it begins with the day it was opened. */
    changes?: readonly string[];
  },
): string {
  const words = HEADINGS[about.language];
  const head = [
    `id: ${about.id}`,
    `title: ${quoted(draft.title)}`,
    about.issue === null ? "" : `issue: ${about.issue}`,
    about.url === null ? "" : `url: ${quoted(about.url)}`,
    `created: ${quoted(about.created)}`,
  ].filter(Boolean);
  const criteria = draft.criteria.map(({ id, text }) => `### ${oneLine(id)}\n\n${keepHeadings(text)}`);
  const questions = draft.questions.map(
    ({ question, assumed }) => `- ${oneLine(question)} **${words.assumed}** ${oneLine(assumed)}`,
  );
  const { changes = [] } = about;
  const opened = about.issue === null ? words.opened : words.openedFrom(about.issue);
  return [
    `---\n${head.join("\n")}\n---`,
    `# ${oneLine(draft.title)}`,
    `## ${words.problem}`,
    keepHeadings(draft.problem),
    `## ${words.scope}`,
    bullets(draft.scope, words.none),
    `## ${words.criteria}`,
    ...(criteria.length === 0 ? [words.none] : criteria),
    `## ${words.nonGoals}`,
    bullets(draft.nonGoals, words.none),
    `## ${words.questions}`,
    questions.length === 0 ? words.none : questions.join("\n"),
    `## ${words.changes}`,
    changes.length > 0 ? bullets(changes, "") : `- ${about.created.slice(0, 10)}: ${opened}`,
  ]
    .filter(Boolean)
    .join("\n\n")
    .concat("\n");
}

/**
 * Reads a requirement's document, also after people edited it.
 * Contract: never throws; what is not there is empty.
 */
export function parseRequirement(text: string): ParsedRequirement {
  const [head = "", body = text] = splitHead(text);
  const sections = sectionsOf(body, 2);
  const section = (key: "questions" | "changes") =>
    sections.find(({ title }) => title === HEADINGS.en[key] || title === HEADINGS.zh[key])?.body ?? "";
  const issue = /^issue:\s*"?#?(\d+)"?\s*$/m.exec(head)?.[1];
  return {
    title: /^ {0,3}#[ \t]+(.+?)[ \t]*$/m.exec(body)?.[1] ?? "",
    issue: issue === undefined ? null : Number(issue),
    url: /^url:\s*"?([^"\s]+)/m.exec(head)?.[1] ?? "",
    created: /^created:\s*"?(\d{4}-\d{2}-\d{2})/m.exec(head)?.[1] ?? "",
    criteria: criteriaOf(text),
    questions: itemsOf(section("questions")).map((item) => {
      const [question = item, , assumed = ""] = item.split(ANSWER);
      return { question: question.trim(), assumed: assumed.trim() };
    }),
    changes: itemsOf(section("changes")).map((item) => item.trim()),
  };
}

/** Adds a line to the change log of a requirement's document, which is made where people took it out. */
export function logChange(document: string, line: string, language: Language): string {
  const words = HEADINGS[language];
  const log = blocksOf(document).find(({ key }) => key === "changes");
  if (!log) return `${document.trimEnd()}\n\n## ${words.changes}\n\n- ${oneLine(line)}\n`;
  const at = document.indexOf(log.raw);
  const rest = document.slice(at + log.raw.length);
  return `${document.slice(0, at)}${log.raw.trimEnd()}\n- ${oneLine(line)}\n${rest === "" ? "" : "\n"}${rest}`;
}

/** What people approve of a requirement's document: all but the change log, which says how the text came about. */
export function approvableText(document: string): string {
  return blocksOf(document)
    .filter(({ key }) => key !== "changes")
    .map(({ raw }) => raw)
    .join("")
    .trimEnd();
}

/** Criteria wherever they stand: a heading of somebody else's between them ends none. */
function criteriaOf(text: string): Criterion[] {
  return blocksOf(text).flatMap((block) => {
    const id = criterionOf(block);
    if (id === null) return [];
    const [heading = "", ...below] = block.raw.split(/\r?\n/);
    const rest = wordsOfHeading(heading).trim();
    return [{ id, text: restoreHeadings([rest, below.join("\n").trim()].filter(Boolean).join("\n\n")) }];
  });
}

function itemsOf(body: string): string[] {
  return body.split("\n").flatMap((line) => /^\s*(?:[-*+]|\d+[.)])\s+(.+)$/.exec(line)?.[1] ?? []);
}

function splitHead(text: string): [string, string] | [] {
  const found = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text);
  return found ? [found[1] ?? "", text.slice(found[0].length)] : [];
}
