import { closest } from "../shared/index.js";
import type { RuleKind, RuleLevel } from "./types.js";

/** The keys of a rule block by their English and Chinese names. */
const KEYS = {
  level: "级别",
  status: "状态",
  keywords: "关键词",
  aliases: "别名",
  paths: "路径",
  labels: "标签",
  symbols: "符号",
  services: "服务",
  phases: "阶段",
  match: "匹配",
  load: "加载",
  alert: "提醒",
  suggest: "建议",
  check: "校验",
  source: "来源",
  file: "文件",
} as const;

/** A key of a rule block by its English name; `file` stands in deposits only. */
export type RuleKey = keyof typeof KEYS;

const BY_NAME = new Map<string, RuleKey>();
for (const [english, chinese] of Object.entries(KEYS) as [RuleKey, string][]) {
  BY_NAME.set(english, english).set(chinese, english);
}

/** Keys whose value is a list. */
export const LIST_KEYS: ReadonlySet<RuleKey> = new Set<RuleKey>([
  "keywords",
  "aliases",
  "paths",
  "labels",
  "symbols",
  "services",
  "phases",
  "load",
  "suggest",
]);

/** Keys whose items are written in backticks: formatters of Markdown rewrite `*` and `__` outside of them. */
export const CODE_KEYS: ReadonlySet<RuleKey> = new Set<RuleKey>(["paths", "labels", "symbols", "load"]);

/** Levels from the least to the most serious. */
export const LEVELS = ["info", "warn", "high", "block"] as const satisfies readonly RuleLevel[];
/** What a rule's `status` may say; only `active` fires. */
export const STATUSES = ["draft", "active", "retired"] as const;
/** Whether one kind of trigger is enough or each must hit. */
export const MATCHES = ["any", "all"] as const;
/** The phases that a rule may be limited to. */
export const PHASES = ["requirement", "design", "implement", "validate", "complete"] as const;

/** The four rule files of a repository. */
export const RULE_FILES: Readonly<Record<RuleKind, string>> = {
  context: "context/rules/context-rules.md",
  risk: "context/rules/risk-rules.md",
  service: "context/rules/service-rules.md",
  pattern: "context/rules/pattern-rules.md",
};
/** The kinds of rule in the order of their files. */
export const RULE_KINDS: readonly RuleKind[] = ["context", "risk", "service", "pattern"];

/** The key that a person's word names, in either language. */
export function ruleKey(name: string): RuleKey | null {
  return BY_NAME.get(name.normalize("NFKC").toLowerCase()) ?? null;
}

/** What to say about a word that is none of the allowed ones. */
export function suggestion(word: string, known: readonly string[]): string {
  const near = closest(word.toLowerCase(), known);
  return near ? `did you mean "${near}"?` : `use one of ${known.join(", ")}.`;
}

/** The names of keys in the script of the mistyped one, for suggestions. */
export function keyNames(word: string): string[] {
  const names = Object.entries(KEYS).filter(([english]) => english !== "file");
  return names.map(([english, chinese]) => (/^[\p{ASCII}]*$/u.test(word) ? english : chinese));
}
