import { conflictProblem, isConflictMarker, readLines, type Line } from "./lines.js";
import { splitList, unwrapCode } from "./lists.js";
import type { Problem, Tree } from "./types.js";
import { foldText, hasKeyword } from "./words.js";

/** Where names that mean the same stand. */
export const GLOSSARY_PATH = "context/business/glossary.md";
const MAX_NAME = 40;
/** How the bot marks an alias that nobody has confirmed. */
export const PROPOSED = { en: "(proposed)", zh: "（待确认）" } as const;

/** Names that mean the same, in the order they were written. */
export interface AliasGroup {
  names: string[];
  line: number;
}

/** What a glossary says: groups that count, and names that wait for a person. */
export interface Glossary {
  groups: AliasGroup[];
  /** Groups with names that nobody confirmed; they do not count. */
  proposed: AliasGroup[];
  problems: Problem[];
}

const BULLET = /^\s*(?:[-*+]|\d{1,3}[.)])\s+(.*\S)\s*$/;
const TABLE_ROW = /^\s*\|(.*)\|\s*$/;
const TABLE_RULE = /^\s*\|?[\s:|-]*-{3,}[\s:|-]*\|?\s*$/;
const MARK = /[(（]\s*(?:proposed|待确认)\s*[)）]/giu;
const EXPLAINS = /^(说明|描述|备注|定义|解释|含义|description|notes?|meaning|definition|comments?)$/iu;

/**
 * Reads lines, bullets and table rows of names that mean the same: `用户激励 = 活动奖励 = 商品发放`.
 * Contract: never throws; a name with the mark "(proposed)" or "（待确认）" does not count until a person removes the mark.
 */
export function parseGlossary(file: string, text: string): Glossary {
  const { lines, problems } = readLines(file, text);
  const glossary: Glossary = { groups: [], proposed: [], problems };
  for (const row of rowsOf(lines)) {
    const report = (code: string, message: string) =>
      problems.push({ file, line: row.line.number, code, message });
    if (isConflictMarker(row.line.text)) problems.push(conflictProblem(file, row.line.number));
    else addRow(glossary, row, report);
  }
  return glossary;
}

/** The groups of a tree's glossary; none when it has no such file. */
export function glossaryOf(tree: Tree): AliasGroup[] {
  const text = tree.get(GLOSSARY_PATH);
  return text === undefined ? [] : parseGlossary(GLOSSARY_PATH, text).groups;
}

/** Names that a text does not have itself and that mean the same as one it has; each with the name it stands for. */
export function otherNames(groups: readonly AliasGroup[], text: string): Map<string, string> {
  const folded = foldText(text);
  const others = new Map<string, string>();
  for (const { names } of groups) {
    const said = names.find((name) => hasKeyword(folded, name));
    if (said === undefined) continue;
    for (const name of names) if (!hasKeyword(folded, name)) others.set(name, said);
  }
  return others;
}

/** A line of the glossary that proposes names; it does not count until a person removes the mark. */
export function proposedLine(names: readonly string[], language: keyof typeof PROPOSED): string {
  return `- ${names.join(" = ")} ${PROPOSED[language]}`;
}

interface Row {
  line: Line;
  cells: string[];
  isTable: boolean;
}

type Report = (code: string, message: string) => void;

/** Lines that may hold names. Prose is left alone: without "=" only bullets and table rows count. */
function rowsOf(lines: readonly Line[]): Row[] {
  let explaining = new Set<number>();
  return lines.flatMap((line, index): Row[] => {
    if (line.isCode || line.text.trim() === "" || /^ {0,3}#{1,6}\s/.test(line.text)) return [];
    if (isConflictMarker(line.text)) return [{ line, cells: [], isTable: false }];
    if (TABLE_RULE.test(line.text)) return [];
    const table = TABLE_ROW.exec(line.text)?.[1];
    if (table !== undefined) {
      const cells = table.split("|").map((cell) => cell.trim());
      if (TABLE_RULE.test(lines[index + 1]?.text ?? "")) {
        explaining = new Set([...cells.entries()].flatMap(([at, cell]) => (EXPLAINS.test(cell) ? [at] : [])));
        return [];
      }
      return [{ line, cells: cells.filter((_, at) => !explaining.has(at)), isTable: true }];
    }
    const bullet = BULLET.exec(line.text)?.[1];
    const said = bullet ?? line.text.trim();
    if (/[=＝]/.test(said)) return [{ line, cells: said.split(/[=＝|｜]/), isTable: false }];
    if (bullet === undefined || /[:：。.]\s*\S?/.test(said) || !/[、|｜]/.test(said)) return [];
    return [{ line, cells: said.split(/[|｜]/), isTable: false }];
  });
}

function addRow(glossary: Glossary, { line, cells, isTable }: Row, report: Report): void {
  // In a table the mark may stand in a cell of its own, and is said of the row.
  const isWholeProposed =
    isTable && cells.some((cell) => cell.replace(MARK, "").trim() === "" && isMarked(cell));
  const names = cells.flatMap((cell) => namesIn(cell, report));
  const all = { names: names.map(({ name }) => name), line: line.number };
  const agreed = isWholeProposed ? [] : names.filter(({ isProposed }) => !isProposed).map(({ name }) => name);
  if (all.names.length > agreed.length) glossary.proposed.push(all);
  else if (agreed.length < 2) {
    const message = `A group needs two names that mean the same: write "- one = other", or delete the line.`;
    report("glossary-one-name", message);
  }
  if (agreed.length >= 2) addGroup(glossary, { names: agreed, line: line.number }, report);
}

function addGroup(glossary: Glossary, group: AliasGroup, report: Report): void {
  const keys = new Set(group.names.map(foldText));
  const known = glossary.groups.find(({ names }) => names.some((name) => keys.has(foldText(name))));
  if (!known) {
    glossary.groups.push(group);
    return;
  }
  const shared = known.names.find((name) => keys.has(foldText(name))) ?? "";
  report(
    "glossary-twice",
    `"${shared}" is also in the group of line ${known.line}: join the two lines into one.`,
  );
  // What means the same as the same thing means the same.
  const held = new Set(known.names.map(foldText));
  known.names.push(...group.names.filter((name) => !held.has(foldText(name))));
}

function namesIn(cell: string, report: Report): { name: string; isProposed: boolean }[] {
  return splitList(cell.replace(/[:：].*$/u, "")).items.flatMap(({ text }) => {
    const isProposed = isMarked(cell);
    const name = unwrapCode(text.replace(MARK, "").replace(/\*\*/g, "").trim());
    if (name === "") return [];
    const isTooShort = Array.from(name).length < 2;
    if (isTooShort || name.length > MAX_NAME) {
      const why = isTooShort
        ? "is one character and would be found everywhere"
        : `is longer than ${MAX_NAME} characters`;
      report("glossary-name", `"${name}" ${why}: write a name as people use it.`);
      return [];
    }
    return [{ name, isProposed }];
  });
}

function isMarked(text: string): boolean {
  return text.search(MARK) >= 0;
}
