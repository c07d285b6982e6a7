import type { Language } from "../shared/index.js";
import { HEADINGS } from "./headings.js";
import { bullets, keepHeadings, oneLine } from "./markdown.js";

/** What design-manager delivers, as `design.md` shows it. */
export interface DesignDocument {
  id: string;
  title: string;
  language: Language;
  summary: string;
  /** What was asked of the code before anything was designed; pointers are `path`, `path:line` or `path#symbol`. */
  archaeology: { question: string; answer: string; pointers: string[] }[];
  decisions: string[];
  files: { path: string; change: string }[];
  risks: string[];
  tests: string[];
}

/** Writes `design.md`, what is there already first; a part with nothing in it is left out. */
export function formatDesign(input: DesignDocument): string {
  const words = HEADINGS[input.language];
  const questions = input.archaeology.map(({ question, answer, pointers }) => {
    const places = pointers.map((pointer) => code(pointer)).join(", ");
    return `### ${oneLine(question)}\n\n${keepHeadings(answer)}${places ? `\n\n${places}` : ""}`;
  });
  const rows = input.files.map(({ path, change }) => `| ${code(path)} | ${cell(change)} |`);
  const table = [`| ${words.file} | ${words.change} |`, "| --- | --- |", ...rows].join("\n");
  const parts: [string, string][] = [
    [words.archaeology, questions.join("\n\n")],
    [words.summary, keepHeadings(input.summary)],
    [words.decisions, bullets(input.decisions, "")],
    [words.files, rows.length === 0 ? "" : table],
    [words.risks, bullets(input.risks, "")],
    [words.tests, bullets(input.tests, "")],
  ];
  const shown = parts.filter(([, body]) => body !== "").map(([heading, body]) => `## ${heading}\n\n${body}`);
  return `${[`# ${words.design}: ${input.id} ${oneLine(input.title)}`, ...shown].join("\n\n")}\n`;
}

function code(text: string): string {
  return `\`${oneLine(text).replaceAll("`", "'").replaceAll("|", "\\|")}\``;
}

function cell(text: string): string {
  return oneLine(text).replaceAll("|", "\\|");
}
