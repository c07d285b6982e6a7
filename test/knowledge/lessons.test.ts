import { describe, expect, it } from "vitest";
import { checkKnowledge, fold, forget, match, parseNote, type Tree } from "../../src/knowledge/index.js";
import { applied, FOLD, told, withDeposits } from "./remarks.js";
import { aQuery } from "./samples.js";

const titles = (text: string) => told(text).recorded.map(({ title }) => title);

describe("lessons of one remark", () => {
  it("are its bullets, each routed by what it says", () => {
    const made = told(
      "记住这几点：\n- 禁止在路由里直接写文件\n- wallet-service 依赖 goods-service\n- 缓存用的是 Redis 7\n- 会员每月有三次免费退款\n",
    );
    expect(made.recorded.map(({ title, target }) => [title, target])).toEqual([
      ["禁止在路由里直接写文件", "context/experience/EXP-7K3M2P9Q.md"],
      ["wallet-service 依赖 goods-service", "context/tech/services/wallet-service.md"],
      ["缓存用的是 Redis 7", "context/tech/facts.md"],
      ["会员每月有三次免费退款", "context/business/facts.md"],
    ]);
    const ids = made.recorded.flatMap(({ note, path, rules }) => [note, path, ...rules.map(({ id }) => id)]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each([
    [
      "numbered points",
      "1. Never log a token\n2. Use src/csv.ts for exports",
      ["Never log a token", "Use src/csv.ts for exports"],
    ],
    [
      "paragraphs",
      "Never log a token.\n\nExports go through src/csv.ts.",
      ["Never log a token", "Exports go through src/csv.ts"],
    ],
    ["a paragraph and its reason", "Never log a token.\n\nBecause logs are public.", ["Never log a token"]],
    ["steps", "Release in this order:\n1. tag\n2. push", ["Release in this order:"]],
    ["one sentence", "Never log a token", ["Never log a token"]],
  ])("of %s are told apart", (_name, text, expected) => {
    expect(titles(text)).toEqual(expected);
  });

  it("keep what is indented below a bullet, and code, with it", () => {
    const { deposits } = told(
      "- Never log a token\n  see src/log.ts\n\n  ```\n  - a\n  ```\n- Avoid globals",
    );
    expect(deposits.map(({ note }) => note.solution)).toEqual([
      "Never log a token\nsee src/log.ts\n```\n- a\n```",
      "Avoid globals",
    ]);
  });

  it("become sections of the documents that speak of the same, never a twin", () => {
    const stack = "# Stack\n\n## Redis cache\n\nRedis 6.\n\n## Queue\n\nBullMQ.\n";
    const tree = new Map([["context/tech/stack.md", stack]]);
    const made = told("The Redis cache has two replicas in src/cache.ts", { tree });
    expect(made.recorded[0]).toMatchObject({ target: "context/tech/stack.md" });
    const before = withDeposits(tree, made);
    // It is found before it is filed, and leads to where it lies now.
    const pending = match(before, aQuery({ text: "src/cache.ts" })).context.files[0];
    expect(pending).toMatchObject({ path: made.recorded[0]?.path, pending: true });
    const after = applied(before, fold(before, FOLD).writes);
    expect([...after.keys()].sort()).toEqual([
      "context/INDEX.md",
      "context/rules/context-rules.md",
      "context/tech/stack.md",
    ]);
    const text = after.get("context/tech/stack.md") ?? "";
    expect(text.startsWith(stack)).toBe(true);
    expect(text).toContain("## The Redis cache has two replicas in src/cache.ts\n");
    expect(text).toContain("- source: EXP-7K3M2P9Q, @lee, https://github.com/acme/shop/issues/12");
    expect(match(after, aQuery({ text: "src/cache.ts" })).context.files[0]).toMatchObject({
      path: "context/tech/stack.md",
      pending: false,
    });
    expect(checkKnowledge(after)).toEqual([]);
    expect(fold(after, FOLD).writes).toEqual(new Map());
  });

  it("said again are recorded once, also when they were filed or taken back (KN-40, KN-44, ME-05)", () => {
    const tree = withDeposits(new Map(), told("- Never log a token\n- 会员每月有三次免费退款"));
    const again = (known: Tree) =>
      told("* never log a token!\n* 会员每月有三次免费退款。", { tree: known }).skipped.map(
        ({ reason }) => reason,
      );
    expect(again(tree)).toEqual(["it is known already", "it is known already"]);
    const filed = applied(tree, fold(tree, FOLD).writes);
    expect(again(filed)).toEqual(["it is known already", "it is known already"]);
    const gone = applied(filed, forget(filed, "EXP-7K3M2P9Q")?.writes ?? new Map());
    expect(again(gone)).toHaveLength(2);
  });

  it("of a router that moved from 192.168.7.1 to 192.168.9.1 are two (KN-43)", () => {
    const tree = withDeposits(new Map(), told("The router IP is 192.168.7.1"));
    expect(told("The router IP is 192.168.9.1", { tree }).recorded).toHaveLength(1);
  });
});

const LESSON = {
  kind: "experience",
  title: "Virtual goods go to the virtual wallet",
  problem: "The wrong wallet type made claims fail.",
  triggers: { keywords: ["goods issue"], paths: ["services/goods/**"], symbols: ["IssueGoods"], labels: [] },
  solution: "Derive the wallet type from the goods type.",
  verification: "npm test -- wallet",
  related: ["context/tech/config.md"],
  rules: [
    {
      kind: "risk",
      title: "Wallet type",
      level: "block",
      keywords: ["goods issue"],
      alert: "Check the wallet type",
    },
    { kind: "service", title: "Wallet", keywords: ["goods issue"], suggest: ["wallet-service"] },
    { kind: "pattern", title: "Issue", paths: ["services/goods/**"] },
    { kind: "risk", title: "No trigger", alert: "x" },
  ],
  aliases: [["用户激励", "活动奖励"]],
};

describe("lessons that a model proposes", () => {
  it("are validated, get rules of all four kinds, and say what was left out (KN-35)", () => {
    const made = told("see above", { lessons: [LESSON, { title: "x" }] });
    expect(made.recorded).toEqual([
      {
        note: "EXP-7K3M2P9Q",
        title: LESSON.title,
        path: "context/deposits/01JB8ZK3QH6X9M4T7V2C5D8E0G.md",
        target: "context/experience/virtual-goods-go-to-the-virtual-wallet-EXP-7K3M2P9Q.md",
        rules: [
          { id: "R-7K3M2P", kind: "risk", level: "block", title: "Wallet type" },
          { id: "R-7K3M2Q", kind: "service", level: "info", title: "Wallet" },
          { id: "R-7K3M2R", kind: "pattern", level: "info", title: "Issue" },
        ],
        aliases: [["用户激励", "活动奖励"]],
        review: ["R-7K3M2P asks for level block"],
        undo: "forget EXP-7K3M2P9Q",
      },
    ]);
    expect(made.skipped.map(({ reason }) => reason)).toEqual([
      expect.stringContaining('risk rule "No trigger": '),
      expect.stringContaining("the lesson is not valid: kind"),
    ]);
  });

  it("wait for a person where they ask for level block, and take effect once looked at", () => {
    const tree = withDeposits(new Map(), told("x", { lessons: [LESSON] }));
    const path = [...tree.keys()][0] ?? "";
    const held = fold(tree, FOLD);
    expect(held.review).toMatchObject([{ path, reasons: ["R-7K3M2P asks for level block"] }]);
    const risks = (known: Tree) => match(known, aQuery({ text: "goods issue" })).risk.alerts;
    expect(risks(tree)).toEqual([]);
    const after = applied(tree, fold(tree, { ...FOLD, reviewed: new Set([path]) }).writes);
    expect(risks(after)).toMatchObject([{ id: "R-7K3M2P", level: "block" }]);
    expect(after.has(path)).toBe(false);
    const note = [...after].find(([file]) => file.startsWith("context/experience/")) ?? ["", ""];
    expect(parseNote(...note).note).toMatchObject({ trust: "reviewed", status: "active" });
  });

  it("propose aliases that do not count before a person confirms them", () => {
    const lesson = { ...LESSON, rules: [] };
    const tree = withDeposits(new Map(), told("x", { lessons: [lesson] }));
    const after = applied(tree, fold(tree, FOLD).writes);
    expect(after.get("context/business/glossary.md")).toBe(
      "# Names that mean the same\n\n- 用户激励 = 活动奖励 (proposed)\n",
    );
  });
});

describe("forgetting", () => {
  const said = told("- Never log a token in src/log.ts\n- 会员每月有三次免费退款 (见 `src/refund.ts`)");
  const waiting = withDeposits(new Map(), said);
  const filed = applied(waiting, fold(waiting, FOLD).writes);

  it("retires a note and its rules, keeps the texts, and names the way back", () => {
    const { writes, ids, undo } = forget(filed, "exp-7k3m2p9q") ?? { writes: new Map(), ids: [], undo: [] };
    expect(ids).toEqual(["EXP-7K3M2P9Q", "R-7K3M2P"]);
    expect(undo).toEqual([
      expect.stringMatching(/^set "status: active" in context\/experience\//),
      'set "status: active" of R-7K3M2P in context/rules/risk-rules.md',
    ]);
    const after = applied(filed, writes);
    expect(match(after, aQuery({ text: "src/log.ts token" })).risk.alerts).toEqual([]);
    expect([...after.keys()]).toEqual([...filed.keys()]);
    expect(after.get("context/rules/risk-rules.md")).toBe(
      filed.get("context/rules/risk-rules.md")?.replace("status: active", "status: retired"),
    );
  });

  it("takes a section out of its document and leaves the rest", () => {
    const document = "context/tech/facts.md";
    const note = said.recorded[1]?.note ?? "";
    const { writes } = forget(filed, note) ?? { writes: new Map() };
    expect(filed.get(document)).toContain("会员每月有三次免费退款");
    expect(writes.get(document)).not.toContain("会员");
    expect(writes.get(document)?.trim()).toBe("# Technical facts");
  });

  it("deletes a deposit that was not filed, and says null of what nobody knows", () => {
    expect(forget(waiting, "EXP-7K3M2P9Q")?.writes).toEqual(new Map([[said.recorded[0]?.path, null]]));
    expect(forget(filed, "EXP-ZZZZZZZZ")).toBe(null);
  });
});
