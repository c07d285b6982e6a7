import type { Language } from "../shared/index.js";
import { escapeText } from "./escape.js";
import { oneLine } from "./format-rule.js";
import { readLines, splitLines } from "./lines.js";
import { headingOf } from "./note-sections.js";
import type { Deposit } from "./types.js";
import { foldText } from "./words.js";

const TITLES: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  "context/business/facts.md": { en: "Business facts", zh: "业务事实" },
  "context/tech/facts.md": { en: "Technical facts", zh: "技术事实" },
};
const SOURCE = { en: "source", zh: "来源" } as const;

/** A document with what a deposit says as a section: under the heading of the same words if there is one, else at its end. */
export function withSection(
  document: string | undefined,
  path: string,
  deposit: Deposit,
  language: Language,
): string {
  const { note } = deposit;
  const before = document ?? `# ${TITLES[path]?.[language] ?? stem(path)}\n`;
  if (before.toUpperCase().includes(note.id.toUpperCase())) return before;
  const origin = [note.id, `@${deposit.by}`, deposit.source].filter(Boolean).map(oneLine).join(", ");
  const paragraphs = [note.problem, note.solution, note.verification]
    .map((text) => escapeText(text.trim(), isSectionHeading))
    .filter(Boolean);
  const body = [...paragraphs, `- ${SOURCE[language]}: ${origin}`].join("\n\n");
  const end = endOfSection(before, note.title);
  if (end === null) return `${before.trimEnd()}\n\n## ${oneLine(note.title)}\n\n${body}\n`;
  const lines = splitLines(before);
  const head = lines.slice(0, end).join("\n").trimEnd();
  const tail = lines.slice(end).join("\n");
  return `${head}\n\n${body}\n${tail.trim() === "" ? "" : `\n${tail}`}`;
}

/** A document without what came from this note; as it was when nothing did. */
export function withoutSection(document: string, noteId: string): string {
  const lines = splitLines(document);
  const at = lines.findIndex(
    (line) => /^- (source|来源): /.test(line) && line.toUpperCase().includes(noteId.toUpperCase()),
  );
  if (at < 0) return document;
  let from = at;
  // Back to the heading, or to the source of what stands above it under the same heading.
  while (
    from > 0 &&
    !isSectionHeading(lines[from - 1] ?? "") &&
    !/^- (source|来源): /.test(lines[from - 1] ?? "")
  )
    from -= 1;
  const next = lines.slice(at + 1).find((line) => line.trim() !== "");
  const isAlone = isSectionHeading(lines[from - 1] ?? "") && (next === undefined || isSectionHeading(next));
  const start = isAlone ? from - 1 : from;
  return `${[...lines.slice(0, start), ...lines.slice(at + 1)]
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trimEnd()}\n`;
}

function endOfSection(document: string, title: string): number | null {
  const { lines } = readLines("", document);
  const wanted = foldText(title);
  const start = lines.findIndex((line) => {
    const heading = line.isCode ? null : headingOf(line.text);
    return heading?.level === 2 && foldText(heading.title) === wanted;
  });
  if (start < 0) return null;
  const next = lines.findIndex((line, index) => index > start && !line.isCode && isSectionHeading(line.text));
  return next < 0 ? lines.length : next;
}

function isSectionHeading(line: string): boolean {
  const heading = headingOf(line);
  return heading !== null && heading.level <= 2;
}

function stem(path: string): string {
  return (path.split("/").at(-1) ?? path).replace(/\.md$/, "");
}
