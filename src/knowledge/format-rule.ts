import { codeSpan, joinList } from "./lists.js";
import { writeProse } from "./rule-blocks.js";
import { CODE_KEYS, type RuleKey } from "./rule-keys.js";
import type { Rule } from "./types.js";

/** Writes a rule block in its one canonical form; `parseRules` reads the same rule back. */
export function formatRule(rule: Rule): string {
  return formatBlock(rule, []);
}

/** A rule block as it waits in a deposit: it also names the file that it is for. */
export function formatDepositRule(rule: Rule): string {
  return formatBlock(rule, [`- file: ${rule.kind}-rules`]);
}

/** A text on one line, as titles and single values must be. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function formatBlock(rule: Rule, first: readonly string[]): string {
  const list = (key: RuleKey, items: readonly string[]) =>
    line(key, joinList(items.map(oneLine), CODE_KEYS.has(key)));
  const keys = [
    ...first,
    `- level: ${rule.level}`,
    `- status: ${rule.status}`,
    list("keywords", rule.keywords),
    list("paths", rule.paths),
    list("labels", rule.labels),
    list("symbols", rule.symbols),
    list("services", rule.services),
    list("phases", rule.phases),
    rule.match === "all" ? "- match: all" : "",
    list("load", rule.load),
    line("alert", oneLine(rule.alert)),
    list("suggest", rule.suggest),
    line("check", rule.check ? codeSpan(oneLine(rule.check)) : ""),
    line("source", oneLine(rule.source)),
  ].filter(Boolean);
  const prose = rule.prose ? `\n${writeProse(rule.prose)}\n` : "";
  return `## ${rule.id} ${oneLine(rule.title)}\n\n${keys.join("\n")}\n${prose}`;
}

function line(key: RuleKey, value: string): string {
  return value ? `- ${key}: ${value}` : "";
}
