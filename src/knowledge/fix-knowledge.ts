import { closest } from "../shared/index.js";
import { fixRules, type Fix, type Ids } from "./fix-rules.js";
import { readFrontmatter, setFrontmatter } from "./frontmatter.js";
import { foldId, isNotePath } from "./library.js";
import { readLines, splitLines } from "./lines.js";
import { headingOf, HEADINGS, SECTION_NAMES } from "./note-sections.js";
import { parseNote } from "./note.js";
import { RULE_FILES, RULE_KINDS } from "./rule-keys.js";
import type { Tree } from "./types.js";

/** Files that were put right, and what was done to them. */
export interface Fixed {
  writes: Map<string, string>;
  fixes: Fix[];
}

/**
 * Puts right what has only one meaning in the rules and notes of a tree, and says what it did.
 * Contract: what it leaves is for a person; doing it again changes nothing.
 */
export function fixKnowledge(tree: Tree, fresh: { newRuleId(): string; newNoteId(): string }): Fixed {
  const ids: Ids = { taken: new Set(), ...fresh };
  const fixed: Fixed = { writes: new Map(), fixes: [] };
  const apply = (path: string, before: string, change: { text: string; fixes: Fix[] }) => {
    if (change.text !== before) fixed.writes.set(path, change.text);
    fixed.fixes.push(...change.fixes);
  };
  for (const kind of RULE_KINDS) {
    const path = RULE_FILES[kind];
    const text = tree.get(path);
    if (text !== undefined) apply(path, text, fixRules(path, text, ids));
  }
  for (const [path, text] of [...tree].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (isNotePath(path)) apply(path, text, fixNote(path, text, ids));
  }
  return fixed;
}

function fixNote(file: string, text: string, ids: Ids): { text: string; fixes: Fix[] } {
  const front = readFrontmatter(file, text);
  // A head that cannot be read is not written to.
  if (front.problems.length > 0) return { text, fixes: [] };
  const fixes: Fix[] = [];
  const report = (line: number, code: string, message: string) => fixes.push({ file, line, code, message });
  let fixed = fixHeadings(file, text, report);
  const { note } = parseNote(file, text);
  let { id } = note;
  if (ids.taken.has(foldId(id))) {
    do id = ids.newNoteId();
    while (ids.taken.has(foldId(id)));
    report(
      1,
      "duplicate-id",
      `${note.id} was taken already: this note is ${id} now, what names ${note.id} means the other one.`,
    );
  } else if (!front.values.get("id")?.trim())
    report(1, "missing-id", `The note had no id in its head and is ${id} now.`);
  ids.taken.add(foldId(id));
  if (id !== front.values.get("id")?.trim()) fixed = setFrontmatter(fixed, { id });
  return { text: fixed, fixes };
}

/** Headings that miss one of the five by a letter or two. */
function fixHeadings(
  file: string,
  text: string,
  report: (line: number, code: string, message: string) => void,
): string {
  const { body, lineCount } = readFrontmatter(file, text);
  const { lines } = readLines(file, body);
  const there = new Set(lines.flatMap((line) => (line.isCode ? [] : (headingOf(line.text)?.name ?? []))));
  const sources = text.split("\n");
  for (const line of lines) {
    const heading = line.isCode ? null : headingOf(line.text);
    if (!heading || heading.name !== null || heading.level > 3) continue;
    const name = SECTION_NAMES.find(
      (candidate) =>
        !there.has(candidate) && closest(heading.title, Object.values(HEADINGS[candidate])) !== null,
    );
    const right = name && closest(heading.title, Object.values(HEADINGS[name]));
    const at = line.number + lineCount - 1;
    if (!name || !right || splitLines(sources[at] ?? "")[0] !== line.text) continue;
    there.add(name);
    sources[at] = (sources[at] ?? "").replace(heading.title, right);
    report(at + 1, "heading", `The heading "${heading.title}" is "${right}" now.`);
  }
  return sources.join("\n");
}
