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

/** A task as `tasks.md` shows it. */
export interface TaskLine {
  /** `T1`. */
  id: string;
  /** Criteria that it serves, such as `AC-1`. */
  criteria: string[];
  text: string;
  paths: string[];
  done: boolean;
}

/** Writes `design.md`; a part with nothing in it is left out. */
export function formatDesign(input: DesignDocument): string {
  const words = HEADINGS[input.language];
  const questions = input.archaeology.map(({ question, answer, pointers }) => {
    const places = pointers.map((pointer) => code(pointer)).join(", ");
    return `### ${oneLine(question)}\n\n${keepHeadings(answer)}${places ? `\n\n${places}` : ""}`;
  });
  const rows = input.files.map(({ path, change }) => `| ${code(path)} | ${cell(change)} |`);
  const table = [`| ${words.file} | ${words.change} |`, "| --- | --- |", ...rows].join("\n");
  const parts: [string, string][] = [
    [words.summary, keepHeadings(input.summary)],
    [words.archaeology, questions.join("\n\n")],
    [words.decisions, bullets(input.decisions, "")],
    [words.files, rows.length === 0 ? "" : table],
    [words.risks, bullets(input.risks, "")],
    [words.tests, bullets(input.tests, "")],
  ];
  const shown = parts.filter(([, body]) => body !== "").map(([heading, body]) => `## ${heading}\n\n${body}`);
  return `${[`# ${words.design}: ${input.id} ${oneLine(input.title)}`, ...shown].join("\n\n")}\n`;
}

/** Writes `tasks.md`: one checkbox a task, with the criteria it serves and the files it touches. */
export function formatTasks(input: {
  id: string;
  title: string;
  language: Language;
  tasks: TaskLine[];
}): string {
  const words = HEADINGS[input.language];
  const lines = input.tasks.map(({ id, criteria, text, paths, done }) => {
    const tags = criteria.map((criterion) => `[${criterion}]`);
    return [`- [${done ? "x" : " "}]`, id, ...tags, oneLine(text), ...paths.map(code)]
      .filter(Boolean)
      .join(" ");
  });
  const body = lines.length === 0 ? words.none : lines.join("\n");
  return `# ${words.tasks}: ${input.id} ${oneLine(input.title)}\n\n${body}\n`;
}

function code(text: string): string {
  return `\`${oneLine(text).replaceAll("`", "'").replaceAll("|", "\\|")}\``;
}

function cell(text: string): string {
  return oneLine(text).replaceAll("|", "\\|");
}
