import { describe, expect, it } from "vitest";
import { memoryMap } from "../support/memory-map.js";

const SHOP = {
  "package.json": JSON.stringify({ name: "shop", main: "dist/index.js" }),
  "src/index.ts": 'export { sell } from "./shop.js";\nexport * from "./public/index.js";\n',
  "src/public/index.ts": "export function openShop() {}\n",
  "src/store.ts": [
    "export interface Keeper {",
    "  save(id: string): void;",
    "}",
    "/** Keeps orders. */",
    "export class Store implements Keeper {",
    "  save(id: string): void {",
    "    write(id);",
    "  }",
    "}",
    "export function write(id: string): void {",
    "  void id;",
    "}",
    "export function writeAll(): void {}",
  ].join("\n"),
  "src/shop.ts": [
    'import type { Keeper } from "./store.js";',
    'import { write } from "./store.js";',
    "export function sell(keeper: Keeper): void {",
    "  keeper.save('1');",
    "}",
    "export function note(): void {",
    "  write('2');",
    "}",
  ].join("\n"),
  "src/alone.ts": "export function getUserName() {}\nfunction hidden() {}\nhidden();\n",
  "src/extra/save.ts": "export function save() {}\nexport const saveAll = () => save();\n",
  "test/shop.test.ts":
    'import { note } from "../src/shop.js";\nfunction writeTest() { note(); }\nwriteTest();\n',
};
const map = await memoryMap(SHOP);
const keys = (items: readonly { key: string }[]) => items.map(({ key }) => key);

describe("finding a definition", () => {
  it("puts the exact name first, then names that begin so; tests last", () => {
    expect(keys(map.find("write").items)).toEqual([
      "src/store.ts#write",
      "src/store.ts#writeAll",
      "test/shop.test.ts#writeTest",
    ]);
  });

  it("finds a word within a name, whatever its case", () => {
    expect(keys(map.find("username").items)).toEqual(["src/alone.ts#getUserName"]);
    expect(keys(map.find("user").items)).toEqual(["src/alone.ts#getUserName"]);
  });

  it("finds a name that is misspelt, and nothing for one that is like no other", () => {
    expect(keys(map.find("wirteAll").items)).toEqual(["src/store.ts#writeAll"]);
    expect(map.find("zebra")).toEqual({ items: [], truncated: 0, warnings: [] });
    expect(map.find("  ").items).toEqual([]);
  });

  it("takes what a name stands in, and a kind", () => {
    expect(keys(map.find("Store.save").items)).toEqual(["src/store.ts#Store.save"]);
    expect(keys(map.find("save", { kind: "function" }).items)).toEqual([
      "src/extra/save.ts#save",
      "src/extra/save.ts#saveAll",
    ]);
  });

  it("counts what a limit cuts off", () => {
    expect(map.find("save", { limit: 1 })).toMatchObject({ items: [{ name: "save" }], truncated: 3 });
  });
});

describe("a key", () => {
  it("stands for one definition, with the path or without when there is only one", () => {
    expect(map.symbol("src/store.ts#Store.save").line).toBe(6);
    expect(map.symbol("./src/store.ts#writeAll").key).toBe("src/store.ts#writeAll");
    expect(map.symbol("getUserName").key).toBe("src/alone.ts#getUserName");
    expect(map.symbol("Store.save").key).toBe("src/store.ts#Store.save");
  });

  it.each([
    [
      "a name that several have",
      "save",
      /save stands for 3 definitions\. Name one: .*src\/store\.ts#Keeper\.save/,
    ],
    ["a name that several of the file have", "src/store.ts#save", /stands for 2 definitions/],
    ["a misspelt name", "src/store.ts#wrtie", /Did you mean src\/store\.ts#write\?/],
    ["a name of no file", "getUserNmae", /Did you mean getUserName\?/],
    [
      "a file in another folder",
      "store.ts#write",
      /There is no file store\.ts\. Did you mean src\/store\.ts\?/,
    ],
    ["a file that is not mapped", "package.json#name", /package\.json is not in the code map/],
  ])("says which are near: %s", (_, key, message) => {
    expect(() => map.symbol(key)).toThrow(expect.objectContaining({ code: "INPUT_INVALID" }));
    expect(() => map.symbol(key)).toThrow(message);
  });

  it("tells definitions of one name apart by their order (CM-16)", async () => {
    const twice = await memoryMap({
      "a.js": "class A { a() {} }\nclass B {}\nB.x = class { a() {} };\nfunction f() {}\nfunction f() {}\n",
    });
    expect(twice.symbol("a.js#f").line).toBe(4);
    expect(twice.symbol("a.js#f~2").line).toBe(5);
  });
});

describe("a definition's text", () => {
  it("is its lines, with where they are", async () => {
    expect(await map.definition("src/store.ts#Store.save")).toMatchObject({
      lines: [6, 8],
      text: "  save(id: string): void {\n    write(id);\n  }",
    });
  });
});

describe("uses", () => {
  it("of a definition are in the files that import it, tests last", () => {
    const { items } = map.references("src/store.ts#write");
    expect(items.map(({ path, line, within }) => [path, line, within])).toEqual([
      ["src/shop.ts", 2, null],
      ["src/shop.ts", 7, "src/shop.ts#note"],
      ["src/store.ts", 7, "src/store.ts#Store.save"],
    ]);
    expect(map.references("write", { limit: 1 }).truncated).toBe(2);
  });

  it("over several steps say through what", () => {
    const { items } = map.callers("write", { depth: 2 });
    expect(items.map(({ symbol, depth, through }) => [symbol.key, depth, through])).toEqual([
      ["src/shop.ts#note", 1, "src/store.ts#write"],
      ["src/store.ts#Store.save", 1, "src/store.ts#write"],
      ["test/shop.test.ts#writeTest", 2, "src/shop.ts#note"],
      ["src/shop.ts#sell", 2, "src/store.ts#Store.save"],
    ]);
    expect(keys(map.callers("write").items.map(({ symbol }) => symbol))).toHaveLength(2);
  });

  it("of an interface include what implements it", () => {
    expect(keys(map.implementers("Keeper").items)).toEqual(["src/store.ts#Store"]);
  });

  it("tell what somebody else knows about the definition", async () => {
    const found = await map.lookup("write", ({ key }) => Promise.resolve([`note about ${key}`]));
    expect(found).toMatchObject({
      symbol: { key: "src/store.ts#write" },
      knowledge: ["note about src/store.ts#write"],
    });
    expect((await map.lookup("write")).knowledge).toBeNull();
  });
});

describe("an outline", () => {
  it("of a file has all its definitions, of a folder those that it gives out", () => {
    expect(keys(map.outline("src/alone.ts").items)).toEqual([
      "src/alone.ts#getUserName",
      "src/alone.ts#hidden",
    ]);
    expect(keys(map.outline("src/extra/").items)).toEqual([
      "src/extra/save.ts#save",
      "src/extra/save.ts#saveAll",
    ]);
    expect(keys(map.outline(".").items)).not.toContain("test/shop.test.ts#writeTest");
  });
});

describe("unused exports", () => {
  it("are those that no other file uses and no package gives out", () => {
    expect(keys(map.unused().items)).toEqual([
      "src/alone.ts#getUserName",
      "src/extra/save.ts#save",
      "src/extra/save.ts#saveAll",
      "src/store.ts#Store",
      "src/store.ts#writeAll",
    ]);
  });
});

describe("an overview", () => {
  it("keeps its budget, shows what is used most, and is the same every time", async () => {
    const text = map.overview(200);
    expect(text).toContain("src/store.ts\n");
    expect(text).toContain("10 function write(id: string): void  (used by 1)");
    expect(text.length / 4).toBeLessThan(230);
    expect((await memoryMap(SHOP)).overview(200)).toBe(text);
    expect(map.overview(60).length).toBeLessThan(text.length);
  });
});

it("a file that was read in part is told of in every answer that speaks of it", async () => {
  const broken = await memoryMap(SHOP, { "src/store.ts": "syntax error at line 3" });
  const warning = [{ path: "src/store.ts", reason: "syntax error at line 3" }];
  expect(broken.find("write").warnings).toEqual(warning);
  expect(broken.references("write").warnings).toEqual(warning);
  expect(broken.callers("write").warnings).toEqual(warning);
  expect(broken.outline("src/store.ts").warnings).toEqual(warning);
  expect(broken.impact("note").warnings).toEqual([]);
  expect(broken.impact("write").warnings).toEqual(warning);
  expect(broken.graph("src/shop.ts").warnings).toEqual(warning);
  expect((await broken.definition("write")).warnings).toEqual(warning);
});

it("a part of more than 2,000 names says that there may be more than it counted", async () => {
  const many = Array.from({ length: 2_100 }, (_, at) => `function part${at}() {}`).join("\n");
  const { truncated, isOpen } = (await memoryMap({ "a.js": many })).find("part", { limit: 5 });
  expect([truncated, isOpen]).toEqual([1_995, true]);
  expect(map.find("write").isOpen).toBeUndefined();
});
