import { nextId } from "./diff-requirement.js";
import { HEADINGS } from "./headings.js";
import { type Block, blocksOf, criterionOf, wordsOfHeading } from "./requirement-blocks.js";
import { type AliasNames, foldedText, isSameByAlias } from "./same-text.js";
import { changedSide, mergeItems, orderedKeys, type ThreeSides } from "./three-sides.js";

/** A part that both sides changed in different ways, with what each says; empty where a side took it out. */
export interface RequirementConflict {
  /** `AC-1`, or the part's name. */
  key: string;
  ours: string;
  theirs: string;
}

/** A requirement's document with the changes of both sides, and what a person has to look at. */
export interface MergedRequirement {
  text: string;
  conflicts: RequirementConflict[];
  /** Criteria of ours that got another id, because theirs gave that one to something else. */
  renamed: { from: string; to: string }[];
  /** Headings that do not belong where they stand: kept as they are, and left alone. */
  quarantined: string[];
}

/**
 * Merges two edits of a requirement's document, by the ids of its criteria and by its parts. Both texts stay where both sides changed
 * one thing. Contract: never throws, drops nothing that a side wrote, and leaves byte for byte what only theirs touched.
 */
export function mergeRequirements(
  documents: Record<keyof ThreeSides<string>, string>,
  groups: AliasNames = [],
): MergedRequirement {
  const theirs = blocksOf(documents.theirs);
  const base = blocksOf(documents.base);
  const { blocks: ours, renamed } = apart({ base, ours: blocksOf(documents.ours), theirs }, groups);
  const [was, mine, other] = [base, ours, theirs].map(
    (blocks) => new Map(blocks.map((one) => [one.key, one])),
  );
  const merged: MergedRequirement = { text: "", conflicts: [], renamed, quarantined: [] };
  const keys = orderedKeys(keysOf(theirs), keysOf(ours));
  const parts = keys.flatMap((key): Block[] => {
    const sides = { base: was?.get(key), ours: mine?.get(key), theirs: other?.get(key) };
    const side = changedSide(sides, (a, b) => isSameBlock(a, b, groups));
    const block = side === "both" ? bothChanged(sides, merged.conflicts) : sides[side];
    return block ? [block] : [];
  });
  merged.quarantined = parts.filter(({ kind }) => kind === "stray").map(({ key }) => key);
  merged.text = joined(parts, theirs);
  return merged;
}

/** Parts of a document that say two things, until a person makes them one. */
export function conflictsIn(document: string): string[] {
  const mark = (words: string) => `> ⚠ **${words}**`;
  const marks = [mark(HEADINGS.en.conflict), mark(HEADINGS.zh.conflict)];
  return blocksOf(document)
    .filter(({ raw }) => raw.split(/\r?\n/).some((line) => marks.includes(line.trimEnd())))
    .map(({ key }) => key);
}

const keysOf = (blocks: readonly Block[]) => blocks.map(({ key }) => key);

function isSameBlock(a: Block, b: Block, groups: AliasNames): boolean {
  const isSame = a.raw.trim() === b.raw.trim();
  return isSame || (a.kind === "criterion" && isSameByAlias(bodyOf(a), bodyOf(b), groups));
}

/** Two sides that each added a criterion gave it the same id by chance: ours gets its own. What both added is added once. */
function apart(
  sides: Record<keyof ThreeSides<string>, Block[]>,
  groups: AliasNames,
): { blocks: Block[]; renamed: MergedRequirement["renamed"] } {
  const isNew = (block: Block) => criterionOf(block) !== null && !keysOf(sides.base).includes(block.key);
  const folded = (block: Block) => foldedText(bodyOf(block), groups);
  const added = new Map(sides.theirs.filter(isNew).map((block) => [block.key, folded(block)]));
  const taken = Object.values(sides).flatMap(keysOf);
  const renamed: MergedRequirement["renamed"] = [];
  const blocks = sides.ours.flatMap((block): Block[] => {
    if (!isNew(block)) return [block];
    if ([...added.values()].includes(folded(block))) return [];
    if (!added.has(block.key)) return [block];
    const to = nextId(taken);
    taken.push(to);
    renamed.push({ from: block.key, to });
    return [{ ...block, key: to, raw: block.raw.replace(block.key, to) }];
  });
  return { blocks, renamed };
}

function bothChanged(sides: ThreeSides<Block>, conflicts: RequirementConflict[]): Block | undefined {
  const { base, ours, theirs } = sides;
  const kept = theirs ?? ours;
  if (!kept) return undefined;
  const isThere = ours && theirs;
  if (isThere && kept.kind === "head") return mergedHead(sides, conflicts);
  const list = isThere && kept.kind === "list" ? mergedList(sides) : null;
  if (list !== null) return { ...kept, raw: list };
  const said = { ours: ours ? bodyOf(ours) : "", theirs: theirs ? bodyOf(theirs) : "" };
  conflicts.push({ key: kept.key, ...said });
  // A part that one side took out and the other changed stays, until somebody takes it out again.
  if (!isThere || base?.kind === "stray") return kept;
  const words = isChinese(kept.raw) ? HEADINGS.zh : HEADINGS.en;
  const quoted = said.ours.split(/\r?\n/).map((line) => `> ${line}`.trimEnd());
  return { ...kept, raw: `${kept.raw.trimEnd()}\n\n> ⚠ **${words.conflict}**\n>\n${quoted.join("\n")}\n\n` };
}

/** The text below a heading; of a criterion also what its heading says behind the id. */
function bodyOf({ kind, key, raw }: Block): string {
  const [first = "", ...rest] = raw.split(/(?<=\n)/);
  if (kind === "criterion") return [wordsOfHeading(first), ...rest].join("").trim();
  return (key !== "title" && /^#{1,3}\s/.test(first) ? rest.join("") : raw).trim();
}

/** Bullets of both sides; null where anything else stands among them. */
function mergedList(sides: ThreeSides<Block>): string | null {
  const items = (block: Block | undefined) => itemsOf(block ? bodyOf(block) : "");
  const [base, ours, theirs] = [items(sides.base), items(sides.ours), items(sides.theirs)];
  if (!base || !ours || !theirs) return null;
  const raw = sides.theirs?.raw ?? "";
  const [heading = ""] = raw.split(/\r?\n/);
  const none = isChinese(raw) ? HEADINGS.zh.none : HEADINGS.en.none;
  const merged = mergeItems({ base, ours, theirs });
  return `${heading}\n\n${merged.length === 0 ? none : merged.join("\n")}\n\n`;
}

function itemsOf(body: string): string[] | null {
  if (body === "" || body === HEADINGS.en.none || body === HEADINGS.zh.none) return [];
  const lines = body.split(/\r?\n/).filter((line) => line.trim() !== "");
  const items: string[] = [];
  for (const line of lines) {
    const last = items.length - 1;
    if (/^(?:[-*+]|\d+[.)])\s/.test(line)) items.push(line.trimEnd());
    else if (last < 0 || !/^\s/.test(line)) return null;
    else items[last] = `${items[last] ?? ""}\n${line.trimEnd()}`;
  }
  return items;
}

/** Key by key; where both changed one, the other value stands beside it. */
function mergedHead({ base, ours, theirs }: ThreeSides<Block>, conflicts: RequirementConflict[]): Block {
  const [was, mine, other] = [base, ours, theirs].map(headLines);
  const lines = orderedKeys([...(other?.keys() ?? [])], [...(mine?.keys() ?? [])]).flatMap((key) => {
    const sides = { base: was?.get(key), ours: mine?.get(key), theirs: other?.get(key) };
    const side = changedSide(sides, (a, b) => a.trim() === b.trim());
    if (side !== "both") return sides[side] ?? [];
    conflicts.push({ key, ours: (sides.ours ?? "").trim(), theirs: (sides.theirs ?? "").trim() });
    if (sides.ours === undefined || sides.theirs === undefined) return sides.theirs ?? sides.ours ?? [];
    return [sides.theirs, `x-other-${sides.ours}`];
  });
  return { key: "head", kind: "head", raw: `---\n${lines.join("")}---\n` };
}

function headLines(block: Block | undefined): Map<string, string> {
  const lines = new Map<string, string>();
  let key = "";
  for (const line of (block?.raw ?? "").split(/(?<=\n)/).slice(1)) {
    if (line.startsWith("---")) break;
    key = /^([A-Za-z_][\w.-]*):/.exec(line)?.[1] ?? key;
    lines.set(key, (lines.get(key) ?? "") + line);
  }
  return lines;
}

/** Parts that stood behind each other in theirs stay as they are; around all others there is an empty line. */
function joined(parts: readonly Block[], theirs: readonly Block[]): string {
  let text = "";
  for (const [index, block] of parts.entries()) {
    const last = parts[index - 1];
    const at = theirs.indexOf(block);
    const isAsIs = at >= 0 && (last === undefined ? at === 0 : theirs[at - 1] === last);
    if (!isAsIs && text !== "" && !/\n\r?\n$/.test(text)) text += text.endsWith("\n") ? "\n" : "\n\n";
    text += block.raw;
  }
  const isEnd = parts.at(-1) !== undefined && parts.at(-1) === theirs.at(-1);
  return isEnd ? text : text.replace(/\n+$/, "\n");
}

function isChinese(raw: string): boolean {
  return /\p{Script=Han}/u.test(raw);
}
