import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatNote, parseNote, type Note } from "../../src/knowledge/index.js";
import { lineText, words } from "./samples.js";

const FILE = "context/experience/商品发放-钱包选择问题.md";
const BARE = `# 商品发放-钱包选择问题

## 问题描述
商品发放时选错钱包类型，导致用户领取失败。

## 触发条件
- 需求涉及商品发放
- 商品类型为虚拟商品

## 解决方案
虚拟商品必须发到虚拟钱包。

## 校验方式
- 检查 goods_type 与 wallet_type 的匹配关系

## 关联文档
- context/tech/Apollo配置规范.md
`;
const FULL = `---
id: EXP-7K3M2P9Q
title: "Goods: wrong wallet" # quoted for the colon
type: decision
status: stale
date: 2026-11-29
module: goods-service
symptoms:
  - "claim fails: wallet_type"
tags: [goods-issue, wallet]
trust: bot
---

# Goods: wrong wallet

## Problem

Wrong wallet.

### Detail

More.

## What Didn't Work

- Guessing

## Triggers

- goods are issued
- keywords: 商品发放, virtual goods
- Paths：\`services/goods/**\`, \`**/wallet/*.go\`
- symbol: \`IssueGoods\`
- 标签: \`area/payment\`
- phases: design, implement
- careful: not a key

## Solution
Use the virtual wallet.

## Verification

- run \`npm test\`

## Related

- [the flow](../business/flow.md)
- evidence: \`src/a.go\` @ \`IssueGoods\` sha256:1f2e3d4c
`;

describe("notes", () => {
  it("are accepted with the five headings alone", () => {
    const { note, problems } = parseNote(FILE, BARE);
    expect(problems).toEqual([]);
    expect(note).toMatchObject({
      title: "商品发放-钱包选择问题",
      type: "pattern",
      status: "active",
      trust: "reviewed",
      problem: "商品发放时选错钱包类型，导致用户领取失败。",
      triggers: { text: ["需求涉及商品发放", "商品类型为虚拟商品"], keywords: [] },
      solution: "虚拟商品必须发到虚拟钱包。",
      related: ["context/tech/Apollo配置规范.md"],
    });
    expect(note.id).toMatch(/^EXP-[0-9A-F]{8}$/);
    expect(parseNote(FILE, BARE).note.id).toBe(note.id);
    expect(parseNote("context/experience/b.md", BARE).note.id).not.toBe(note.id);
  });

  it("are read with frontmatter, typed triggers and headings of their own", () => {
    const { note, problems } = parseNote("context/experience/a.md", FULL);
    expect(problems).toEqual([]);
    expect(note).toMatchObject({
      id: "EXP-7K3M2P9Q",
      title: "Goods: wrong wallet",
      type: "decision",
      status: "stale",
      trust: "bot",
      problem: "Wrong wallet.\n\n### Detail\n\nMore.",
      verification: "- run `npm test`",
      triggers: {
        keywords: ["商品发放", "virtual goods"],
        paths: ["services/goods/**", "**/wallet/*.go"],
        symbols: ["IssueGoods"],
        labels: ["area/payment"],
        phases: ["design", "implement"],
        text: ["goods are issued", "careful: not a key"],
      },
    });
    expect(note.related).toHaveLength(2);
  });

  it("keep every byte that was not changed (KN-53)", () => {
    for (const text of [BARE, FULL, FULL.replaceAll("\n", "\r\n"), `\uFEFF${BARE}`]) {
      const { note } = parseNote("context/experience/a.md", text);
      expect(formatNote(note)).toBe(text);
    }
    const { note } = parseNote("context/experience/a.md", FULL);
    const changed = formatNote({ ...note, status: "active", solution: "Ask the wallet service." });
    expect(changed).toBe(
      FULL.replace("status: stale", "status: active").replace(
        "## Solution\nUse the virtual wallet.",
        "## Solution\n\nAsk the wallet service.",
      ),
    );
  });

  it("take changes of title, id and triggers", () => {
    const { note } = parseNote(FILE, BARE);
    const changed = {
      ...note,
      id: "EXP-AAAAAAAA",
      title: "新标题",
      triggers: { ...note.triggers, paths: ["a/**"] },
    };
    const text = formatNote(changed);
    expect(text).toContain("# 新标题\n");
    expect(text).toContain("- 路径: `a/**`");
    expect({ ...parseNote(FILE, text).note, raw: "" }).toEqual({ ...changed, raw: "" });
  });

  it("name the heading that is missing, and the one that is nearly right", () => {
    const { problems } = parseNote(
      FILE,
      BARE.replace("## 关联文档", "## 关联文挡").replace("## 校验方式", "## Verificatoin"),
    );
    expect(problems.map((problem) => problem.message)).toEqual([
      expect.stringContaining('rename "Verificatoin"'),
      expect.stringContaining('rename "关联文挡"'),
    ]);
  });

  it("are plain text when they are facts", () => {
    const text = "---\ntype: fact\n---\n\n# Port\n\nThe API listens on 8090.\n";
    const { note, problems } = parseNote("context/experience/port.md", text);
    expect(problems).toEqual([]);
    expect(note).toMatchObject({ title: "Port", problem: "The API listens on 8090." });
  });

  it("survive a broken head, and say so (KN-34)", () => {
    const { note, problems } = parseNote(
      "a.md",
      `---\nid: EXP-AAAAAAAA\ntitle: Fix: wallet\ntags: [a\n---\n${BARE}`,
    );
    expect(note).toMatchObject({ id: "EXP-AAAAAAAA", title: "Fix: wallet", status: "active" });
    expect(problems).toMatchObject([{ line: 1, code: "frontmatter" }]);
  });

  it("report conflict markers at their line (KN-54)", () => {
    const { problems } = parseNote(
      "a.md",
      FULL.replace("Wrong wallet.\n\n###", "<<<<<<< HEAD\nWrong wallet.\n\n###"),
    );
    const line = FULL.split("\n").indexOf("Wrong wallet.") + 1;
    expect(problems).toMatchObject([{ line, code: "conflict-marker" }]);
  });

  it("trust nobody with a word they do not know", () => {
    const { note, problems } = parseNote("a.md", FULL.replace("trust: bot", "trust: full"));
    expect(note.trust).toBe("untrusted");
    expect(problems).toMatchObject([{ code: "note-value" }]);
  });

  it("read back whatever free text was written into them", () => {
    const text = fc
      .array(
        fc.oneof(lineText, fc.constantFrom("## Solution", "### 解决方案", "# x", "```", "---", "\\## x", "")),
      )
      .map((lines) => lines.join("\n").trim());
    const made = fc.record({ problem: text, solution: text, verification: text, title: lineText });
    const typed = fc.record({ keywords: words, paths: words, symbols: words, labels: words, phases: words });
    fc.assert(
      fc.property(made, typed, (parts, triggers) => {
        const note: Note = {
          id: "EXP-AAAAAAAA",
          type: "fact",
          status: "active",
          trust: "bot",
          related: ["a b", "c"],
          file: "a.md",
          raw: "",
          ...parts,
          triggers: { ...triggers, text: ["when goods are issued"] },
        };
        const written = formatNote(note);
        const read = parseNote("a.md", written).note;
        const { problem, solution, verification, ...rest } = read;
        expect({ ...rest, raw: "" }).toEqual({
          ...rest,
          title: note.title,
          triggers: note.triggers,
          related: note.related,
          raw: "",
        });
        expect(problem.startsWith(note.problem) && solution.startsWith(note.solution)).toBe(true);
        expect(verification.startsWith(note.verification)).toBe(true);
        expect(formatNote(read)).toBe(written);
      }),
    );
  });
});
