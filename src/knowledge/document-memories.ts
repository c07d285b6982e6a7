import type { Memory } from "../memory/index.js";
import { clipMarkdown, visibleText } from "../shared/index.js";
import { readFrontmatter } from "./frontmatter.js";
import { readLines } from "./lines.js";
import { mentionsOf } from "./mentions.js";
import { headingOf } from "./note-sections.js";

const DOCUMENT = /^context\/(?:business|tech)\/.+\.md$/;
/** Names that mean the same are no facts: they widen questions. */
const GLOSSARY = "context/business/glossary.md";
const MAX_TEXT = 4_000;

/** True for a document whose sections are facts. */
export function isDocumentPath(path: string): boolean {
  return DOCUMENT.test(path) && path !== GLOSSARY;
}

/** A heading with the lines up to the next one. */
interface Section {
  heading: string;
  /** The headings that it stands under, outermost first. */
  above: string[];
  lines: string[];
}

/** The sections of a document as facts. Their ids `path#heading` stay as long as path and heading do. */
export function documentMemories(path: string, text: string): Memory[] {
  const seen = new Map<string, number>();
  return sectionsOf(path, text).flatMap((section) => {
    const times = (seen.get(section.heading) ?? 0) + 1;
    seen.set(section.heading, times);
    const said = clipMarkdown(visibleText(section.lines.join("\n")).trim(), MAX_TEXT);
    if (said === "") return [];
    const name = section.heading === "" ? path : `${path}#${section.heading}`;
    return [factOf(times === 1 ? name : `${name}~${times}`, said, section)];
  });
}

function factOf(id: string, text: string, { heading, above }: Section): Memory {
  const named = mentionsOf(text);
  return {
    id,
    type: "fact",
    title: visibleText([...above, heading].filter(Boolean).join(": ")),
    text,
    path: id,
    created: "",
    source: "document",
    tags: [],
    files: named.paths.filter((path) => path.includes("/")),
    symbols: named.symbols,
    isPinned: false,
    isPending: false,
    isRetired: false,
    supersedes: [],
    conflictsWith: [],
  };
}

function sectionsOf(path: string, text: string): Section[] {
  const { lines } = readLines(path, readFrontmatter(path, text).body);
  const open: { level: number; title: string }[] = [];
  let current: Section = { heading: "", above: [], lines: [] };
  const sections = [current];
  for (const line of lines) {
    const heading = line.isCode ? null : headingOf(line.text);
    if (heading === null) {
      current.lines.push(line.text);
      continue;
    }
    while (open.length > 0 && (open.at(-1)?.level ?? 0) >= heading.level) open.pop();
    current = { heading: heading.title, above: open.map(({ title }) => title), lines: [] };
    open.push({ level: heading.level, title: heading.title });
    sections.push(current);
  }
  return sections;
}
