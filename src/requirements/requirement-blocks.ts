import { HEADINGS } from "./headings.js";

/** What a part of a requirement's document is. */
export type BlockKind = "head" | "text" | "list" | "criterion" | "stray";

/** A part of a requirement's document, byte for byte. */
export interface Block {
  /** Known parts are named after what they are, whatever their heading says; a criterion by its id. */
  key: string;
  kind: BlockKind;
  raw: string;
}

type Section = keyof (typeof HEADINGS)["en"];

const LISTS: readonly Section[] = ["scope", "nonGoals", "questions", "changes"];
const KNOWN: readonly Section[] = ["problem", "criteria", ...LISTS];
/** The heading of a criterion up to its words, also as people write it: deeper, in small letters, in bold. */
const CRITERION = /^#{2,4} +(?:\*\*|__)?(AC-\d+)(?![\w-])(?:\*\*|__)?[:：.]?(?:\*\*|__)?\s*/i;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/**
 * Cuts a requirement's document into its parts. A heading that does not belong where it stands is a part of its own, so that it
 * spoils nothing around it. Contract: the parts joined are the document.
 */
export function blocksOf(document: string): Block[] {
  const blocks: Block[] = [];
  const head =
    /^\uFEFF?---[ \t]*\r?\n[\s\S]*?\r?\n---[ \t]*(?:\r?\n|$)(?:[ \t]*\r?\n)*/.exec(document)?.[0] ?? "";
  if (head) blocks.push({ key: "head", kind: "head", raw: head });
  const seen = new Set<string>();
  let fence = "";
  for (const line of document.slice(head.length).split(/(?<=\n)/)) {
    const fenced = FENCE.exec(line)?.[1] ?? "";
    const opens = fence === "" ? openedBy(line, blocks.at(-1), seen) : null;
    if (fence === "") fence = fenced;
    else if (fenced.startsWith(fence)) fence = "";
    const last = blocks.at(-1);
    if (opens) blocks.push({ ...opens, raw: line });
    else if (last && last.kind !== "head") last.raw += line;
    else if (line !== "") blocks.push({ ...named("title", "text", seen), raw: line });
  }
  return blocks;
}

/** The id of a criterion's block; null for any other. */
export function criterionOf({ key, kind }: Pick<Block, "key" | "kind">): string | null {
  return kind === "criterion" ? key : null;
}

/** What the heading of a criterion says behind its id. */
export function wordsOfHeading(heading: string): string {
  return heading.replace(CRITERION, "");
}

/** What a heading begins; null for a line that goes on with what stands above it. */
function openedBy(
  line: string,
  last: Block | undefined,
  seen: Set<string>,
): Pick<Block, "key" | "kind"> | null {
  const id = CRITERION.exec(line)?.[1]?.toUpperCase();
  if (id !== undefined) return seen.has(id) ? named(id, "stray", seen) : named(id, "criterion", seen);
  const [, marks = "", title = ""] = /^(#{1,3})[ \t]+(.+?)[ \t]*\r?\n?$/.exec(line) ?? [];
  if (title === "") return null;
  if (marks === "##") {
    const section = KNOWN.find((key) => title === HEADINGS.en[key] || title === HEADINGS.zh[key]);
    if (section === undefined) return named(`## ${title}`, "text", seen);
    if (seen.has(section)) return named(section, "stray", seen);
    return named(section, LISTS.includes(section) ? "list" : "text", seen);
  }
  // Its own title is where it belongs; below a part of ours a heading is a part of whoever wrote it.
  const isTitle = marks === "#" && (last === undefined || last.kind === "head" || last.raw.trim() === "");
  const isStray = (marks === "#" && !isTitle) || (marks === "###" && last?.kind === "criterion");
  return isStray ? named(`${marks} ${title}`, "stray", seen) : null;
}

function named<Kind extends BlockKind>(
  name: string,
  kind: Kind,
  seen: Set<string>,
): { key: string; kind: Kind } {
  let key = name;
  for (let count = 2; seen.has(key); count += 1) key = `${name} (${count})`;
  seen.add(key);
  return { key, kind };
}

/** The parts that the bot writes: what else stands in a document is people's, and nobody takes it out by not repeating it. */
export function ownParts(document: string): string {
  const own = (line: string) => /^(?:id|title|issue|url|created):/.test(line) || line.startsWith("---");
  return blocksOf(document)
    .filter(({ key, kind }) => kind !== "stray" && !key.startsWith("## "))
    .map(({ kind, raw }) =>
      kind === "head"
        ? raw
            .split(/(?<=\n)/)
            .filter(own)
            .join("")
        : raw,
    )
    .join("");
}
