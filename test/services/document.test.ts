import { describe, expect, it } from "vitest";
import { checkPointers } from "../../src/knowledge/index.js";
import {
  type CheckedProse,
  type ServiceFacts,
  commitIn,
  filesIn,
  noteIn,
  proseIn,
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
