// Finds in two languages of one Markdown document the parts that say the same.

const HAN = /\p{Script=Han}/gu;
/** A part longer than this teaches words nothing about each other. */
const LONGEST_PART = 1200;

/** What of a line is prose: no links' targets, no marks, no HTML. */
function proseOf(line) {
  return line
    .replace(/<[^>]*>/g, " ")
    .replace(/\]\([^)]*\)/g, "] ")
    .replace(/https?:\/\/\S+/g, " ")
    .replace(/[*_`>#|[\]]+/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

const KINDS = [
  ["heading", /^(#{1,6})\s+/],
  ["item", /^\s*(?:[-*+]|\d+[.)])\s+/],
  ["row", /^\s*\|/],
  ["quote", /^\s*>/],
];

/** The blocks of a document in order, each with its kind; code and front matter are left out, a fence stays as a mark. */
export function blocksOf(markdown) {
  const lines = markdown
    .replaceAll("\r", "")
    .replace(/^---\n[\s\S]*?\n---\n/, "")
    .split("\n");
  const blocks = [];
  let inFence = false;
  let isOpen = false;
  for (const line of lines) {
    if (/^\s*(```|~~~)/.test(line)) {
      inFence = !inFence;
      isOpen = false;
      if (inFence) blocks.push({ kind: "fence", text: "" });
      continue;
    }
    if (inFence) continue;
    if (line.trim() === "" || /^[\s|:-]+$/.test(line)) {
      isOpen = false;
      continue;
    }
    const [kind = "text", mark] = KINDS.find(([, pattern]) => pattern.test(line)) ?? [];
    const level = kind === "heading" ? (mark.exec(line)?.[1]?.length ?? 0) : 0;
    const text = proseOf(kind === "item" ? line.replace(mark, "") : line);
    const last = blocks.at(-1);
    if (kind === "text" && isOpen && last) last.text += ` ${text}`;
    else blocks.push({ kind: level ? `heading${level}` : kind, text });
    isOpen = kind === "text" || kind === "item";
  }
  return blocks;
}

/** Splits blocks at their headings: each section begins with its heading, the first may have none. */
function sectionsOf(blocks) {
  const sections = [[]];
  for (const block of blocks) {
    if (block.kind.startsWith("heading")) sections.push([]);
    sections.at(-1).push(block);
  }
  return sections;
}

const hanIn = (text) => text.match(HAN)?.length ?? 0;

/** How badly two blocks fit: kinds differ, or one is far longer. A Chinese character is worth about 2.6 English ones. */
function misfit(english, chinese) {
  if (english.kind !== chinese.kind) return 3;
  const size = chinese.text.length + 1.6 * hanIn(chinese.text);
  return Math.abs(Math.log((english.text.length + 8) / (size + 8)));
}

const SKIP = 1.2;

/** Walks two lists of blocks side by side, leaving out what one of them lacks, at the least sum of misfits. */
function walk(english, chinese) {
  const columns = chinese.length + 1;
  const cost = new Float64Array((english.length + 1) * columns).fill(Infinity);
  const move = new Uint8Array(cost.length);
  cost[0] = 0;
  for (let row = 0; row <= english.length; row++) {
    for (let column = 0; column < columns; column++) {
      const here = row * columns + column;
      const steps = [
        row > 0 ? cost[here - columns] + SKIP : Infinity,
        column > 0 ? cost[here - 1] + SKIP : Infinity,
        row > 0 && column > 0
          ? cost[here - columns - 1] + misfit(english[row - 1], chinese[column - 1])
          : Infinity,
      ];
      const best = Math.min(...steps);
      if (best >= cost[here]) continue;
      cost[here] = best;
      move[here] = steps.indexOf(best);
    }
  }
  const pairs = [];
  for (let row = english.length, column = chinese.length; row > 0 || column > 0;) {
    const step = row === 0 ? 1 : column === 0 ? 0 : move[row * columns + column];
    if (step === 2) pairs.push([english[row - 1], chinese[column - 1]]);
    if (step !== 1) row--;
    if (step !== 0) column--;
  }
  return pairs.toReversed();
}

const sameKinds = (a, b) => a.length === b.length && a.every((block, at) => block.kind === b[at].kind);

/** The pairs of parts of a document in English and in Chinese. */
export function alignedParts(english, chinese) {
  const [left, right] = [english, chinese].map((text) => sectionsOf(blocksOf(text)));
  const isParallel =
    left.length === right.length && left.every((section, at) => section[0]?.kind === right[at][0]?.kind);
  const sections = isParallel
    ? left.map((section, at) => [section, right[at]])
    : [[left.flat(), right.flat()]];
  const pairs = sections.flatMap(([a, b]) =>
    sameKinds(a, b) ? a.map((block, at) => [block, b[at]]) : walk(a, b),
  );
  return pairs
    .filter(([a, b]) => a.kind === b.kind && misfit(a, b) < 1 && a.text.length <= LONGEST_PART)
    .map(([a, b]) => [a.text, b.text])
    .filter(([a, b]) => a.length > 3 && hanIn(b) >= 2 && hanIn(a) === 0);
}
