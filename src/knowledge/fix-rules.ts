import { closest } from "../shared/index.js";
import { foldId } from "./library.js";
import { readLines, type Line } from "./lines.js";
import { joinList, splitList } from "./lists.js";
import { RULE_HEADING } from "./rule-blocks.js";
import { CODE_KEYS, keyNames, LIST_KEYS, ruleKey, type RuleKey } from "./rule-keys.js";

/** What was put right, at its line (counted from 1). */
export interface Fix {
  file: string;
  line: number;
  code: string;
  message: string;
}

/** Ids that are taken already, and where new ones come from. */
export interface Ids {
  /** Folded. */
  taken: Set<string>;
  newRuleId(): string;
  newNoteId(): string;
}

const LOOSE_HEADING = /^##\s*(R-[0-9A-HJKMNP-TV-Z]{6,8})(?:\s*[:：]\s*|\s+)(\S.*?)\s*$/i;
const ANY_HEADING = /^##\s+(\S.*?)\s*$/;
const LOOSE_ENTRY =
  /^( {0,3})([-*+－–•·])(\s*)\*{0,2}([^\s:：∶﹕*`]{1,20})\*{0,2}\s*([:：∶﹕])\*{0,2}\s*(.*?)\s*$/u;

/**
 * Puts right in a rule file what has only one meaning: full-width punctuation, spelling of keys, separators of lists, bare
 * globs, missing and doubled ids. Everything else stays byte for byte.
 */
export function fixRules(file: string, text: string, ids: Ids): { text: string; fixes: Fix[] } {
  const fixes: Fix[] = [];
  const sources = text.split("\n");
  const { lines } = readLines(file, text);
  let isInKeys = false;
  const fixed = lines.map((line, index) => {
    const source = sources[index] ?? "";
    const bare = source.replace(/\r$/, "");
    // What stands beside a comment is left to its author.
    if (line.isCode || line.text !== bare) return source;
    const report = (code: string, message: string) => fixes.push({ file, line: line.number, code, message });
    const end = source.slice(bare.length);
    if (/^##(?!#)/.test(bare)) {
      const heading = fixHeading(lines, index, { ids, report });
      isInKeys = RULE_HEADING.test(heading);
      return heading + end;
    }
    if (!isInKeys || bare.trim() === "") return source;
    const entry = LOOSE_ENTRY.exec(bare);
    if (!entry) {
      isInKeys = /^\s{2,}\S/.test(bare) || /^ {0,3}[-*+]\s/.test(bare);
      return source;
    }
    return fixEntry(entry, report) + end;
  });
  return { text: fixed.join("\n"), fixes };
}

type Report = (code: string, message: string) => void;

function fixHeading(lines: readonly Line[], index: number, kit: { ids: Ids; report: Report }): string {
  const { ids, report } = kit;
  const written = lines[index]?.text ?? "";
  const plain = written.replace(/^##\s*[RＲｒ][-－‐‑–—]\S+/u, (head) =>
    head.normalize("NFKC").replace(/[‐‑–—]/u, "-"),
  );
  const [, given = "", title = ""] = LOOSE_HEADING.exec(plain) ?? [];
  if (given === "") {
    const bare = ANY_HEADING.exec(written)?.[1];
    if (bare === undefined || /^R-/i.test(bare) || !opensWithKey(lines, index)) return written;
    const id = freshRuleId(ids);
    report("missing-id", `"${bare}" had no id and is ${id} now.`);
    return `## ${id} ${bare}`;
  }
  let id = given.toUpperCase();
  if (ids.taken.has(foldId(id))) {
    id = freshRuleId(ids);
    report(
      "duplicate-id",
      `${given} was taken already: this rule is ${id} now, notes that name ${given} mean the other one.`,
    );
  }
  ids.taken.add(foldId(id));
  const heading = `## ${id} ${title}`;
  if (id === given.toUpperCase() && heading !== written.trimEnd())
    report("heading", `The heading is written "${heading}" now.`);
  return RULE_HEADING.test(written) && written.includes(id) ? written : heading;
}

/** True when the next line with text is a key of a rule. */
function opensWithKey(lines: readonly Line[], index: number): boolean {
  const next = lines.slice(index + 1).find(({ text }) => text.trim() !== "");
  const name = next && !next.isCode ? LOOSE_ENTRY.exec(next.text)?.[4] : undefined;
  return name !== undefined && ruleKey(name) !== null;
}

function fixEntry(entry: RegExpExecArray, report: Report): string {
  const [written, indent = "", bullet = "", gap = "", name = "", colon = "", value = ""] = entry;
  const key = keyOf(name);
  if (!key) return written;
  const word = nameOf(name, key);
  const isOddKey = word !== name;
  const isOddMark = !/^[-*+]$/.test(bullet) || gap === "" || colon !== ":";
  const fixedValue = fixValue(key, value, report);
  if (isOddKey) report("key", `"${name}" is "${word}" now.`);
  if (isOddMark) report("punctuation", `"${word}" is written with "- " and ": " now.`);
  if (!isOddKey && !isOddMark && fixedValue === value) return written;
  return `${indent}- ${word}: ${fixedValue}`;
}

function fixValue(key: RuleKey, value: string, report: Report): string {
  if (!LIST_KEYS.has(key)) {
    const plain = ["level", "status", "match"].includes(key) ? value.normalize("NFKC") : value;
    if (plain !== value) report("punctuation", `"${key}" is "${plain}" now.`);
    return plain;
  }
  const separated = outsideCode(value, (part) => part.replace(/\s*[;；]\s*/g, ", "));
  if (separated !== value) report("separator", `The items of "${key}" are separated by commas now.`);
  const { items, fault } = splitList(separated);
  if (fault !== null || !CODE_KEYS.has(key) || !items.some(({ bare }) => /\*|__/.test(bare)))
    return separated;
  report("bare-glob", `The items of "${key}" stand in backticks now.`);
  return joinList(
    items.map(({ text }) => text),
    true,
  );
}

/** Changes the parts of a value that stand outside of backticks and brackets. */
function outsideCode(value: string, change: (part: string) => string): string {
  return value
    .split(/(`+[^`]*`+|\{[^}]*\}|\[[^\]]*\]|\([^)]*\))/)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join("");
}

function keyOf(name: string): RuleKey | null {
  const known = ruleKey(name);
  if (known) return known;
  const word = name.normalize("NFKC").toLowerCase();
  const near = closest(word, keyNames(word));
  return near === null ? null : ruleKey(near);
}

/** The right spelling in the script of whoever wrote it. */
function nameOf(name: string, key: RuleKey): string {
  const word = name.normalize("NFKC");
  if (ruleKey(name) === key && /^[A-Za-z]+$|^\p{Script=Han}+$/u.test(name)) return name;
  return ruleKey(word) === key ? word : (closest(word.toLowerCase(), keyNames(word)) ?? key);
}

function freshRuleId(ids: Ids): string {
  let id = ids.newRuleId();
  while (ids.taken.has(foldId(id))) id = ids.newRuleId();
  ids.taken.add(foldId(id));
  return id;
}
