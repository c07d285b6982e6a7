import type { Language } from "../shared/index.js";
import { HEADINGS } from "./headings.js";
import { bullets, keepHeadings, oneLine, quoted, restoreHeadings, sectionsOf } from "./markdown.js";
import type { Criterion, RequirementDraft } from "./types.js";

/** What of a requirement's document is read back. */
export interface ParsedRequirement {
  title: string;
  /** Null when it does not come from an issue. */
  issue: number | null;
  criteria: Criterion[];
  questions: RequirementDraft["questions"];
}

const ANSWER = /\s(?:\*\*)?(?:→\s*)?(?:\*\*)?(Assumed:|假定：)(?:\*\*)?\s*/;

/** Writes `requirement.md` in the language of its issue. */
export function formatRequirement(
  draft: RequirementDraft,
  about: { id: string; issue: number | null; language: Language; url: string | null; created: string },
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
    `- ${about.created.slice(0, 10)}: ${opened}`,
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
  const section = (key: "criteria" | "questions") =>
    sections.find(({ title }) => title === HEADINGS.en[key] || title === HEADINGS.zh[key])?.body ?? "";
  const issue = /^issue:\s*"?#?(\d+)"?\s*$/m.exec(head)?.[1];
  return {
    title: /^ {0,3}#[ \t]+(.+?)[ \t]*$/m.exec(body)?.[1] ?? "",
    issue: issue === undefined ? null : Number(issue),
    criteria: sectionsOf(section("criteria"), 3).flatMap(({ title, body: below }) => {
      const [, id, rest = ""] = /^(AC-\d+)[:：.]?\s*(.*)$/.exec(title) ?? [];
      return id === undefined
        ? []
        : [{ id, text: restoreHeadings([rest, below].filter(Boolean).join("\n\n")) }];
    }),
    questions: section("questions")
      .split("\n")
      .flatMap((line) => {
        const [, item] = /^\s*(?:[-*+]|\d+[.)])\s+(.+)$/.exec(line) ?? [];
        if (item === undefined) return [];
        const [question = item, , assumed = ""] = item.split(ANSWER);
        return [{ question: question.trim(), assumed: assumed.trim() }];
      }),
  };
}

function splitHead(text: string): [string, string] | [] {
  const found = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text);
  return found ? [found[1] ?? "", text.slice(found[0].length)] : [];
}
