import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatRule, parseRules, type Rule, type RuleKind } from "../../src/knowledge/index.js";
import { aRule, lineText, words } from "./samples.js";

const FILE = "context/rules/risk-rules.md";
const parse = (text: string, kind: RuleKind = "risk") => parseRules(FILE, text, kind);
const block = (...keys: string[]) =>
  ["# Rules", "", "## R-7K3M2P Title", "", ...keys.map((key) => `- ${key}`), "", "Why."].join("\n");
const only = (text: string, kind: RuleKind = "risk"): Rule => {
  const { rules, problems } = parse(text, kind);
  expect(problems).toEqual([]);
  expect(rules).toHaveLength(1);
  return rules[0]!;
};

describe("rule files", () => {
  it("are read as people type them, in English and Chinese (KN-62)", () => {
    const rule = only(
      block(
        "级别：block",
        "关键词：商品发放，钱包、C#, issue #12, @scope/pkg, no, 010",
        'paths: "services/goods/x.go", `src/**/*.{ts,tsx}`, `a,b/c.ts`',
        "symbols: `IssueGoods`",
        "**phases**: design, implement",
        "alert: 注意钱包类型：虚拟商品 → 虚拟钱包",
        "来源: EXP-7K3M2P9Q, PR #145",
      ),
    );
    expect(rule).toMatchObject({
      level: "block",
      status: "active",
      match: "any",
      keywords: ["商品发放", "钱包", "C#", "issue #12", "@scope/pkg", "no", "010"],
      paths: ["services/goods/x.go", "src/**/*.{ts,tsx}", "a,b/c.ts"],
      symbols: ["IssueGoods"],
      phases: ["design", "implement"],
      alert: "注意钱包类型：虚拟商品 → 虚拟钱包",
      source: "EXP-7K3M2P9Q, PR #145",
      prose: "Why.",
      line: 3,
    });
  });

  it("take a list in brackets, and one of nested bullets (KN-62)", () => {
    const nested = block("level: warn", "alert: x", 'paths: ["a/**", "b/**"]', "keywords:\n  - 一\n  - two");
    const { rules } = parse(nested);
    expect(rules[0]).toMatchObject({ paths: ["a/**", "b/**"], keywords: ["一", "two"] });
  });

  it("are the same with Windows line ends and a byte order mark", () => {
    const text = block("level: high", "alert: x", "keywords: a");
    expect(only(`\uFEFF${text.replaceAll("\n", "\r\n")}`)).toEqual(only(text));
  });

  it("count an alias as a keyword", () => {
    expect(only(block("level: high", "alert: x", "keywords: a", "别名: b")).keywords).toEqual(["a", "b"]);
  });

  it.each([
    ["unknown key", ["level: high", "alert: x", "keyword: a"], 7, "rule-key", 'did you mean "keywords"?'],
    ["unknown Chinese key", ["级别: high", "提醒: x", "关键字: a"], 7, "rule-key", 'did you mean "关键词"?'],
    [
      "key given twice",
      ["level: high", "alert: x", "keywords: a", "keywords: b"],
      8,
      "rule-duplicate-key",
      "join",
    ],
    ["wrong level", ["level: hihg", "alert: x", "keywords: a"], 5, "rule-value", 'did you mean "high"?'],
    [
      "wrong phase",
      ["level: high", "alert: x", "keywords: a", "phases: desing"],
      8,
      "rule-value",
      '"design"',
    ],
    ["empty value", ["level: high", "alert:", "keywords: a"], 6, "rule-value", "empty"],
    ["unclosed backtick", ["level: high", "alert: x", "paths: `a/**"], 7, "rule-list", "backtick"],
    ["unclosed brace", ["level: high", "alert: x", "paths: a/{b"], 7, "rule-list", "bracket"],
    [
      "bullet without key",
      ["level: high", "alert: x", "keywords: a", "be careful"],
      8,
      "rule-bullet",
      "- key: value",
    ],
    ["no trigger", ["level: high", "alert: x", "phases: design"], 3, "rule-no-trigger", "never fires"],
    ["no action", ["level: high", "keywords: a"], 3, "rule-no-action", '"alert"'],
    ["no level", ["alert: x", "keywords: a"], 3, "rule-no-action", '"level"'],
    [
      "file key",
      ["level: high", "alert: x", "keywords: a", "file: risk-rules"],
      8,
      "rule-key",
      "deposits only",
    ],
    [
      "conflict marker",
      ["level: high", "alert: x", "keywords: a\n<<<<<<< HEAD"],
      8,
      "conflict-marker",
      "keep one",
    ],
  ])("report %s at its line and skip only that block (KN-13, KN-54)", (_name, keys, ...expected) => {
    const [line, code, advice] = expected;
    const good = "\n\n## R-8AAAAA Good\n- level: warn\n- alert: ok\n- keywords: k\n";
    const { rules, problems } = parse(block(...keys) + good);
    expect(rules.map((rule) => rule.id)).toEqual(["R-8AAAAA"]);
    expect(problems).toEqual([
      { file: FILE, line, code, message: expect.stringContaining(advice) as string },
    ]);
  });

  it("quarantine a stray heading and keep what follows (KN-13)", () => {
    const text = `${block("level: high", "alert: x", "keywords: a")}\n\n## Notes\n- odd: 1\n\n## R-8AAAAA B\n- level: warn\n- alert: y\n- keywords: b\n`;
    const { rules, problems } = parse(text);
    expect(rules.map((rule) => rule.id)).toEqual(["R-7K3M2P", "R-8AAAAA"]);
    expect(problems.map(({ line, code }) => [line, code])).toEqual([[11, "rule-heading"]]);
  });

  it("keep the first of two rules with one id", () => {
    const text = block("level: high", "alert: x", "keywords: a");
    const { rules, problems } = parse(`${text}\n\n${text}`);
    expect(rules).toHaveLength(1);
    expect(problems[0]).toMatchObject({ line: 13, code: "rule-duplicate-id" });
  });

  it("skip fenced code and hidden comments", () => {
    const hidden = `<!--\n## R-8AAAAA Hidden\n- level: block\n- alert: x\n- keywords: a\n-->`;
    const fenced = "```md\n## R-8BBBBB Example\n- odd: 1\n```";
    const text = `${block("level: high", "alert: x <!-- y -->", "keywords: a")}\n\n${fenced}\n${hidden}\n`;
    const rule = only(text);
    expect(rule.alert).toBe("x");
    expect(rule.prose).toContain("R-8BBBBB Example");
    expect(rule.prose).not.toContain("Hidden");
  });

  it("say which comment or fence hides the rest", () => {
    const text = block("level: high", "alert: x", "keywords: a");
    expect(parse(`${text}\n<!-- open\n${text}`).problems).toMatchObject([{ line: 10, code: "comment-open" }]);
    expect(parse(`${text}\n\`\`\`\n${text}`).problems).toMatchObject([{ line: 10, code: "fence-open" }]);
  });

  it("advise backticks for bare globs, and still use them", () => {
    const { rules, problems } = parse(
      block("level: high", "alert: x", "paths: **/*.ts", "symbols: __init__"),
    );
    expect(rules[0]?.paths).toEqual(["**/*.ts"]);
    expect(problems.map(({ line, code }) => [line, code])).toEqual([
      [7, "bare-glob"],
      [8, "bare-glob"],
    ]);
  });

  it("ship without problems and without an active rule", () => {
    for (const kind of ["context", "risk", "service", "pattern"] as const) {
      const text = readFileSync(new URL(`../../rules/experience/${kind}-rules.md`, import.meta.url), "utf8");
      const { rules, problems } = parse(text, kind);
      expect(problems).toEqual([]);
      expect(rules.map((rule) => rule.status)).toEqual(["retired"]);
    }
  });

  it("read back every rule that is written", () => {
    const kinds = fc.constantFrom<RuleKind>("context", "risk", "service", "pattern");
    const lists = fc.record({
      keywords: words,
      paths: words,
      labels: words,
      symbols: words,
      services: words,
    });
    const texts = fc.record({ title: lineText, alert: lineText, check: lineText, source: lineText });
    const prose = fc
      .array(fc.oneof(lineText, fc.constantFrom("- a: b", "## R-8AAAAA x", "```", "")))
      .map((lines) => lines.join("\n").trim());
    fc.assert(
      fc.property(kinds, lists, texts, prose, (kind, list, text, prose) => {
        const rule = aRule({
          ...list,
          ...text,
          kind,
          keywords: ["k", ...list.keywords],
          prose,
          match: "all",
        });
        const written = formatRule(rule);
        const { rules, problems } = parse(written, kind);
        expect(problems).toEqual([]);
        expect(formatRule(rules[0]!)).toBe(written);
        expect({ ...rules[0]!, prose: "", line: 0, file: "" }).toEqual({
          ...rule,
          prose: "",
          line: 0,
          file: "",
        });
        expect(rules[0]!.prose.startsWith(prose)).toBe(true);
      }),
    );
  });
});
