import { closest, sha256 } from "../shared/index.js";
import { unescapeLines } from "./escape.js";
import { readFrontmatter } from "./frontmatter.js";
import { conflictProblem, isConflictMarker, readLines, type Line } from "./lines.js";
import {
  cutSections,
  headingOf,
  HEADINGS,
  opensSection,
  readBullets,
  readTriggers,
} from "./note-sections.js";
import { SECTION_NAMES, type SectionName } from "./note-sections.js";
import type { Note, Problem } from "./types.js";

const TYPES = ["fact", "decision", "pattern", "event"] as const;
const TRUSTS = ["untrusted", "bot", "reviewed"] as const;

/** Heads of notes as they were read with them, for who needs more of them than a note has. */
const heads = new WeakMap<Note, ReadonlyMap<string, string>>();

/** All keys of a note's head, also those that only memories have. */
export function headOf(note: Note): ReadonlyMap<string, string> {
  return heads.get(note) ?? readFrontmatter(note.file, note.raw).values;
}

/**
 * Reads an experience note, also one of bare headings without frontmatter.
 * Contract: never throws; whatever is missing is empty and reported.
 */
export function parseNote(file: string, text: string): { note: Note; problems: Problem[] } {
  const front = readFrontmatter(file, text);
  const { lines, problems } = readLines(file, front.body);
  const parts = readParts(lines);
  const value = (key: string) => front.values.get(key)?.trim() ?? "";
  const found: Problem[] = [...front.problems];
  const report = (line: number, code: string, message: string) => found.push({ file, line, code, message });
  for (const line of lines.filter(({ text, isCode }) => !isCode && isConflictMarker(text))) {
    found.push(conflictProblem(file, line.number));
  }
  const choice = <T extends string>(key: string, allowed: readonly T[], otherwise: T): T => {
    const word = value(key).toLowerCase();
    const known = allowed.find((candidate) => candidate === word);
    if (!known && word)
      report(1, "note-value", `"${word}" is no ${key} of a note: use one of ${allowed.join(", ")}.`);
    return known ?? otherwise;
  };
  const note: Note = {
    id: value("id") || `EXP-${sha256(file).slice(0, 8).toUpperCase()}`,
    title: value("title") || firstHeading(lines) || stem(file),
    type: choice("type", TYPES, "pattern"),
    status: value("status") || "active",
    // Without the key it was written by a person's hand and came in by review; with an unknown word nobody knows.
    trust: choice("trust", TRUSTS, value("trust") ? "untrusted" : "reviewed"),
    problem: parts.text("problem"),
    triggers: readTriggers(parts.lines("triggers"), (line, message) => report(line, "note-trigger", message)),
    solution: parts.text("solution"),
    verification: parts.text("verification"),
    related: readBullets(parts.lines("related")),
    file,
    raw: text,
  };
  heads.set(note, front.values);
  if (note.type === "pattern")
    for (const message of missingHeadings(lines)) report(1, "note-heading", message);
  // A fact or decision may be plain text: all of it says what it is about.
  if (parts.isEmpty) note.problem = unescapeLines(withoutTitle(lines), opensSection);
  const shifted = [...problems, ...found.slice(front.problems.length)].map((problem) => ({
    ...problem,
    line: problem.line + front.lineCount,
  }));
  return { note, problems: [...front.problems, ...shifted] };
}

interface Parts {
  isEmpty: boolean;
  lines(name: SectionName): Line[];
  text(name: SectionName): string;
}

function readParts(lines: readonly Line[]): Parts {
  const sections = cutSections(lines).filter((section) => section.name !== null);
  const linesOf = (name: SectionName) => {
    const section = sections.find((candidate) => candidate.name === name);
    return section ? lines.slice(section.heading + 1, section.end) : [];
  };
  return {
    isEmpty: sections.length === 0,
    lines: linesOf,
    text: (name) => unescapeLines(linesOf(name), opensSection),
  };
}

function missingHeadings(lines: readonly Line[]): string[] {
  const headings = lines.flatMap((line) => (line.isCode ? [] : (headingOf(line.text) ?? [])));
  const missing = SECTION_NAMES.filter((name) => headings.every((heading) => heading.name !== name));
  return missing.map((name) => {
    const { zh, en } = HEADINGS[name];
    const near = headings.find((heading) => closest(heading.title, [zh, en]) !== null);
    const advice = near ? `rename "${near.title}" to it` : `add "## ${zh}" or "## ${en}"`;
    return `The note lacks the heading ${zh} / ${en}: ${advice}.`;
  });
}

function firstHeading(lines: readonly Line[]): string {
  const first = lines.find((line) => line.text.trim() !== "");
  const heading = first && !first.isCode ? headingOf(first.text) : null;
  return heading?.level === 1 && heading.name === null ? heading.title : "";
}

function withoutTitle(lines: readonly Line[]): Line[] {
  return firstHeading(lines)
    ? lines.slice(lines.findIndex((line) => line.text.trim() !== "") + 1)
    : [...lines];
}

function stem(file: string): string {
  return (file.split("/").at(-1) ?? file).replace(/\.md$/i, "");
}
