import { sha256 } from "../shared/index.js";
import { conflictProblem, isConflictMarker, readLines, splitLines } from "./lines.js";
import { joinList, splitList } from "./lists.js";
import { cutRuleFile, type FilePart } from "./rule-file.js";
import { CODE_KEYS, LIST_KEYS, ruleKey, type RuleKey } from "./rule-keys.js";
import { mergedOrder, mergeLists, takeChanged, type Sides } from "./three-way.js";
import type { Problem } from "./types.js";

/** A merge: the text, or null when a side cannot be read, and what a person has to look at. */
export interface Merged {
  text: string | null;
  problems: Problem[];
}

/** The three texts of a file; empty where a side does not have it. */
export type Texts = Readonly<Record<keyof Sides<string>, string>>;

/**
 * Merges a rule file by the ids of its rules, key by key: lists are joined, what both sides changed differently is kept twice, the
 * other side's as a draft under an id of its own, and reported. What is no rule is merged by its heading.
 * Contract: nothing is lost and nothing is written over; unknown keys and headings stay byte for byte.
 */
export function mergeRules(file: string, texts: Texts): Merged {
  const broken = conflictsIn(file, texts);
  if (broken.length > 0) return { text: null, problems: broken };
  const [base, ours, theirs] = [partsOf(texts.base), partsOf(texts.ours), partsOf(texts.theirs)];
  const problems: Problem[] = [];
  const written: { part: FilePart; notes: string[] }[] = [];
  for (const key of mergedOrder([...ours.keys()], [...theirs.keys()])) {
    const sides = { base: base.get(key), ours: ours.get(key), theirs: theirs.get(key) };
    // A copy that an earlier merge made is there already.
    written.push(...mergePart(sides).filter(({ part }) => part.key === key || !ours.has(part.key)));
  }
  let text = "";
  for (const { part, notes } of written) {
    const line = splitLines(text).length;
    for (const message of notes)
      problems.push({ file, line: text === "" ? 1 : line, code: "merge-conflict", message });
    text += separated(text, part.text);
  }
  return { text, problems };
}

function partsOf(text: string): Map<string, FilePart> {
  return new Map(cutRuleFile(text).map((part) => [part.key, part]));
}

function mergePart(sides: Sides<FilePart>): { part: FilePart; notes: string[] }[] {
  const taken = takeChanged(sides, (a, b) => a.text.trim() === b.text.trim());
  if (taken.kind === "taken") return taken.value ? [{ part: taken.value, notes: [] }] : [];
  const { ours, theirs } = sides;
  const name = ours?.id ?? theirs?.id ?? (ours ?? theirs)?.key ?? "";
  if (!ours || !theirs) {
    const left = ours ?? theirs;
    const note = `${name} was changed on one side and deleted on the other: it is kept, delete it if it shall go.`;
    return left ? [{ part: left, notes: [note] }] : [];
  }
  const merged = ours.id === null ? null : mergeBlocks({ ...sides, ours, theirs });
  if (merged !== null) return [{ part: { ...ours, text: merged }, notes: [] }];
  const copy = ours.id === null ? theirs : draftCopy(theirs);
  const note = `${name} was changed on both sides: both are kept, the other as ${copy.id ?? "the text below"}; make one of the two.`;
  return [
    { part: ours, notes: [note] },
    { part: copy, notes: [] },
  ];
}

/** A rule's lines by what they say. */
interface Block {
  heading: string;
  /** The key, or the written name of an unknown one → its lines. */
  entries: Map<string, string>;
  prose: string;
}

/** Null when both sides changed the same value in different ways. */
function mergeBlocks(sides: { base: FilePart | undefined; ours: FilePart; theirs: FilePart }): string | null {
  const base = sides.base && readBlock(sides.base.text);
  const [ours, theirs] = [readBlock(sides.ours.text), readBlock(sides.theirs.text)];
  if (!base || !ours || !theirs) return null;
  const values: string[] = [];
  for (const pick of [(block: Block) => block.heading, (block: Block) => block.prose]) {
    const taken = takeChanged(
      { base: pick(base), ours: pick(ours), theirs: pick(theirs) },
      (a, b) => a.trim() === b.trim(),
    );
    if (taken.kind === "both") return null;
    values.push(taken.value ?? "");
  }
  const entries: string[] = [];
  for (const key of mergedOrder([...ours.entries.keys()], [...theirs.entries.keys()])) {
    const entry = mergeEntry(key, {
      base: base.entries.get(key),
      ours: ours.entries.get(key),
      theirs: theirs.entries.get(key),
    });
    if (entry === null) return null;
    entries.push(entry === "" || entry.endsWith("\n") ? entry : `${entry}\n`);
  }
  const [heading = "", prose = ""] = values;
  return `${heading}${entries.join("")}${prose}`;
}

/** An empty text where the entry goes, null for a conflict. */
function mergeEntry(key: string, sides: Sides<string>): string | null {
  const taken = takeChanged(sides, (a, b) => a.trim() === b.trim());
  if (taken.kind === "taken") return taken.value ?? "";
  const known = ruleKey(key);
  if (!known || !LIST_KEYS.has(known)) return null;
  const lists = { base: itemsOf(sides.base), ours: itemsOf(sides.ours), theirs: itemsOf(sides.theirs) };
  if (!lists.base || !lists.ours || !lists.theirs) return null;
  const items = mergeLists({ base: lists.base, ours: lists.ours, theirs: lists.theirs });
  return items.length === 0 ? "" : rewritten(known, sides.ours ?? sides.theirs ?? "", items);
}

/** The entry with other items, in the words and with the line end of whoever wrote it. */
function rewritten(key: RuleKey, entry: string, items: readonly string[]): string {
  const [, start = `- ${key}: `] = ENTRY_START.exec(entry) ?? [];
  return `${start}${joinList(items, CODE_KEYS.has(key))}${entry.endsWith("\r\n") ? "\r\n" : "\n"}`;
}

const ENTRY_START =
  /^( {0,3}[-*+]\s+\*{0,2}(?:[A-Za-z][\w-]*|\p{Script=Han}{1,6})\*{0,2}\s*[:：]\*{0,2}\s*)/u;
const ENTRY = /^ {0,3}[-*+]\s+\*{0,2}([A-Za-z][\w-]*|\p{Script=Han}{1,6})\*{0,2}\s*[:：]/u;

/** Null when the keys cannot be told apart: then the block is merged as a whole only. */
function readBlock(text: string): Block | null {
  const { lines } = readLines("", text);
  const block: Block = { heading: "", entries: new Map(), prose: "" };
  let last: string | null = null;
  for (const [index, source] of text.split(/(?<=\n)/).entries()) {
    const line = lines[index]?.text ?? "";
    const isEntryLine: boolean = last !== null && /^\s{2,}\S/.test(line);
    const name = lines[index]?.isCode === true ? undefined : ENTRY.exec(line)?.[1];
    if (index === 0) block.heading = source;
    else if (block.prose.trim() !== "") block.prose += source;
    else if (name !== undefined && block.prose === "") {
      last = ruleKey(name) ?? name;
      if (block.entries.has(last)) return null;
      block.entries.set(last, source);
    } else if (isEntryLine && block.prose === "" && last !== null) {
      block.entries.set(last, `${block.entries.get(last) ?? ""}${source}`);
    } else if (line.trim() === "" && block.entries.size === 0) block.heading += source;
    else block.prose += source;
  }
  return block;
}

function itemsOf(entry: string | undefined): string[] | null {
  if (entry === undefined) return [];
  const lines = splitLines(entry.trimEnd());
  const [first = "", ...more] = lines;
  const start = ENTRY_START.exec(first)?.[1] ?? "";
  const value = [first.slice(start.length), ...more.map((line) => line.trim().replace(/^[-*+]\s+/, ""))];
  const { items, fault } = splitList(value.filter(Boolean).join(", "));
  return fault === null ? items.map(({ text }) => text) : null;
}

const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** The other side's rule, which does not fire twice; its id follows from its text, so that merging again adds no third. */
function draftCopy(part: FilePart): FilePart {
  const digest = sha256(part.text.trim());
  const id = `R-${Array.from({ length: 8 }, (_, at) => DIGITS.charAt(Number.parseInt(digest.slice(at * 2, at * 2 + 2), 16) % 32)).join("")}`;
  const renamed = part.text.replace(/^##\s+\S+/, `## ${id}`);
  const lines = renamed
    .split(/(?<=\n)/)
    .filter((line) => !/^ {0,3}[-*+]\s+\*{0,2}(status|状态)\*{0,2}\s*[:：]/iu.test(line));
  const first = Math.max(
    1,
    lines.findIndex((line) => ENTRY.test(line)),
  );
  const text = [...lines.slice(0, first), "- status: draft\n", ...lines.slice(first)].join("");
  return { key: id, id, text };
}

/** A blank line between two rules, whatever ends the one before. */
function separated(before: string, part: string): string {
  if (before === "" || part === "") return part;
  if (/\n\r?\n$/.test(before)) return part;
  return `${before.endsWith("\n") ? "\n" : "\n\n"}${part}`;
}

/** Left-over markers make a side unreadable: merging it would take half a rule for a whole one. */
export function conflictsIn(file: string, texts: Texts): Problem[] {
  return Object.values(texts).flatMap((text) =>
    readLines(file, text)
      .lines.filter((line) => !line.isCode && isConflictMarker(line.text))
      .map((line) => conflictProblem(file, line.number)),
  );
}
