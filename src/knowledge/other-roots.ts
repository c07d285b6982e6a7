import type { Memory } from "../memory/index.js";
import { clipMarkdown, visibleText } from "../shared/index.js";
import { readFrontmatter } from "./frontmatter.js";
import { splitList } from "./lists.js";
import { mentionsOf } from "./mentions.js";
import { parseNote } from "./note.js";
import type { Note, Tree } from "./types.js";

const OWN = /^(?:context|requirements)(?:\/|$)/;
const MAX_TEXT = 8_000;
const PUT_ASIDE = /^(?:retired|superseded|deprecated|obsolete|archived|draft)$/i;
const DATE = /^\d{4}-\d{2}-\d{2}/;

/** Folders of `knowledge.roots` besides `context/`, as the beginnings of paths: `docs/solutions/`. */
export function otherRoots(roots: readonly string[]): string[] {
  const folders = roots.map((root) => root.replace(/\/+$/, "")).filter((root) => !OWN.test(root));
  return [...new Set(folders)].map((folder) => `${folder}/`);
}

/** True for a note that people keep somewhere else than in `context/`: a tree holds those of other roots only. */
export function isOutsideNote(path: string): boolean {
  return path.includes("/") && path.endsWith(".md") && !OWN.test(path);
}

/** The title of such a note: its head's, its first heading's, or its name. */
export function outsideTitle(path: string, text: string): string {
  return visibleText(parseNote(path, text).note.title);
}

/** Notes of other roots as memories: one a file, under its path, with all that it says. They are read and never written. */
export function outsideMemories(tree: Tree): Memory[] {
  return [...tree]
    .filter(([path]) => isOutsideNote(path))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([path, text]) => memoryOf(path, text) ?? []);
}

function memoryOf(path: string, text: string): Memory | null {
  const { note } = parseNote(path, text);
  const { values, lists, body } = readFrontmatter(path, text);
  const said = clipMarkdown(visibleText(body).trim(), MAX_TEXT);
  if (said === "" || note.trust === "untrusted") return null;
  const named = mentionsOf(said);
  const date = values.get("date")?.trim() ?? "";
  return {
    id: path,
    type: note.type,
    title: visibleText(note.title),
    text: said,
    path,
    created: DATE.test(date) ? date : "",
    source: "document",
    tags: unique([
      ...(lists.get("tags") ?? splitList(values.get("tags") ?? "").items.map((item) => item.text)),
      ...keywordsOf(note),
    ]),
    files: unique([...note.triggers.paths, ...named.paths.filter((one) => one.includes("/"))]),
    symbols: unique([...note.triggers.symbols, ...named.symbols]),
    isPinned: false,
    isPending: false,
    isRetired: PUT_ASIDE.test(note.status.trim()),
    supersedes: [],
    conflictsWith: [],
  };
}

function keywordsOf({ triggers }: Note): string[] {
  return [...triggers.keywords, ...triggers.labels];
}

function unique(items: readonly string[]): string[] {
  return [...new Set(items.map((item) => item.trim()).filter(Boolean))];
}
