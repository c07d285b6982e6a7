import { escapeText, unescapeLines } from "./escape.js";
import { conflictProblem, isConflictMarker, type Line } from "./lines.js";
import { keyNames, LIST_KEYS, ruleKey, suggestion, type RuleKey } from "./rule-keys.js";
import type { Problem } from "./types.js";

/** One `- key: value` line of a rule block, with the indented lines that continue it. */
export interface Entry {
  value: string;
  line: number;
}

/** A rule block as written, before its values are understood. */
export interface RuleBlock {
  id: string;
  title: string;
  line: number;
  entries: Map<RuleKey, Entry>;
  prose: string;
  /** Set when a problem inside makes the whole block unsafe to use. */
  isFaulty: boolean;
}

interface OpenBlock extends Omit<RuleBlock, "prose"> {
  lastKey: RuleKey | null;
  proseLines: Line[];
}

/** The heading that opens a rule block. */
export const RULE_HEADING = /^##\s+(R-[0-9A-HJKMNP-TV-Z]{6,8})\s+(\S.*?)\s*$/;
const BULLET = /^ {0,3}[-*+]\s+(.*)$/;
const NESTED_BULLET = /^\s{2,}[-*+]\s+(.*\S)\s*$/;
const KEY_VALUE = /^\*{0,2}([A-Za-z][\w-]*|\p{Script=Han}{1,6})\*{0,2}\s*[:：]\*{0,2}\s*(.*?)\s*$/u;

/** Cuts the lines of a rule file into blocks; what is not a block is reported at its line and left out. */
export function readBlocks(file: string, lines: readonly Line[], problems: Problem[]): RuleBlock[] {
  const blocks: OpenBlock[] = [];
  let open: OpenBlock | null = null;
  const report = (line: number, code: string, message: string) => {
    problems.push({ file, line, code, message });
    if (open) open.isFaulty = true;
  };
  for (const line of lines) {
    if (!line.isCode && isConflictMarker(line.text)) {
      problems.push(conflictProblem(file, line.number));
      if (open) open.isFaulty = true;
      continue;
    }
    if (!line.isCode && /^##(\s|$)/.test(line.text)) {
      open = openBlock(line);
      if (open) blocks.push(open);
      else report(line.number, "rule-heading", headingAdvice(line.text));
      continue;
    }
    if (!open) continue;
    if (line.isCode || open.proseLines.length > 0) open.proseLines.push(line);
    else readEntry(open, line, report);
  }
  return blocks.map(({ id, title, line, entries, proseLines, isFaulty }) => {
    return { id, title, line, entries, isFaulty, prose: unescapeLines(proseLines, isStructure) };
  });
}

/** Prose as it is written below the keys, where its own headings or a first bullet would be read as something else. */
export function writeProse(prose: string): string {
  return escapeText(prose, isStructure);
}

function isStructure(line: string, index: number): boolean {
  return /^##(\s|$)/.test(line) || (index === 0 && BULLET.test(line));
}

function openBlock(line: Line): OpenBlock | null {
  const [, id, title] = RULE_HEADING.exec(line.text) ?? [];
  if (id === undefined || title === undefined) return null;
  const block = { id, title, line: line.number, entries: new Map(), isFaulty: false };
  return { ...block, lastKey: null, proseLines: [] };
}

function readEntry(
  block: OpenBlock,
  line: Line,
  report: (line: number, code: string, message: string) => void,
): void {
  const text = line.text;
  if (text.trim() === "") {
    block.lastKey = null;
    return;
  }
  const last = block.lastKey ? block.entries.get(block.lastKey) : undefined;
  const nested = NESTED_BULLET.exec(text)?.[1];
  if (last && block.lastKey && nested !== undefined && LIST_KEYS.has(block.lastKey)) {
    last.value = last.value ? `${last.value}, ${nested}` : nested;
    return;
  }
  const bullet = BULLET.exec(text)?.[1];
  if (bullet === undefined) {
    if (last && /^\s{2,}\S/.test(text)) last.value = `${last.value} ${text.trim()}`.trim();
    else block.proseLines.push(line);
    return;
  }
  const [, name, value = ""] = KEY_VALUE.exec(bullet) ?? [];
  if (name === undefined) {
    report(
      line.number,
      "rule-bullet",
      `"${text.trim()}" is not "- key: value": write it so, or below the keys as a paragraph.`,
    );
    return;
  }
  const key = ruleKey(name);
  if (!key) report(line.number, "rule-key", `Unknown key "${name}": ${suggestion(name, keyNames(name))}`);
  else if (block.entries.has(key)) {
    report(
      line.number,
      "rule-duplicate-key",
      `"${name}" stands twice in ${block.id}: join the two lines into one.`,
    );
  } else block.entries.set(key, { value, line: line.number });
  block.lastKey = key;
}

function headingAdvice(text: string): string {
  const advice =
    'use "## R-7K3M2P title": R-, then 6 to 8 digits or capitals without I, L, O and U, then a title.';
  return `"${text.trim()}" does not open a rule, so it is skipped up to the next heading: ${advice}`;
}
