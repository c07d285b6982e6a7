import { describe, expect, it } from "vitest";
import { checkKnowledge, fold, formatRule, match, parseRules } from "../../src/knowledge/index.js";
import { type ServiceFacts, serviceRules, writeDocument } from "../../src/services/index.js";

const NOTE = "EXP-7K3M2P9Q";
const PATH = "context/tech/services/goods-service.md";
const FACTS: ServiceFacts = {
  names: ["goods", "商品服务"],
  owners: [],
  sections: {
    position: [{ text: "Issues goods", pointer: "README.md:3" }],
    duties: [],
    stack: [],
    dependencies: [],
    interfaces: [],
    data: [],
    modules: [],
    configuration: [],
    pitfalls: [],
  },
};
const write = (facts: ServiceFacts) =>
  writeDocument(undefined, {
    source: { service: "goods-service", repository: "acme/goods-service", commit: "a".repeat(40) },
    facts,
    prose: null,
    language: "en",
    day: "2026-11-29",
    note: NOTE,
  });

describe("the rules of a service", () => {
  let next = 0;
  const said = {
    id: "01J".padEnd(26, "0"),
    run: "r",
    by: "maya",
    source: "https://x/1",
    at: "2026-11-29T10:00:00Z",
  };
  const input = {
    service: "goods-service",
    names: FACTS.names,
    paths: ["services/goods/**"],
    summary: ["Issues goods"],
    language: "en" as const,
    said,
    note: NOTE,
    newRuleId: () => `R-00000${next++}`,
  };
  const query = (text: string, paths: string[] = []) => ({
    text,
    paths,
    labels: [],
    symbols: [],
    phase: null,
  });
  const document = write(FACTS).text;
  const made = serviceRules(new Map(), input);
  const pending = new Map([
    [PATH, document],
    [made?.path ?? "", made?.text ?? ""],
  ]);

  it.each([
    ["its name", query("change the goods-service")],
    ["its name in other words", query("the goods service is slow")],
    ["another name", query("给商品服务加一个接口")],
    ["a path", query("x", ["services/goods/src/a.ts"])],
  ])("bring its document up by %s, before and after the fold", (_, asked) => {
    const folded = new Map(pending);
    for (const [path, text] of fold(pending, { completed: [], now: said.at, language: "en" }).writes)
      if (text === null) folded.delete(path);
      else folded.set(path, text);
    expect([...folded.keys()].some((path) => path.startsWith("context/deposits/"))).toBe(false);
    expect(folded.get(PATH)).toBe(document);
    for (const tree of [pending, folded]) {
      const { context, service } = match(tree, asked);
      expect(context.files.map(({ path }) => path)).toEqual([PATH]);
      expect(service.suggestions.map(({ service: name }) => name)).toEqual(["goods-service"]);
    }
    expect(match(folded, query("something else")).context.files).toEqual([]);
  });

  it("are shown as the deposit where the document is not merged yet", () => {
    const only = new Map([[made?.path ?? "", made?.text ?? ""]]);
    const [file] = match(only, query("goods-service")).context.files;
    expect(file).toMatchObject({ path: made?.path, pending: true });
    expect(made?.text).toContain("Issues goods");
  });

  it("are proposed once: the second time only for names and paths that are new, also where a person retired one", () => {
    expect(serviceRules(pending, input)).toBeNull();
    const more = serviceRules(pending, {
      ...input,
      names: [...input.names, "gift shop"],
      said: { ...said, id: "01K".padEnd(26, "0") },
    });
    expect(more?.rules).toHaveLength(2);
    expect(more?.text).toContain("- keywords: gift shop");
    const retired = parseRules(
      "",
      "## R-AAAAAA x\n\n- status: retired\n- keywords: goods-service, goods service, goods, 商品服务\n- paths: `services/goods/**`\n- suggest: goods-service\n",
      "service",
    ).rules.map(formatRule);
    const tree = new Map([["context/rules/service-rules.md", retired.join("\n")]]);
    expect(serviceRules(tree, input)?.rules).toHaveLength(1);
  });

  it("are sound, and name no word that stands in any text", () => {
    expect(checkKnowledge(pending)).toEqual([]);
    expect(serviceRules(new Map(), { ...input, names: ["API", "web"] })?.text).not.toMatch(/API|web/);
  });
});

describe("the index of knowledge", () => {
  it("says in three lines what a service is", () => {
    const position = ["one", "two", "three", "four"].map((text) => ({
      text: `Line ${text}`,
      pointer: "README.md:1",
    }));
    const facts = { ...FACTS, sections: { ...FACTS.sections, position } };
    const tree = new Map([[PATH, write(facts).text]]);
    const index = fold(tree, { completed: [], now: "2026-11-29T00:00:00Z", language: "en" }).writes.get(
      "context/INDEX.md",
    );
    expect(index).toContain(
      "- goods-service · `tech/services/goods-service.md`\n  - Line one\n  - Line two\n  - Line three\n",
    );
    expect(index).not.toContain("Line four");
  });
});
