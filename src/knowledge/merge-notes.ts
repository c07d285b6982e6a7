import { readFrontmatter } from "./frontmatter.js";
import { readLines, splitLines } from "./lines.js";
import { conflictsIn, type Merged, type Texts } from "./merge-rules.js";
import { headingOf } from "./note-sections.js";
import { mergedOrder, mergeLists, takeChanged, type Sides } from "./three-way.js";
import type { Problem } from "./types.js";

/**
 * Merges a note or document by the keys of its head and by its sections. Bullets are merged as a list; a section that both sides
 * rewrote has both texts, a key that both changed has the other value beside it, and both are reported.
 * Contract: nothing is lost; unknown keys and headings stay byte for byte.
 */
export function mergeNotes(file: string, texts: Texts): Merged {
  const broken = conflictsIn(file, texts);
  if (broken.length > 0) return { text: null, problems: broken };
  const [base, ours, theirs] = [cut(texts.base), cut(texts.ours), cut(texts.theirs)];
  const problems: Problem[] = [];
  const report = (message: string) => problems.push({ file, line: 1, code: "merge-conflict", message });
  const head = mergeParts({ base: base.head, ours: ours.head, theirs: theirs.head }, (key, sides) => {
    report(`"${key}" was changed on both sides: the other value is "x-other-${key}", keep one of the two.`);
    return `${sides.ours ?? ""}${(sides.theirs ?? "").replace(/^/, "x-other-")}`;
  });
  const body = mergeParts({ base: base.body, ours: ours.body, theirs: theirs.body }, (key, sides) => {
    const bullets = mergedBullets(sides);
    if (bullets !== null) return bullets;
    report(`${key || "The beginning"} was changed on both sides: both texts are kept, make them one.`);
    const [first, ...rest] = splitLines(sides.theirs ?? "");
    const other = headingOf(first ?? "") && sides.ours !== undefined ? rest.join("\n") : (sides.theirs ?? "");
    return [sides.ours ?? "", other]
      .map((text) => text.trim())
      .filter(Boolean)
      .join("\n\n");
  });
  const sections = body
    .map((text) => text.trim())
    .filter(Boolean)
    .join("\n\n");
  // What only one side changed stays byte for byte.
  const isPlain = problems.length === 0;
  if (isPlain && texts.base === texts.ours) return { text: texts.theirs, problems };
  if (isPlain && (texts.base === texts.theirs || texts.ours === texts.theirs))
    return { text: texts.ours, problems };
  const lines = head.map((text) => (text.endsWith("\n") ? text : `${text}\n`)).join("");
  return { text: `${lines === "" ? "" : `---\n${lines}---\n\n`}${sections}\n`, problems };
}

/** The keys of the head and the sections of the body, each with its text. */
interface Cut {
  head: Map<string, string>;
  body: Map<string, string>;
}

function cut(text: string): Cut {
  const { body, lineCount } = readFrontmatter("", text);
  const head = new Map<string, string>();
  let key = "";
  for (const line of text.split(/(?<=\n)/).slice(1, Math.max(1, lineCount - 1))) {
    const name = /^([A-Za-z_][\w.-]*):/.exec(line)?.[1];
    if (name !== undefined) key = name;
    head.set(key, (head.get(key) ?? "") + line);
  }
  return { head, body: sectionsOf(body) };
}

function sectionsOf(body: string): Map<string, string> {
  const { lines } = readLines("", body);
  const sections = new Map<string, string>();
  let key = "";
  for (const [index, source] of body.split(/(?<=\n)/).entries()) {
    const line = lines[index];
    const heading = line && !line.isCode ? headingOf(line.text) : null;
    if (heading && (heading.level <= 2 || heading.name !== null)) {
      const name = heading.name ?? heading.title;
      let count = 1;
      key = name;
      while (sections.has(key)) key = `${name} ${++count}`;
    }
    sections.set(key, (sections.get(key) ?? "") + source);
  }
  return sections;
}

function mergeParts(
  { base, ours, theirs }: Record<keyof Sides<string>, Map<string, string>>,
  both: (key: string, sides: Sides<string>) => string,
): string[] {
  return mergedOrder([...ours.keys()], [...theirs.keys()]).map((key) => {
    const sides = { base: base.get(key), ours: ours.get(key), theirs: theirs.get(key) };
    const taken = takeChanged(sides, (a, b) => a.trim() === b.trim());
    return taken.kind === "taken" ? (taken.value ?? "") : both(key, sides);
  });
}

/** A section of bullets as a list; null when it has anything else. */
function mergedBullets({ base, ours, theirs }: Sides<string>): string | null {
  if (ours === undefined || theirs === undefined) return null;
  const [heading = "", ...lines] = splitLines(ours.trim());
  const items = [splitLines((base ?? "").trim()).slice(1), lines, splitLines(theirs.trim()).slice(1)].map(
    (side) => side.filter((line) => line.trim() !== ""),
  );
  if (!headingOf(heading) || items.flat().some((line) => !/^[-*+]\s/.test(line))) return null;
  const [before = [], mine = [], other = []] = items;
  return [heading, "", ...mergeLists({ base: before, ours: mine, theirs: other })].join("\n");
}
