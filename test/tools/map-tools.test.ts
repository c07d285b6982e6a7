import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createRegistry, mapTools } from "../../src/tools/index.js";
import { openLocalWorkspace } from "../support/local-workspace.js";
import { memoryMap } from "../support/memory-map.js";

const NEVER = new AbortController().signal;
const registry = createRegistry(mapTools());
let workspace: Awaited<ReturnType<typeof openLocalWorkspace>>;
beforeEach(async () => {
  workspace = await openLocalWorkspace();
});
afterEach(() => workspace.close());

const TREE: Record<string, string> = {
  "src/store.ts": "export class Store {\n  save() {}\n}\nexport function write() {}\n",
  "src/shop.ts": 'import { write } from "./store.js";\nexport function sell() {\n  write();\n}\n',
  "test/shop.test.ts": 'import { sell } from "../src/shop.js";\nsell();\n',
};
for (let at = 0; at < 120; at++)
  TREE[`src/many/m${at}.ts`] = 'import { write } from "../store.js";\nwrite();\n';
const map = await memoryMap(TREE, { "src/store.ts": "syntax error at line 9" });
let opened = 0;

async function use(name: string, input: Record<string, unknown>, hasMap = true) {
  const context = {
    ...workspace.context,
    history: (key: string) => Promise.resolve(key.endsWith("#sell") ? [`[EXP-1] about ${key}`] : []),
    map: hasMap ? () => Promise.resolve((opened++, map)) : null,
  };
  const [result] = await registry.execute([{ id: "t", name, input, problem: null }], context, NEVER);
  return { text: result?.content ?? "", refused: result?.is_error === true };
}

describe("find_symbol", () => {
  it("gives path, lines and signature, and says what was read in part only", async () => {
    const warning = "⚠ src/store.ts was read in part only: syntax error at line 9";
    expect((await use("find_symbol", { name: "write" })).text).toBe(
      `src/store.ts:4 function write()\n${warning}`,
    );
    expect((await use("find_symbol", { name: "Store.save" })).text).toContain(
      "src/store.ts:2 method Store.save  save()",
    );
  });

  it("lists what a file or folder defines", async () => {
    expect((await use("find_symbol", { name: "src/shop.ts" })).text).toBe("src/shop.ts:2-4 function sell()");
    expect((await use("find_symbol", { name: "src/" })).text).toContain("src/shop.ts:2-4 function sell()");
  });

  it("says so when nothing is called that", async () => {
    expect((await use("find_symbol", { name: "zebra" })).text).toBe(
      "(nothing is called zebra; search finds text)",
    );
  });
});

describe("find_references", () => {
  it("gives the uses, and how many more there are, within 100 lines", async () => {
    const { text } = await use("find_references", { symbol: "write", limit: 80 });
    expect(text).toContain("src/many/m0.ts:2 call");
    expect(text).toContain("(162 more: raise limit, or name a kind, file or folder)");
    expect(text.split("\n").length).toBeLessThan(100);
  });

  it("follows further with a depth, and names the tests to run", async () => {
    const { text } = await use("find_references", { symbol: "src/store.ts#write", depth: 2 });
    expect(text).toContain("src/shop.ts:2-4 function sell()");
    expect(text).toContain("tests: test/shop.test.ts");
    expect((await use("find_references", { symbol: "src/shop.ts" })).text).toContain(
      "tests: test/shop.test.ts",
    );
  });

  it("tells what is known about the definition from earlier work", async () => {
    const { text } = await use("find_references", { symbol: "sell" });
    expect(text).toMatch(/\nknown from earlier work:\n\[EXP-1\] about src\/shop\.ts#sell$/);
    expect((await use("find_references", { symbol: "write" })).text).not.toContain("known from");
  });

  it("tells which names are near", async () => {
    const { text, refused } = await use("find_references", { symbol: "src/store.ts#wrtie" });
    expect(refused).toBe(true);
    expect(text).toContain("Did you mean src/store.ts#write?");
  });
});

it("each call asks for the map as it is now; without one it names search", async () => {
  const before = opened;
  await use("find_symbol", { name: "write" });
  await use("find_symbol", { name: "write" });
  expect(opened - before).toBe(2);
  expect(await use("find_symbol", { name: "write" }, false)).toEqual({
    text: expect.stringContaining("There is no code map of this workspace. Use search instead."),
    refused: true,
  });
});
