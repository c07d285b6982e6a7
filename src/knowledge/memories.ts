import {
  type Memory,
  type MemoryEvent,
  type MemorySource,
  foldedId,
  isEventsPath,
  parseEvents,
} from "../memory/index.js";
import { clipMarkdown, visibleText } from "../shared/index.js";
import { isDepositPath, notePath } from "./deposit.js";
import { documentMemories, isDocumentPath } from "./document-memories.js";
import { escapeText } from "./escape.js";
import { oneLine } from "./format-rule.js";
import { quoteScalar, setFrontmatter } from "./frontmatter.js";
import { readLibrary } from "./library.js";
import { joinList, splitList } from "./lists.js";
import { mentionsOf } from "./mentions.js";
import { headOf } from "./note.js";
import { opensSection } from "./note-sections.js";
import type { Note, Problem, Tree } from "./types.js";

const SOURCES: readonly MemorySource[] = ["task", "bug", "pattern", "user"];
const MAX_TEXT = 8_000;

/** All that the memory store is a cache of, with what is wrong in the files. */
export interface ReadMemories {
  memories: Memory[];
  events: MemoryEvent[];
  problems: Problem[];
}

/**
 * Reads every memory of a tree: notes, trusted deposits that are not folded yet, sections of documents, and what runs used.
 * Contract: never throws. Text from people who may not write is left out; two files with one id are both kept.
 */
export function readMemories(tree: Tree): ReadMemories {
  const library = readLibrary(tree);
  const pending = library.deposits.flatMap(({ deposit }) => deposit?.note ?? []);
  const notes = [
    ...library.notes.map((note) => memoryOf(note, false)),
    ...pending.map((note) => memoryOf(note, true)),
  ].flatMap((memory) => memory ?? []);
  const documents = [...tree]
    .filter(([path]) => isDocumentPath(path))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([path, text]) => documentMemories(path, text));
  const events = [...tree]
    .filter(([path]) => isEventsPath(path))
    .map(([path, text]) => parseEvents(path, text));
  return {
    memories: apart([...notes, ...documents]),
    events: events.flatMap((file) => file.events),
    problems: [...library.problems, ...events.flatMap((file) => file.problems)],
  };
}

/** Writes a memory as the note that reads back as it. */
export function formatMemory(memory: Memory): { path: string; text: string } {
  const { title, text, files, symbols, tags } = memory;
  const head: [string, string][] = [
    ["id", memory.id],
    ["title", oneLine(title)],
    ["type", memory.type],
    ["status", memory.isRetired ? "retired" : "active"],
    ["date", memory.created],
    ["source", memory.source],
    ["trust", "reviewed"],
    ["tags", joinList(tags.map(oneLine), false)],
    ["files", joinList(files.map(oneLine), false)],
    ["symbols", joinList(symbols.map(oneLine), false)],
    ["pinned", memory.isPinned ? "true" : ""],
    ["supersedes", memory.supersedes.join(", ")],
    ["conflicts_with", memory.conflictsWith.join(", ")],
  ];
  const lines = head
    .filter(([, value]) => value !== "")
    .map(([key, value]) => `${key}: ${quoteScalar(value)}`);
  // A text that says its own title needs no heading; one that begins with a heading would lose it.
  const heading = text.startsWith(title) && !text.startsWith("#") ? "" : `# ${oneLine(title)}\n\n`;
  const body = `${heading}${escapeText(text.trim(), opensSection)}\n`;
  return { path: notePath(memory), text: `---\n${lines.join("\n")}\n---\n\n${body}` };
}

/** A note's or deposit's file with the memory put aside: it stays where it is, and is never recalled again. */
export function retireMemory(text: string): string {
  return setFrontmatter(text, { status: "retired" });
}

/** A note as memory; null for one whose text comes from someone who may not write. */
function memoryOf(note: Note, isPending: boolean): Memory | null {
  if (note.trust === "untrusted") return null;
  const values = headOf(note);
  const value = (key: string) => values.get(key)?.trim() ?? "";
  const list = (key: string) => (values.has(key) ? splitList(value(key)).items.map((item) => item.text) : []);
  const text = textOf(note);
  const named = mentionsOf(text);
  const { triggers } = note;
  return {
    id: note.id,
    type: note.type,
    title: visibleText(note.title),
    text,
    path: note.file,
    created: value("date"),
    // Notes of experience name where they come from in `source`, and whether a run learnt them in `origin`.
    source: SOURCES.find((source) => source === (value("origin") || value("source"))) ?? "user",
    tags: unique([...list("tags"), ...triggers.keywords, ...triggers.labels]),
    files: unique([...list("files"), ...triggers.paths, ...named.paths.filter((path) => path.includes("/"))]),
    symbols: unique([...list("symbols"), ...triggers.symbols, ...named.symbols]),
    isPinned: value("pinned") === "true",
    isPending: isPending || isDepositPath(note.file),
    isRetired: note.status !== "active",
    supersedes: list("supersedes"),
    conflictsWith: list("conflicts_with"),
  };
}

/** What a note says, without its occasion where the solution says it all. */
function textOf({ title, problem, solution }: Note): string {
  const parts = [problem, solution].map((part) => visibleText(part).trim()).filter(Boolean);
  return clipMarkdown(parts.join("\n\n") || visibleText(title), MAX_TEXT);
}

/** Two files may come to one id: the first keeps it, and both are shown as what they are, a contradiction. */
function apart(memories: readonly Memory[]): Memory[] {
  const byId = new Map<string, Memory>();
  for (const memory of memories) {
    const first = byId.get(foldedId(memory.id));
    if (first === undefined) byId.set(foldedId(memory.id), memory);
    // What is folded goes before its deposit.
    else if (!memory.isPending && first.text !== memory.text) {
      const id = `${memory.id}@${memory.path}`;
      byId.set(foldedId(id), { ...memory, id, conflictsWith: [...memory.conflictsWith, first.id] });
    }
  }
  return [...byId.values()];
}

function unique(items: readonly string[]): string[] {
  return [...new Set(items.map((item) => item.trim()).filter(Boolean))];
}
