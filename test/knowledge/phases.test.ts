import { describe, expect, it } from "vitest";
import { fold, knowledgeForPhase, type Tree } from "../../src/knowledge/index.js";
import { estimateTokens } from "../../src/shared/index.js";

const TREE: Tree = new Map([
  ["context/INDEX.md", "# Context\n\n- Goods · `business/goods.md`\n"],
  ["context/business/overview.md", "# Shop\n\nSells virtual goods.\n"],
  ["context/business/refund-policy.md", "# Refund policy of orders\n\nWithin 7 days.\n"],
  ["context/business/glossary.md", "- 退款 = refund\n"],
  ["context/tech/overview.md", "# Architecture\n\nFour services.\n"],
  ["context/tech/queues.md", "# Retry queue design\n\nBullMQ.\n"],
  ["context/tech/config.md", "# Apollo namespaces\n\nOne for each service.\n"],
  ["context/tech/services/wallet-service.md", "# wallet-service\n\nBooks money.\n"],
  [
    "context/experience/wallet.md",
    "---\nid: EXP-AAAAAAAA\n---\n# Wallet type\n\n## Triggers\n\n- keywords: refund\n\n## Solution\n\nVirtual wallet.\n",
  ],
  [
    "context/rules/risk-rules.md",
    "## R-7K3M2P Refunds\n\n- level: high\n- keywords: refund\n- alert: Check the wallet type\n",
  ],
  [
    "context/rules/context-rules.md",
    "## R-7K3M2Q Refunds\n\n- keywords: refund\n- load: `context/business/refund-policy.md`\n- phases: design\n",
  ],
]);

function loaded(phase: string, text: string, maxTokens?: number) {
  const query = { text, paths: [], labels: [], symbols: [] };
  const { rules, memories, tokens } = knowledgeForPhase(TREE, phase, query, maxTokens);
  const ids = (items: typeof rules) => items.map(({ id }) => id.replace("context/", ""));
  return { rules: ids(rules), memories: ids(memories), tokens };
}

describe("loading by phase", () => {
  it("starts the requirement with the index, the business overview and the notes whose triggers hit, without technology", () => {
    expect(loaded("requirement", "refund policy for orders")).toMatchObject({
      rules: ["R-7K3M2P"],
      memories: ["INDEX.md", "EXP-AAAAAAAA", "business/overview.md", "business/refund-policy.md"],
    });
    expect(loaded("requirement", "the type of a wallet").memories).not.toContain("EXP-AAAAAAAA");
    expect(loaded("implement", "the type of a wallet").memories).toContain("EXP-AAAAAAAA");
    expect(loaded("requirement", "login page")).toMatchObject({
      rules: [],
      memories: ["INDEX.md", "business/overview.md"],
    });
  });

  it("gives technology at the design, and services only where they are named", () => {
    expect(loaded("design", "a retry queue").memories).toEqual([
      "INDEX.md",
      "tech/overview.md",
      "tech/queues.md",
    ]);
    expect(loaded("design", "wallet-service").memories).toContain("tech/services/wallet-service.md");
  });

  it("gives experience before coding, and warnings before everything", () => {
    expect(loaded("implement", "refund")).toMatchObject({
      rules: ["R-7K3M2P"],
      memories: ["INDEX.md", "EXP-AAAAAAAA"],
    });
  });

  it("gives services and settings at configuration, by the names that people use (S4)", () => {
    const found = loaded("configuration", "set the namespaces of wallet-service in Apollo");
    expect(found.memories).toEqual(["INDEX.md", "tech/config.md", "tech/services/wallet-service.md"]);
  });

  it("splits what a rule brought up from what is remembered, with reasons", () => {
    const query = { text: "退款", paths: [], labels: [], symbols: [] };
    const { rules, memories } = knowledgeForPhase(TREE, "design", query);
    expect(rules).toEqual([
      {
        id: "R-7K3M2P",
        path: "context/rules/risk-rules.md",
        text: "high: Check the wallet type",
        score: 1,
        why: "keywords: refund (= 退款)",
        tokens: expect.any(Number),
      },
      expect.objectContaining({ id: "R-7K3M2Q", path: "context/business/refund-policy.md" }),
    ]);
    expect(memories.map(({ id }) => id)).toContain("EXP-AAAAAAAA");
  });

  it("never gives more than was asked for, nor more than 3,000 tokens (KN-32)", () => {
    const long = "钱包类型必须匹配。".repeat(2000);
    const notes = Array.from({ length: 5 }, (_, n): [string, string] => [
      `context/experience/n${n}.md`,
      `# n${n}\n\n## Triggers\n\n- keywords: refund\n\n## Solution\n\n${long}\n`,
    ]);
    const tree = new Map([...TREE, ...notes]);
    const query = { text: "refund", paths: [], labels: [], symbols: [] };
    for (const limit of [50, 700, 3000, 9000]) {
      const { rules, memories, tokens } = knowledgeForPhase(tree, "implement", query, limit);
      const sum = [...rules, ...memories].reduce((total, { text }) => total + estimateTokens(text), 0);
      expect(tokens).toBe(sum);
      expect(tokens).toBeLessThanOrEqual(Math.min(limit, 3000));
      expect(rules[0]?.id).toBe("R-7K3M2P");
    }
  });

  it("refuses a phase that it does not know", () => {
    expect(() => loaded("desing", "x")).toThrow(/"desing" is no phase.*requirement, design/);
  });

  it("starts from an index of at most 500 tokens with 1,000 notes (KN-32)", () => {
    const notes = Array.from({ length: 1000 }, (_, n): [string, string] => [
      `context/experience/n${n}.md`,
      `# 经验 ${n} 的标题\n`,
    ]);
    const input = { completed: [], now: "2026-12-02T00:00:00.000Z", language: "zh" as const };
    const index = fold(new Map([...notes, ["context/business/flow.md", "# Flow\n"]]), input).writes.get(
      "context/INDEX.md",
    );
    expect(estimateTokens(index ?? "")).toBeLessThanOrEqual(500);
    expect(index).toContain("- Flow · `business/flow.md`");
    expect(index).toMatch(/另有 9\d\d 篇/);
  });
});
