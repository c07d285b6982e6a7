import { describe, expect, it } from "vitest";
import { formatRule, knowledgeText, match, type Rule, type RuleKind } from "../../src/knowledge/index.js";
import { estimateTokens, sha256 } from "../../src/shared/index.js";
import { aQuery, aRule } from "./samples.js";

function treeOf(rules: Partial<Rule>[], files: Record<string, string> = {}): Map<string, string> {
  const tree = new Map(Object.entries(files));
  for (const kind of ["context", "risk", "service", "pattern"] as RuleKind[]) {
    const own = rules.map((rule) => aRule(rule)).filter((rule) => rule.kind === kind);
    if (own.length > 0) tree.set(`context/rules/${kind}-rules.md`, own.map(formatRule).join("\n"));
  }
  return tree;
}
const isHit = (rule: Partial<Rule>, query: Parameters<typeof aQuery>[0]) =>
  match(treeOf([rule]), aQuery(query)).risk.alerts.length > 0;
const note = (text: string, head = "") =>
  `${head}# A note\n\n## Problem\n\nP.\n\n## Triggers\n\n${text}\n\n## Solution\n\nS.\n\n## Verification\n\nV.\n\n## Related\n`;

describe("matching", () => {
  it.each([
    ["商品发放", "给活动增加商品发放功能", true],
    ["商品发放", "商品列表分页", false],
    ["CSV 导出", "支持csv导出", true],
    ["wallet", "The Wallet is wrong", true],
    ["wallet", "wallets", true],
    ["wallet", "walletless", false],
    ["wallet", "钱包wallet类型", true],
    ["log", "catalog blog", false],
    ["C#", "port it to c# soon", true],
    ["issue #12", "see issue #12", true],
    ["issue #12", "see issue #123", false],
    ["ＣＳＶ", "csv", true],
    ["entry", "two entries", true],
  ])("the keyword %s in %j is %s", (keyword, text, expected) => {
    expect(isHit({ keywords: [keyword] }, { text })).toBe(expected);
  });

  it("doubts single words that a machine took out of a remark, and nothing that a person chose", () => {
    const crowd = Array.from({ length: 50 }, (_, index) => note(`- paths: lib/${index}/**`));
    const many = crowd.map((text, index): [string, string] => [`context/experience/n-${index}.md`, text]);
    const noteAt = (trust: string, others = many) =>
      new Map([
        ...others,
        [
          "context/experience/wallet.md",
          note(
            "- keywords: wallet, wallet type\n- paths: src/pay/**",
            `---\nid: EXP-AAAAAAAA\ntrust: ${trust}\n---\n`,
          ),
        ],
      ]);
    const shown = (tree: Map<string, string>, text: string, isSure: boolean) => {
      const { context, pattern } = match(tree, aQuery({ text }), { isSure: () => isSure });
      return context.files.length + pattern.files.length;
    };
    expect(shown(noteAt("bot"), "the wallet of a guest", false)).toBe(0);
    expect(shown(noteAt("bot"), "the wallet of a guest", true)).toBe(1);
    expect(shown(noteAt("bot", []), "the wallet of a guest", false)).toBe(1);
    expect(shown(noteAt("bot"), "the wallet type of a guest", false)).toBe(1);
    expect(shown(noteAt("bot"), "change src/pay/a.ts", false)).toBe(1);
    expect(shown(noteAt("reviewed"), "the wallet of a guest", false)).toBe(1);
    const byHand = treeOf([{ keywords: ["wallet"], source: "the team" }]);
    const rule = match(byHand, aQuery({ text: "the wallet" }), { isSure: () => false });
    expect(rule.risk.alerts).toHaveLength(1);
    const ofNote = treeOf(
      [{ keywords: ["wallet"], source: "EXP-AAAAAAAA" }],
      Object.fromEntries(noteAt("bot")),
    );
    expect(match(ofNote, aQuery({ text: "the wallet" }), { isSure: () => false }).risk.alerts).toEqual([]);
    expect(match(ofNote, aQuery({ text: "the wallet" })).risk.alerts).toHaveLength(1);
  });

  it.each([
    ["**/*.yml", { paths: [".github/workflows/x.yml"] }, true],
    ["src/**/*.{ts,tsx}", { paths: ["src/a/b.tsx"] }, true],
    ["services/goods/", { paths: ["services/goods/issue.go"] }, true],
    ["app/(shop)/[id]/page.tsx", { paths: ["app/(shop)/[id]/page.tsx"] }, true],
    ["src/export/**", { text: "修改src/export/csv.ts中的转义" }, true],
    ["src/export/**", { text: "see https://github.com/a/b/blob/main/src/export/csv.ts#L10." }, true],
    ["src/export/**", { text: "see https://example.com/src/export/csv.ts" }, false],
    ["**/*.js", { text: "works with Node.js and node.js" }, false],
    ["package.json", { text: "bump package.json" }, true],
    ["src/**", { text: "the source" }, false],
  ])("the path %s for %j is %s (KN-62)", (path, query, expected) => {
    expect(isHit({ keywords: [], paths: [path] }, query)).toBe(expected);
  });

  it("takes labels and symbols exactly", () => {
    const rule = { keywords: [], labels: ["area/payment"] };
    expect(isHit(rule, { labels: ["area/payment"] })).toBe(true);
    expect(isHit(rule, { labels: ["area/payments"] })).toBe(false);
    const symbol = { keywords: [], symbols: ["run"] };
    expect(isHit(symbol, { symbols: ["run"] })).toBe(true);
    expect(isHit(symbol, { text: "please run the tests" })).toBe(false);
    expect(isHit(symbol, { text: "rename `run()`" })).toBe(true);
    expect(isHit({ keywords: [], symbols: ["IssueGoods"] }, { text: "goods.IssueGoods fails" })).toBe(true);
  });

  it("lets phases filter and never trigger", () => {
    const rule = { phases: ["design"] };
    expect(isHit(rule, { text: "wallet", phase: "design" })).toBe(true);
    expect(isHit(rule, { text: "wallet", phase: "implement" })).toBe(false);
    expect(isHit(rule, { text: "wallet" })).toBe(true);
    expect(isHit(rule, { text: "other", phase: "design" })).toBe(false);
  });

  it("asks each kind of trigger when a rule says match: all", () => {
    const rule: Partial<Rule> = { match: "all", paths: ["services/**"] };
    expect(isHit(rule, { text: "wallet" })).toBe(false);
    expect(isHit(rule, { text: "wallet", paths: ["services/a.go"] })).toBe(true);
  });

  it("never fires a draft or retired rule", () => {
    expect(isHit({ status: "draft" }, { text: "wallet" })).toBe(false);
    expect(isHit({ status: "retired" }, { text: "wallet" })).toBe(false);
  });

  it("answers in four parts with their reasons", () => {
    const tree = treeOf(
      [
        { kind: "context", id: "R-AAAAAA", load: ["context/business/wallet.md"], paths: ["src/**"] },
        { id: "R-BBBBBB" },
        { kind: "service", id: "R-CCCCCC", suggest: ["wallet-service", "goods-service"] },
        { kind: "pattern", id: "R-DDDDDD", load: ["context/tech/gone.md"] },
      ],
      { "context/business/wallet.md": "# Wallets\n\nTwo kinds.\n" },
    );
    const answer = match(tree, aQuery({ text: "fix the wallet in src/a.ts" }));
    expect(answer).toEqual({
      context: {
        files: [
          {
            id: "R-AAAAAA",
            path: "context/business/wallet.md",
            why: "paths: src/**; keywords: wallet",
            verified: null,
            tokens: estimateTokens("# Wallets\n\nTwo kinds.\n"),
            pending: false,
          },
        ],
      },
      risk: {
        alerts: [expect.objectContaining({ id: "R-BBBBBB", level: "high", message: "Check the wallet" })],
      },
      service: {
        suggestions: [
          expect.objectContaining({ id: "R-CCCCCC", service: "wallet-service" }),
          expect.objectContaining({ id: "R-CCCCCC", service: "goods-service" }),
        ],
      },
      pattern: {
        files: [expect.objectContaining({ path: "context/tech/gone.md", verified: false, tokens: 0 })],
      },
    });
  });

  it("gives at most five a bucket, the strongest first, whatever the order of the files", () => {
    const rules = "ABCDEFG".split("").map((letter) => ({ id: `R-AAAAA${letter}` }));
    const strong = { id: "R-ZZZZZZ", paths: ["src/**"] };
    const query = aQuery({ text: "wallet", paths: ["src/a.ts"] });
    const ids = (list: Partial<Rule>[]) => match(treeOf(list), query).risk.alerts.map((alert) => alert.id);
    expect(ids([...rules, strong])).toEqual(["R-ZZZZZZ", "R-AAAAAA", "R-AAAAAB", "R-AAAAAC", "R-AAAAAD"]);
    expect(ids([strong, ...rules.toReversed()])).toEqual(ids([...rules, strong]));
  });

  it("brings up a note by its typed triggers and not by stale status or untrusted text", () => {
    const path = "context/experience/a.md";
    const hits = (head: string) =>
      match(new Map([[path, note("- keywords: wallet", head)]]), aQuery({ text: "wallet" })).pattern.files;
    expect(hits("")).toMatchObject([{ path, why: "keywords: wallet", pending: false }]);
    expect(hits("---\nstatus: stale\n---\n")).toEqual([]);
    expect(hits("---\ntrust: untrusted\n---\n")).toEqual([]);
  });

  it.each([
    ["- 需求涉及商品发放", "给活动增加商品发放功能", true],
    ["- 需求涉及商品发放", "商品列表分页", false],
    ["- 需求涉及商品发放", "修改用户头像", false],
    ["- CSV exports are opened in Excel", "export users as CSV for Excel", true],
    ["- CSV exports are opened in Excel", "export the module", false],
    ["- the user can add a new feature", "add a feature", false],
  ])("weighs the free text %j against %j with a floor: %s", (trigger, text, expected) => {
    const { pattern } = match(new Map([["context/experience/a.md", note(trigger)]]), aQuery({ text }));
    expect(pattern.files.length > 0).toBe(expected);
  });

  it("says nothing when nothing fits, among many notes", () => {
    const tree = new Map(
      Array.from({ length: 100 }, (_, n) => [
        `context/experience/n${n}.md`,
        note(`- module ${n} writes ledger entries`),
      ]),
    );
    const answer = match(tree, aQuery({ text: "Correct a typo on the start page" }));
    expect([...answer.context.files, ...answer.pattern.files]).toEqual([]);
  });

  it("verifies a note by the code it cites", () => {
    const code = "export const a = 1;\n";
    const cited = `${note("- keywords: wallet")}\n- evidence: \`src/a.ts\` @ \`a\` sha256:${sha256(code).slice(0, 16)}\n`;
    const verified = (now: string | null) => {
      const files = { "context/experience/a.md": cited, ...(now === null ? {} : { "src/a.ts": now }) };
      return match(new Map(Object.entries(files)), aQuery({ text: "wallet" })).pattern.files[0]?.verified;
    };
    expect(verified(code)).toBe(true);
    expect(verified("changed")).toBe(false);
    expect(verified(null)).toBe(null);
  });

  it("answers a hostile text of the largest size", () => {
    const rule = treeOf([{ paths: ["src/**"] }]);
    for (const unit of ["(", "`", "a.", "a/", "../", "*", "“", "```", "` `` ", "https://"]) {
      const text = unit.repeat(Math.floor(65_536 / unit.length));
      expect(match(rule, aQuery({ text })).risk.alerts).toEqual([]);
    }
  });
});

describe("knowledge as prompt text", () => {
  const tree = treeOf(
    [
      { id: "R-BBBBBB" },
      { kind: "context", id: "R-AAAAAA", load: ["context/business/wallet.md"] },
      { kind: "pattern", id: "R-DDDDDD", load: ["context/tech/long.md"], paths: ["src/**"] },
    ],
    {
      "context/business/wallet.md": "---\nowner: x\n---\n# Wallets\n\nTwo kinds.<!-- hidden -->\n",
      "context/tech/long.md": `# Long\n\n\`\`\`ts\n${"const line = 1;\n".repeat(500)}\`\`\`\n`,
    },
  );
  const answer = match(tree, aQuery({ text: "wallet", paths: ["src/a.ts"] }));

  it("holds warnings and files with id and path, without what is hidden", () => {
    const { text, ids, tokens } = knowledgeText(tree, answer, 5_000);
    expect(text).toContain("[R-BBBBBB] high: Check the wallet");
    expect(text).toContain("[R-AAAAAA] context/business/wallet.md\n# Wallets\n\nTwo kinds.");
    expect(text).not.toMatch(/hidden|owner/);
    expect(ids).toEqual(["R-BBBBBB", "R-DDDDDD", "R-AAAAAA"]);
    expect(tokens).toBe(estimateTokens(text));
  });

  it.each([0, 10, 50, 100, 200, 1_000])("stays under %i tokens and closes what it cuts", (max) => {
    const { text, tokens, ids } = knowledgeText(tree, answer, max);
    expect(tokens).toBeLessThanOrEqual(max);
    expect((text.match(/^```/gm) ?? []).length % 2).toBe(0);
    for (const id of ids) expect(text).toContain(`[${id}]`);
  });

  it("is empty when nothing fits", () => {
    expect(knowledgeText(tree, match(tree, aQuery()), 1_000)).toEqual({ text: "", ids: [], tokens: 0 });
  });
});
