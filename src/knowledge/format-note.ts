import { languageOf, type Language } from "../shared/index.js";
import { escapeText } from "./escape.js";
import { oneLine } from "./format-rule.js";
import { quoteScalar, readFrontmatter, setFrontmatter } from "./frontmatter.js";
import { readLines, splitLines } from "./lines.js";
import { joinList } from "./lists.js";
import { cutSections, HEADINGS, opensSection, SECTION_NAMES, TRIGGER_KEYS } from "./note-sections.js";
import type { SectionName, TriggerKey } from "./note-sections.js";
import { parseNote } from "./note.js";
import type { Note } from "./types.js";

/** The values of a note that stand in its head. */
const HEAD_KEYS = ["id", "title", "type", "status", "trust"] as const;
const CODE_TRIGGERS: ReadonlySet<TriggerKey> = new Set<TriggerKey>(["paths", "symbols", "labels"]);

/**
 * Writes a note. One that was read from a file (`raw`) keeps every byte that its fields do not change, unknown keys and
 * headings included; a new one gets the five headings in its own language.
 */
export function formatNote(note: Note): string {
  if (note.raw === "") return newNote(note, languageOf(`${note.title} ${note.problem} ${note.solution}`));
  const old = parseNote(note.file, note.raw).note;
  const language = languageOf(note.raw);
  let text = note.raw;
  for (const name of SECTION_NAMES) {
    if (JSON.stringify(note[name]) !== JSON.stringify(old[name])) {
      text = replaceSection(text, name, { body: sectionBody(note, name, language), language });
    }
  }
  if (note.title !== old.title) text = replaceTitle(text, old.title, note.title);
  const changed = HEAD_KEYS.filter((key) => note[key] !== old[key]);
  return changed.length === 0
    ? text
    : setFrontmatter(text, Object.fromEntries(changed.map((key) => [key, note[key]])));
}

function replaceTitle(text: string, old: string, title: string): string {
  const start = readFrontmatter("", text).body;
  const body = start.replace(
    /^(\s*# +)(.*?)(\s*)$/m,
    (line: string, mark: string, shown: string, end: string) =>
      shown === headingText(old) ? mark + headingText(title) + end : line,
  );
  return text.slice(0, text.length - start.length) + body;
}

/** A note from nothing, with its five headings in this language. */
export function newNote(note: Note, language: Language): string {
  const head = HEAD_KEYS.map((key) => `${key}: ${quoteScalar(oneLine(note[key]))}`);
  const sections = SECTION_NAMES.map((name) =>
    `## ${HEADINGS[name][language]}\n\n${sectionBody(note, name, language)}\n`.replace(/\n\n\n$/, "\n"),
  );
  return `---\n${head.join("\n")}\n---\n\n# ${headingText(note.title)}\n\n${sections.join("\n")}`;
}

/** A title as it stands in a heading: its own last `#` would be read as the heading's closing mark, so one is put after it. */
function headingText(title: string): string {
  const line = oneLine(title);
  return /(^|\s)#+$/.test(line) ? `${line} #` : line;
}

function sectionBody(note: Note, name: SectionName, language: Language): string {
  if (name === "triggers") return triggerLines(note.triggers, language).join("\n");
  if (name === "related") return note.related.map((item) => `- ${oneLine(item)}`).join("\n");
  return escapeText(note[name].trim(), opensSection);
}

function triggerLines(triggers: Note["triggers"], language: Language): string[] {
  const keys = Object.entries(TRIGGER_KEYS) as [TriggerKey, string][];
  const typed = keys.map(([key, chinese]) => {
    const items = joinList(triggers[key].map(oneLine), CODE_TRIGGERS.has(key));
    return items ? `- ${language === "zh" ? chinese : key}: ${items}` : "";
  });
  return [...triggers.text.map((text) => `- ${oneLine(text)}`), ...typed].filter(Boolean);
}

function replaceSection(
  text: string,
  name: SectionName,
  content: { body: string; language: Language },
): string {
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  const { body, lineCount } = readFrontmatter("", text);
  const lines = splitLines(text);
  const section = cutSections(readLines("", body).lines).find((candidate) => candidate.name === name);
  const written = content.body.split("\n");
  if (!section) {
    const heading = ["", `## ${HEADINGS[name][content.language]}`, "", ...written, ""];
    return [...splitLines(text.trimEnd()), ...heading].join(lineEnd);
  }
  const isLast = section.end + lineCount >= lines.length;
  const bom = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const head = lines.slice(0, section.heading + lineCount + 1);
  const tail = lines.slice(section.end + lineCount);
  return bom + [...head, "", ...written, ...(isLast ? [""] : ["", ...tail])].join(lineEnd);
}
