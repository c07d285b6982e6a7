import { describe, expect, it } from "vitest";
import { checkKnowledge, match, parseGlossary, otherNames } from "../../src/knowledge/index.js";
import { aQuery } from "./samples.js";

const PATH = "context/business/glossary.md";
const names = (text: string) => parseGlossary(PATH, text).groups.map((group) => group.names);
const problems = (text: string) =>
  parseGlossary(PATH, text).problems.map(({ line, code }) => `${line} ${code}`);

describe("a glossary", () => {
  it.each([
    ["a line", "用户激励 = 活动奖励 = 商品发放", ["用户激励", "活动奖励", "商品发放"]],
    ["full-width signs", "用户激励＝活动奖励＝商品发放", ["用户激励", "活动奖励", "商品发放"]],
    [
      "a bullet with =",
      "- **用户激励** = `活动奖励`、商品发放：发给用户的",
      ["用户激励", "活动奖励", "商品发放"],
    ],
    ["a bullet with 、", "- 用户激励、活动奖励", ["用户激励", "活动奖励"]],
    ["a bullet with |", "* user incentive | campaign reward", ["user incentive", "campaign reward"]],
    ["a numbered line", "1. 钱包 = wallet", ["钱包", "wallet"]],
  ])("reads %s", (_name, text, group) => {
    expect(names(`# 术语\n\n${text}\n`)).toEqual([group]);
  });

  it("reads a table without its head and its column of explanations", () => {
    const table = "| 名称 | 又叫 | 说明 |\n| --- | :-: | --- |\n| 用户激励 | 活动奖励、商品发放 | 一、二 |\n";
    expect(names(table)).toEqual([["用户激励", "活动奖励", "商品发放"]]);
  });

  it("takes prose, code and comments for no group", () => {
    const text =
      "这里写同义词、别名。\n\n- 钱包分两种：虚拟、真实\n- 先看 A、B。再看 C\n\n```\na1 = b1\n```\n<!-- 甲乙 = 丙丁 -->\n";
    expect(parseGlossary(PATH, text)).toEqual({ groups: [], proposed: [], problems: [] });
  });

  it("reports at its line what is no group", () => {
    expect(problems("\n- 奖励 =\n- 钱 = 金额\n- 甲乙 = 丙丁\n- 丙丁 = 戊己\n<<<<<<< ours\n")).toEqual([
      "2 glossary-one-name",
      "3 glossary-name",
      "3 glossary-one-name",
      "5 glossary-twice",
      "6 conflict-marker",
    ]);
    expect(names("- 甲乙 = 丙丁\n- 丙丁 = 戊己\n")).toEqual([["甲乙", "丙丁", "戊己"]]);
    expect(checkKnowledge(new Map([[PATH, "- 奖励 =\n"]]))).toMatchObject([{ file: PATH, line: 1 }]);
  });

  it.each([
    "- 用户激励 = 活动奖励 (proposed)",
    "- 用户激励 = 活动奖励（待确认）",
    "| 用户激励 | 活动奖励 | 待确认 |".replace("待确认", "（待确认）"),
  ])("does not count a proposal until a person removes the mark: %s", (line) => {
    const { groups, proposed, problems } = parseGlossary(PATH, `${line}\n`);
    expect([groups, proposed.map((group) => group.names), problems]).toEqual([
      [],
      [["用户激励", "活动奖励"]],
      [],
    ]);
    expect(names(line.replace(/[(（](proposed|待确认)[)）]/, ""))).toEqual([["用户激励", "活动奖励"]]);
  });

  it("keeps what is agreed of a line whose last name is only proposed", () => {
    expect(names("- 用户激励 = 活动奖励 = 商品发放 (proposed)")).toEqual([["用户激励", "活动奖励"]]);
  });

  it("brings up a rule of 商品发放 for 用户激励 and for 活动奖励, and says why (KN-11, KN-08)", () => {
    const rule = "## R-7K3M2P 钱包\n- level: high\n- keywords: 商品发放\n- alert: 注意钱包类型\n";
    const asked = (text: string, glossary: string) =>
      match(
        new Map([
          ["context/rules/risk-rules.md", rule],
          [PATH, glossary],
        ]),
        aQuery({ text }),
      ).risk.alerts.map(({ why }) => why);
    const glossary = "- 用户激励 = 活动奖励 = 商品发放\n";
    expect(asked("新增一个活动奖励", glossary)).toEqual(["keywords: 商品发放 (= 活动奖励)"]);
    expect(asked("用户激励改版", glossary)).toEqual(["keywords: 商品发放 (= 用户激励)"]);
    expect(asked("商品发放改版", glossary)).toEqual(["keywords: 商品发放"]);
    expect(asked("新增一个活动奖励", "")).toEqual([]);
    expect(asked("新增一个活动奖励", "- 活动奖励 = 商品发放 (proposed)\n")).toEqual([]);
    expect(asked("改登录页", glossary)).toEqual([]);
  });

  it("reaches a note by its free text, and gives recall the other names", () => {
    const note = "## 触发条件\n\n- 需求涉及商品发放\n\n## 解决方案\n\nx\n";
    const tree = new Map([
      ["context/experience/a.md", note],
      [PATH, "- 用户激励 = 商品发放\n"],
    ]);
    expect(match(tree, aQuery({ text: "用户激励改版" })).pattern.files).toHaveLength(1);
    const { groups } = parseGlossary(PATH, "user incentive = Campaign Reward = 商品发放\n");
    expect([...otherNames(groups, "new campaign rewards").keys()]).toEqual(["user incentive", "商品发放"]);
    expect([...otherNames(groups, "login").keys()]).toEqual([]);
  });
});
