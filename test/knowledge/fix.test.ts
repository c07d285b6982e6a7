import { describe, expect, it } from "vitest";
import { checkKnowledge, fixKnowledge, parseNote } from "../../src/knowledge/index.js";

const RISK = "context/rules/risk-rules.md";

/** Ids in a fixed order, so that a test can name them. */
function freshIds() {
  let [rules, notes] = [0, 0];
  return {
    newRuleId: () => `R-NEWAA${++rules}`,
    newNoteId: () => `EXP-NEWAAAA${++notes}`,
  };
}
function fixed(files: Record<string, string>) {
  const tree = new Map(Object.entries(files));
  const { writes, fixes } = fixKnowledge(tree, freshIds());
  const after = new Map([...tree, ...writes]);
  return { after, fixes, codes: fixes.map(({ line, code }) => [line, code]) };
}
function fixedRule(body: string): string {
  const { after } = fixed({ [RISK]: body });
  return after.get(RISK) ?? "";
}

describe("repairing knowledge", () => {
  it("puts full-width punctuation, key spellings and separators right and names each line", () => {
    const text = [
      "## R-7K3M2P 虚拟商品",
      "",
      "－ ｌｅｖｅｌ： high",
      "- keywrods: 商品发放; 钱包；a",
      "-paths: services/goods/**, `src/**`",
      "- 提醒：注意钱包；看文档",
      "",
      "正文；- keywrods: x",
      "",
    ].join("\n");
    const { after, codes } = fixed({ [RISK]: text });
    expect(after.get(RISK)).toBe(
      [
        "## R-7K3M2P 虚拟商品",
        "",
        "- level: high",
        "- keywords: 商品发放, 钱包, a",
        "- paths: `services/goods/**`, `src/**`",
        "- 提醒: 注意钱包；看文档",
        "",
        "正文；- keywrods: x",
        "",
      ].join("\n"),
    );
    expect(codes).toEqual([
      [3, "key"],
      [3, "punctuation"],
      [4, "separator"],
      [4, "key"],
      [5, "bare-glob"],
      [5, "punctuation"],
      [6, "punctuation"],
    ]);
    expect(checkKnowledge(after)).toEqual([]);
  });

  it("gives a rule without an id one, and a doubled id a new one, in any case (KN-49)", () => {
    const rule = (heading: string) => `## ${heading}\n\n- level: warn\n- keywords: a\n- alert: x\n`;
    const { after, fixes } = fixed({
      [RISK]: [rule("钱包"), rule("R-7K3M2P One"), rule("r-7k3m2p: Two")].join("\n"),
      "context/rules/pattern-rules.md": "## R-7K3M2P Three\n\n- keywords: a\n- load: `x.md`\n",
    });
    expect(after.get(RISK)?.match(/^## .*/gm)).toEqual([
      "## R-NEWAA1 钱包",
      "## R-7K3M2P One",
      "## R-NEWAA2 Two",
    ]);
    expect(after.get("context/rules/pattern-rules.md")).toContain("## R-NEWAA3 Three");
    expect(fixes.map(({ code }) => code)).toEqual(["missing-id", "duplicate-id", "duplicate-id"]);
    expect(fixes[1]?.message).toContain("r-7k3m2p was taken already: this rule is R-NEWAA2 now");
    expect(checkKnowledge(after)).toEqual([]);
  });

  it("leaves code, comments, other headings and what it does not understand byte for byte (KN-13, KN-53)", () => {
    const text = [
      "# 规则\r",
      "<!-- - keywrods: a -->\r",
      "## Notes for people\r",
      "- level:high\r",
      "## R-7K3M2P A\r",
      "- keywords: `a;b`, {c;d}\r",
      "- zzzzzzzz: 1\r",
      "```",
      "- keywrods: a; b",
      "```",
      "",
    ].join("\n");
    expect(fixedRule(text).replace("## R-NEWAA1 ", "## ").replace("- level: high", "- level:high")).toBe(
      text,
    );
    expect(fixedRule("## Notes for people\n- milk: 2\n")).toBe("## Notes for people\n- milk: 2\n");
  });

  it("done again changes nothing", () => {
    const once = fixedRule("## Ｒ-7k3m2p A\n－ｌｅｖｅｌ：high\n- keywrods: a;b\n- alart: x\n");
    expect(once).toBe("## R-7K3M2P A\n- level: high\n- keywords: a, b\n- alert: x\n");
    expect(fixedRule(once)).toBe(once);
  });

  it("writes the id of a note into it and renames a heading that is a letter off (KN-34)", () => {
    const path = "context/experience/钱包.md";
    const text =
      "## 问题描诉\n\n选错钱包\n\n## 触发条件\n\n- 发放\n\n## 解决方案\n\na\n\n## 校验方式\n\nb\n\n## 关联文档\n\n- c\n";
    const { id } = parseNote(path, text).note;
    const { after, fixes } = fixed({ [path]: text });
    const { note, problems } = parseNote(path, after.get(path) ?? "");
    expect(problems).toEqual([]);
    expect(note).toMatchObject({ id, problem: "选错钱包" });
    expect(after.get(path)).toContain(`id: ${id}\n`);
    expect(fixes.map(({ line, code }) => [line, code])).toEqual([
      [1, "heading"],
      [1, "missing-id"],
    ]);
  });

  it("gives the second of two notes of one id a new one, so that neither is hidden (KN-49)", () => {
    const note = (id: string) => `---\nid: ${id}\ntype: fact\n---\nx\n`;
    const { after } = fixed({
      "context/experience/a.md": note("EXP-AAAAAAAA"),
      "context/experience/b.md": note("exp-aaaaaaaa"),
    });
    expect(after.get("context/experience/b.md")).toBe(note("EXP-NEWAAAA1"));
    expect(checkKnowledge(after)).toEqual([]);
  });
});
