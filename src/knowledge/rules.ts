import { readLines, type Line } from "./lines.js";
import { splitList, unwrapCode } from "./lists.js";
import { readBlocks, type RuleBlock } from "./rule-blocks.js";
import {
  CODE_KEYS,
  LEVELS,
  LIST_KEYS,
  MATCHES,
  PHASES,
  RULE_KINDS,
  STATUSES,
  suggestion,
} from "./rule-keys.js";
import type { RuleKey } from "./rule-keys.js";
import type { Problem, Rule, RuleKind } from "./types.js";

const MAX_PATTERN_LENGTH = 1000;
/** What each kind of rule must say to have an effect. */
const ACTIONS: Readonly<Record<RuleKind, readonly RuleKey[]>> = {
  context: ["load"],
  risk: ["alert", "level"],
  service: ["suggest"],
  pattern: ["load"],
};

/**
 * Reads a rule file as people write it.
 * Contract: never throws. A faulty block is reported at its line and left out; the rest of the file works.
 */
export function parseRules(
  file: string,
  text: string,
  kind: RuleKind,
): { rules: Rule[]; problems: Problem[] } {
  const { lines, problems } = readLines(file, text);
  return { rules: readRules({ file, lines, kind }, problems), problems };
}

/** The rules among lines that were read already; without a kind each block names its own with `file:`. */
export function readRules(
  source: { file: string; lines: readonly Line[]; kind: RuleKind | null },
  problems: Problem[],
): Rule[] {
  const rules = new Map<string, Rule>();
  for (const block of readBlocks(source.file, source.lines, problems)) {
    const found: Problem[] = [];
    const rule = readRule(block, source, found);
    const earlier = rules.get(block.id);
    if (earlier) {
      found.push({
        file: source.file,
        line: block.line,
        code: "rule-duplicate-id",
        message: `${block.id} is taken by line ${earlier.line}: give this rule an id of its own.`,
      });
    }
    problems.push(...found);
    if (rule && !earlier) rules.set(rule.id, rule);
  }
  return [...rules.values()];
}

function readRule(
  block: RuleBlock,
  source: { file: string; kind: RuleKind | null },
  problems: Problem[],
): Rule | null {
  let isFaulty = block.isFaulty;
  const report = (line: number, code: string, message: string) => {
    problems.push({ file: source.file, line, code, message });
    isFaulty = true;
  };
  const lists = readLists(block, source.file, { report, problems });
  const list = (key: RuleKey) => lists.get(key) ?? [];
  const scalar = (key: RuleKey) => unwrapCode(block.entries.get(key)?.value ?? "");
  const choice = <T extends string>(key: RuleKey, allowed: readonly T[], otherwise: T): T => {
    const entry = block.entries.get(key);
    if (!entry) return otherwise;
    const word = unwrapCode(entry.value.replace(/^["'](.*)["']$/, "$1")).toLowerCase();
    const found = allowed.find((candidate) => candidate === word);
    if (!found)
      report(entry.line, "rule-value", `"${entry.value}" is no ${key}: ${suggestion(word, allowed)}`);
    return found ?? otherwise;
  };
  const kind = source.kind ?? kindOf(block, report);
  for (const phase of list("phases").filter((word) => !PHASES.some((known) => known === word))) {
    const line = block.entries.get("phases")?.line ?? block.line;
    report(line, "rule-value", `"${phase}" is no phase: ${suggestion(phase, PHASES)}`);
  }
  const rule: Rule = {
    id: block.id,
    title: block.title,
    kind: kind ?? "context",
    level: choice("level", LEVELS, "info"),
    status: choice("status", STATUSES, "active"),
    match: choice("match", MATCHES, "any"),
    // An alias is another name of the same thing: it brings the rule up as a keyword does.
    keywords: [...list("keywords"), ...list("aliases")],
    paths: list("paths"),
    labels: list("labels"),
    symbols: list("symbols"),
    services: list("services"),
    phases: list("phases"),
    load: list("load"),
    alert: block.entries.get("alert")?.value ?? "",
    suggest: list("suggest"),
    check: scalar("check"),
    source: block.entries.get("source")?.value ?? "",
    prose: block.prose,
    file: source.file,
    line: block.line,
  };
  // What is missing follows from what is broken: the one problem is enough.
  if (!isFaulty) checkEffect(rule, block, { report, isInFile: source.kind !== null });
  return isFaulty ? null : rule;
}

type Report = (line: number, code: string, message: string) => void;

function readLists(
  block: RuleBlock,
  file: string,
  sink: { report: Report; problems: Problem[] },
): Map<RuleKey, string[]> {
  const lists = new Map<RuleKey, string[]>();
  for (const [key, entry] of block.entries) {
    if (entry.value === "")
      sink.report(entry.line, "rule-value", `"${key}" is empty: give it a value or delete the line.`);
    if (!LIST_KEYS.has(key)) continue;
    const { items, fault } = splitList(entry.value);
    if (fault) sink.report(entry.line, "rule-list", `"${key}" has ${fault}: put the item in backticks.`);
    for (const item of items) {
      if (item.text.length > MAX_PATTERN_LENGTH) {
        sink.report(
          entry.line,
          "rule-list",
          `An item of "${key}" is longer than ${MAX_PATTERN_LENGTH} characters: shorten it.`,
        );
      }
      if (CODE_KEYS.has(key) && /\*|__/.test(item.bare)) {
        const message = `Put ${item.text} in backticks: formatters of Markdown rewrite "*" and "__" outside of them.`;
        sink.problems.push({ file, line: entry.line, code: "bare-glob", message });
      }
    }
    lists.set(
      key,
      items.map((item) => item.text),
    );
  }
  return lists;
}

function kindOf(block: RuleBlock, report: Report): RuleKind | null {
  const entry = block.entries.get("file");
  const word = unwrapCode(entry?.value ?? "").replace(/-rules(\.md)?$/, "");
  const kind = RULE_KINDS.find((candidate) => candidate === word) ?? null;
  if (!kind) {
    const files = RULE_KINDS.map((known) => `${known}-rules`).join(", ");
    report(
      entry?.line ?? block.line,
      "rule-file",
      `${block.id} names no rule file: add "- file: " and one of ${files}.`,
    );
  }
  return kind;
}

function checkEffect(rule: Rule, block: RuleBlock, place: { report: Report; isInFile: boolean }): void {
  const misplaced = place.isInFile ? block.entries.get("file") : undefined;
  if (misplaced) {
    place.report(
      misplaced.line,
      "rule-key",
      'Unknown key "file": it stands in deposits only, delete the line.',
    );
  }
  const triggers = [rule.keywords, rule.paths, rule.labels, rule.symbols, rule.services];
  if (triggers.every((list) => list.length === 0)) {
    const message = `${rule.id} has no trigger and never fires: add keywords, paths, labels, symbols or services.`;
    place.report(block.line, "rule-no-trigger", message);
  }
  for (const key of ACTIONS[rule.kind].filter((needed) => !block.entries.has(needed))) {
    place.report(
      block.line,
      "rule-no-action",
      `${rule.id} lacks "${key}", which a ${rule.kind} rule needs: add "- ${key}: …".`,
    );
  }
}
