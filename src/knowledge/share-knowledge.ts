import { INDEX_PATH } from "./context-index.js";
import { isDocumentPath } from "./document-memories.js";
import { GLOSSARY_PATH } from "./glossary.js";
import { readLines, splitLines } from "./lines.js";
import { headingOf } from "./note-sections.js";
import { unqualify } from "./qualify.js";
import { RULE_FILES } from "./rule-keys.js";
import type { Tree } from "./types.js";
import { foldText } from "./words.js";

/** Files of which two say more than one: each block of theirs stands alone. */
const JOINED: readonly string[] = [...Object.values(RULE_FILES), GLOSSARY_PATH];
/** What is of one repository only: notes of a session. */
const OWN = /^context\/session\//;

/** A tree with the knowledge that several repositories share beside its own, and the paths that are only theirs. */
export interface SharedTree {
  tree: Tree;
  shared: ReadonlySet<string>;
}

/**
 * Puts the knowledge of a shared repository beside a repository's own, `owner/name`: rules and names of both count, and of two
 * documents with one path the own one, with those sections that only the other has. What names the repository's own code there
 * reads as its own; what names another's stays so named, and fits no file here.
 */
export function shareKnowledge(own: Tree, theirs: Tree, repository: string): SharedTree {
  const tree = new Map(own);
  const shared = new Set<string>();
  for (const [path, raw] of theirs) {
    if (!path.startsWith("context/") || OWN.test(path) || path === INDEX_PATH) continue;
    const text = unqualify(raw, repository);
    const mine = own.get(path);
    if (mine === undefined) {
      tree.set(path, text);
      shared.add(path);
    } else if (JOINED.includes(path)) tree.set(path, `${mine.trimEnd()}\n\n${text}`);
    else if (isDocumentPath(path)) tree.set(path, withTheirSections(mine, text));
  }
  return { tree, shared };
}

/** A document with those sections of the other that it has no heading for. */
function withTheirSections(mine: string, theirs: string): string {
  const known = new Set(sectionsOf(mine).map(({ title }) => title));
  const added = sectionsOf(theirs).filter(({ title }) => !known.has(title));
  return added.length === 0
    ? mine
    : `${[mine, ...added.map(({ text }) => text)].map((text) => text.trim()).join("\n\n")}\n`;
}

function sectionsOf(document: string): { title: string; text: string }[] {
  const all = splitLines(document);
  const starts = readLines("", document).lines.flatMap(({ text, isCode }, at) => {
    const heading = isCode ? null : headingOf(text);
    return heading?.level === 2 ? [{ at, title: foldText(heading.title) }] : [];
  });
  return starts.map(({ at, title }, index) => ({
    title,
    text: all.slice(at, starts[index + 1]?.at).join("\n"),
  }));
}
