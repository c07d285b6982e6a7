import { closesFence, openedFence, splitLines } from "./lines.js";

/** One remark never becomes more lessons than this; what is over stays with the last. */
const MAX_LESSONS = 10;
const ITEM = /^(?:[-*+]\s+|\d{1,2}[.)]\s+|\d{1,2}、\s*)(\S.*)$/;
/** A short line before a list that only announces it. */
const ANNOUNCES = /^.{0,60}[:：]\s*$/u;
/** A list of steps is one lesson. */
const STEPS = /\b(steps?|procedure|in this order|first)\b|步骤|流程|顺序|依次|按以下|先后/i;
/** A paragraph that goes on with the one before it. */
const CONTINUES =
  /^(?:because|since|so|thus|therefore|otherwise|for example|e\.g\.|this|that|it|they|then|instead|in that case|reason|why|因为|由于|所以|因此|否则|例如|比如|这|那|它|原因|然后|此时)/i;

/** The lessons of one remark: its bullets, its numbered points, or its paragraphs that stand on their own. */
export function splitLessons(text: string): string[] {
  const blocks = blocksOf(text);
  const lessons: string[] = [];
  let isListOfSteps = false;
  for (const block of blocks) {
    if (!block.isItem && ANNOUNCES.test(block.text) && !STEPS.test(block.text)) {
      isListOfSteps = false;
      lessons.push("");
      continue;
    }
    if (!block.isItem) isListOfSteps = STEPS.test(block.text) && /[:：]\s*$/.test(block.text);
    const last = lessons.at(-1);
    const isPart = block.isItem ? isListOfSteps : CONTINUES.test(block.text) || block.isCode;
    if (last && (isPart || lessons.length >= MAX_LESSONS)) {
      lessons[lessons.length - 1] = `${last}${block.isItem ? "\n" : "\n\n"}${block.source}`;
    } else lessons.push(block.isItem && !isListOfSteps ? block.text : block.source);
  }
  return lessons.filter((lesson) => /[\p{L}\p{N}]/u.test(lesson));
}

interface Block {
  /** Without the bullet. */
  text: string;
  source: string;
  isItem: boolean;
  isCode: boolean;
}

/** Items of lists with what is indented below them, and paragraphs; a fence is never cut. */
function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let fence: string | null = null;
  let open = null as Block | null;
  for (const line of splitLines(text)) {
    const wasFenced = fence !== null;
    if (fence === null) fence = openedFence(line);
    else if (closesFence(line, fence)) fence = null;
    const item = wasFenced ? undefined : ITEM.exec(line)?.[1];
    if (item !== undefined) {
      open = { text: item, source: line, isItem: true, isCode: false };
      blocks.push(open);
    } else if (!wasFenced && line.trim() === "") {
      if (open?.isItem === false) open = null;
    } else if (open && (wasFenced || !open.isItem || /^\s/.test(line))) {
      open.text += `\n${open.isItem ? line.replace(/^\s{1,4}/, "") : line}`;
      open.source += `\n${line}`;
    } else {
      open = { text: line, source: line, isItem: false, isCode: fence !== null && !wasFenced };
      blocks.push(open);
    }
  }
  return blocks;
}
