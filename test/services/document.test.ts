import { describe, expect, it } from "vitest";
import {
  checkKnowledge,
  checkPointers,
  fold,
  formatRule,
  match,
  parseRules,
} from "../../src/knowledge/index.js";
import {
  type CheckedProse,
  type ServiceFacts,
  checkProse,
  commitIn,
  filesIn,
  noteIn,
  proseIn,
  serviceRules,
  writeDocument,
} from "../../src/services/index.js";
import { estimateTokens } from "../../src/shared/index.js";

const SOURCE = { service: "goods-service", repository: "acme/goods-service", commit: "a".repeat(40) };
const NOTE = "EXP-7K3M2P9Q";
const FACTS: ServiceFacts = {
  names: ["goods", "商品服务"],
  owners: ["@acme/goods"],
  sections: {
    position: [{ text: "Issues goods", pointer: "README.md:3" }],
    duties: [],
    stack: [{ text: "Framework: express", pointer: "package.json:4" }],
    dependencies: [],
    interfaces: [{ text: "GET /goods", pointer: "src/app.ts:3" }],
    data: [],
    modules: [],
    configuration: [{ text: "PORT", pointer: ".env.example:1" }],
    pitfalls: [],
  },
};
const PROSE: CheckedProse = {
  position: [{ text: "Hands out goods that users won.", pointers: ["src/issue.ts#issue", "README.md:3"] }],
  duties: [{ text: "Checks the stock first.", pointers: ["src/stock.ts:12"] }],
  pitfalls: [],
};
const write = (before: string | undefined, change: Partial<Parameters<typeof writeDocument>[1]> = {}) =>
  writeDocument(before, {
    source: SOURCE,
    facts: FACTS,
    prose: null,
    language: "en",
    day: "2026-11-29",
    note: NOTE,
    ...change,
  });
const PATH = "context/tech/services/goods-service.md";

describe("a service's document", () => {
  it("has a head, the sections that something is known for, and a place for people", () => {
    const { text, isChanged, pointers } = write(undefined);
    expect(isChanged).toBe(true);
    expect(text.replaceAll(/ [0-9a-f]{8} -->/g, " HASH -->")).toMatchInlineSnapshot(`
      "---
      service: "goods-service"
      repo: "acme/goods-service"
      commit: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
      generated: 2026-11-29
      owners: ["@acme/goods"]
      ---

      # goods-service

      ## Names

      <!-- generated:start names HASH -->
      goods-service, goods, 商品服务

      - source: EXP-7K3M2P9Q, acme/goods-service
      <!-- generated:end -->

      ## Position

      <!-- generated:start position HASH -->
      - Issues goods · \`README.md:3\`
      <!-- generated:end -->

      ## Stack

      <!-- generated:start stack HASH -->
      - Framework: express · \`package.json:4\`
      <!-- generated:end -->

      ## APIs

      <!-- generated:start interfaces HASH -->
      - GET /goods · \`src/app.ts:3\`
      <!-- generated:end -->

      ## Config

      <!-- generated:start configuration HASH -->
      - PORT · \`.env.example:1\`
      <!-- generated:end -->

      <!-- human:start -->
      <!-- human:end -->
      "
    `);
    expect(pointers).toEqual(["README.md:3", "package.json:4", "src/app.ts:3", ".env.example:1"]);
    expect([commitIn(text), noteIn(text)]).toEqual([SOURCE.commit, NOTE]);
  });

  it("is in the language of the repository", () => {
    const { text } = write(undefined, { language: "zh" });
    expect(text.match(/^## .*/gm)).toEqual(["## 名称", "## 定位", "## 技术栈", "## 接口", "## 配置"]);
  });

  it("tells in sentences what it is for where there are some, and gives them back", () => {
    const { text } = write(undefined, { prose: PROSE });
    expect(text).toContain("- Hands out goods that users won. · `src/issue.ts#issue`, `README.md:3`");
    expect(text).not.toContain("Issues goods");
    expect(text.match(/^## .*/gm)).toEqual([
      "## Names",
      "## Position",
      "## Duties",
      "## Stack",
      "## APIs",
      "## Config",
    ]);
    expect(proseIn(text)).toEqual(PROSE);
    expect(filesIn(text)).toContain("src/stock.ts");
    expect(proseIn(write(undefined).text)).toBeNull();
  });

  it("is not written again where only the commit and the day moved", () => {
    const { text } = write(undefined, { prose: PROSE });
    const later = { source: { ...SOURCE, commit: "b".repeat(40) }, day: "2026-12-24", prose: PROSE };
    expect(write(text, later)).toMatchObject({ isChanged: false, text });
    const facts = { ...FACTS, owners: ["@acme/new"] };
    expect(write(text, { ...later, facts })).toMatchObject({ isChanged: true });
  });

  it("keeps what people wrote around, between and inside of its parts, and their keys of the head", () => {
    const { text } = write(undefined);
    const mine = text
      .replace("owners:", "reviewed: by me\nowners:")
      .replace("# goods-service\n", "# goods-service\n\nAsk Maya first.\n")
      .replace("## Stack\n", "## Stack\n\nNever upgrade express alone.\n")
      .replace("## Config", "## On call\n\nThe night shift.\n\n## Config")
      .replace("- GET /goods", "<!-- human:start -->\nslow on Mondays\n<!-- human:end -->\n- GET /goods")
      .replace(
        "<!-- human:start -->\n<!-- human:end -->\n",
        "<!-- human:start -->\nours\n<!-- human:end -->\n",
      );
    const facts = {
      ...FACTS,
      sections: {
        ...FACTS.sections,
        interfaces: [{ text: "GET /gifts", pointer: "src/app.ts:5" }],
        data: [{ text: "table goods", pointer: "a.sql:1" }],
        configuration: [],
      },
    };
    const { text: after, edited } = write(mine, { facts });
    expect(edited).toEqual([]);
    for (const said of [
      "reviewed: by me",
      "Ask Maya first.",
      "Never upgrade express alone.",
      "The night shift.",
      "slow on Mondays",
      "ours",
      "GET /gifts",
      "table goods",
    ])
      expect(after).toContain(said);
    expect(after).not.toContain("GET /goods");
    expect(after).not.toContain("## Config");
    expect(after.indexOf("## APIs")).toBeLessThan(after.indexOf("## Data model"));
    expect(write(after, { facts })).toMatchObject({ isChanged: false });
  });

  it("leaves a part alone that a person has changed, and says which", () => {
    const mine = write(undefined).text.replace("- GET /goods ·", "- GET /goods (deprecated) ·");
    const facts = { ...FACTS, sections: { ...FACTS.sections, interfaces: [], stack: [] } };
    const { text, edited } = write(mine, { facts });
    expect(edited).toEqual(["APIs"]);
    expect(text).toContain("GET /goods (deprecated)");
    expect(text).not.toContain("express");
  });

  it("adds to a document that people began", () => {
    const { text } = write("# goods-service\n\nOld words.\n\n## 技术栈\n\nJava.\n\n## Later\n\nx\n", {
      language: "zh",
    });
    expect(text).toMatch(/^---\nservice: "goods-service"\n/);
    expect(text.match(/^#.*/gm)).toEqual([
      "# goods-service",
      "## 名称",
      "## 定位",
      "## 技术栈",
      "## 接口",
      "## 配置",
      "## Later",
    ]);
    expect(text).toMatch(/## 技术栈\n\nJava\.\n\n<!-- generated:start stack/);
    expect(text).toContain("Old words.");
  });

  it("stays below 3,000 tokens, and says how much is left out and from where on", () => {
    const many = Array.from({ length: 500 }, (_, index) => ({
      text: `GET /a/long/path/${index}`,
      pointer: `src/app.ts:${index + 1}`,
    }));
    const facts = {
      ...FACTS,
      sections: { ...FACTS.sections, interfaces: many, data: many, configuration: many, pitfalls: many },
    };
    const { text } = write(undefined, { facts });
    expect(estimateTokens(text)).toBeLessThanOrEqual(3000);
    expect(text).toMatch(/- … and \d+ more · `src\/app\.ts:\d+`/);
  });

  it("is no document with stale pointers: they count from the service", () => {
    const tree = new Map([[PATH, write(undefined).text]]);
    expect(checkPointers(tree, new Set(["src/other.ts", "README.md"]))).toEqual([]);
  });
});

describe("words of a model", () => {
  const text = new Map([["src/a.ts", "export function issue() {}\n"]]);
  const check = (position: { text: string; pointers: string[] }[]) =>
    checkProse({ position, duties: [], pitfalls: [] }, (path) => text.get(path));

  it("lose pointers that lead nowhere, and lines without one", () => {
    const { prose, dropped } = check([
      { text: "Issues goods.", pointers: ["`src/a.ts#issue`", "src/a.ts:9", "src/b.ts"] },
      { text: "Flies.", pointers: ["src/a.ts#fly"] },
    ]);
    expect(prose?.position).toEqual([{ text: "Issues goods.", pointers: ["src/a.ts#issue"] }]);
    expect(dropped).toEqual(["src/a.ts:9", "src/b.ts", "src/a.ts#fly"]);
  });

  it.each([
    "It has ```ts\nissue()\n``` in it.",
    "Goods are { id: number; owner: string }.",
    "Call issue(user: string, amount: number) for it.",
    "func issue(ctx context.Context) is where it begins",
    "Its table is goods (id int, owner int).",
    "It does goods.map((one) => one.id) first.",
  ])("are refused as a whole where code was copied: %s", (copied) => {
    const pointers = ["src/a.ts#issue"];
    expect(
      check([
        { text: "Issues goods.", pointers },
        { text: copied, pointers },
      ]).prose,
    ).toBeNull();
  });

  it.each([
    "Issues goods (see the README), then tells the wallet.",
    "Answers `GET /goods/{id}` and keeps the stock; nothing else.",
    "发放商品，并维护库存。",
  ])("may speak of code: %s", (said) => {
    expect(check([{ text: said, pointers: ["src/a.ts#issue"] }]).prose?.position).toHaveLength(1);
  });
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
  const document = write(undefined).text;
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
    const tree = new Map([[PATH, write(undefined, { facts }).text]]);
    const index = fold(tree, { completed: [], now: "2026-11-29T00:00:00Z", language: "en" }).writes.get(
      "context/INDEX.md",
    );
    expect(index).toContain(
      "- goods-service · `tech/services/goods-service.md`\n  - Line one\n  - Line two\n  - Line three\n",
    );
    expect(index).not.toContain("Line four");
  });
});
