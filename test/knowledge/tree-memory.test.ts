import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Follow, type Tree, type TreeMemory, openTreeMemory } from "../../src/knowledge/index.js";
import { MemoryOptions, allowedEmbedder } from "../../src/memory/index.js";

const NOTE = (id: string, title: string, solution: string) =>
  `---\nid: ${id}\ntitle: ${title}\ntype: pattern\nstatus: active\ntrust: reviewed\n---\n\n## Problem\n\n${title}\n\n## Solution\n\n${solution}\n`;
const ONE: Tree = new Map([
  [
    "context/experience/a-EXP-AAAAAAAA.md",
    NOTE("EXP-AAAAAAAA", "Refund retries", "Refunds are retried in `src/refund.ts`."),
  ],
]);
const OTHER: Tree = new Map([
  [
    "context/experience/b-EXP-BBBBBBBB.md",
    NOTE("EXP-BBBBBBBB", "Refund queue", "The refund queue lies in `src/queue.ts`."),
  ],
  ["context/business/glossary.md", "- 退款 = refund\n"],
]);
const signal = new AbortController().signal;
const ids = async (tree: Tree, text: string) =>
  (await memory.recall(tree, { text }, signal)).map((found) => found.memory.id);

let folder: string;
let said: string[];
let memory: TreeMemory;
const open = (options: Record<string, unknown> = {}, follow?: Follow) =>
  openTreeMemory(
    {
      ...(follow && { follow }),
      env: {},
      now: () => 1_700_000_000_000,
      fetch: () => Promise.reject(new TypeError("nobody is there")),
      warn: (message) => void said.push(message),
    },
    { file: join(folder, "memory.db"), options: MemoryOptions.parse(options) },
    signal,
  );
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "accrue-tree-memory-"));
  said = [];
  memory = await open();
});
afterEach(() => {
  memory.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("the memory of a repository", () => {
  it("answers each branch from its own files, although both share one cache", async () => {
    expect(await ids(ONE, "refund")).toEqual(["EXP-AAAAAAAA"]);
    expect(await ids(OTHER, "refund")).toEqual(["EXP-BBBBBBBB"]);
    expect(await ids(ONE, "refund")).toEqual(["EXP-AAAAAAAA"]);
  });

  it("finds what is known of a file and a definition under the names that they have now", async () => {
    const asked: unknown[] = [];
    const tree: Tree = new Map([
      ...ONE,
      ["context/experience/c-EXP-CCCCCCCC.md", NOTE("EXP-CCCCCCCC", "Sending", "`sendRefund()` locks.")],
    ]);
    memory.close();
    memory = await open({}, async (names) => {
      asked.push(names);
      return {
        files: new Map([["src/refund.ts", "src/money/back.ts"]]),
        symbols: new Map([["sendRefund", "src/money/back.ts#giveBack"]]),
      };
    });
    const found = async (query: { files?: string[]; symbols?: string[] }) =>
      (await memory.recall(tree, { text: "zebra", sure: true, ...query }, signal)).map(
        (one) => one.memory.id,
      );
    expect(await found({ files: ["src/money/back.ts"] })).toEqual(["EXP-AAAAAAAA"]);
    expect(await found({ symbols: ["src/money/back.ts#giveBack"] })).toEqual(["EXP-CCCCCCCC"]);
    expect(await found({ files: ["src/queue.ts"] })).toEqual([]);
    const history = await memory.ofSymbol(tree, "src/money/back.ts#giveBack", signal);
    expect(history.map((one) => one.memory.id)).toEqual(["EXP-CCCCCCCC"]);
    expect(asked).toEqual([{ files: ["src/refund.ts"], symbols: ["sendRefund"] }]);
  });

  it("widens a question by the glossary of the branch that asks", async () => {
    expect(await ids(OTHER, "退款")).toEqual(["EXP-BBBBBBBB"]);
  });

  it("decides about a new memory beside those of the branch", async () => {
    const [known] = await memory.recall(ONE, { text: "refund" }, signal);
    if (!known) throw new Error("nothing was found");
    const again = { ...known.memory, id: "EXP-CCCCCCCC" };
    expect(await memory.judge(ONE, again, signal)).toMatchObject({
      action: "touched",
      target: "EXP-AAAAAAAA",
    });
    expect(await memory.judge(OTHER, again, signal)).toMatchObject({ action: "created" });
  });

  it("is searched by the table that ships, and says so, where an embedding server does not answer", async () => {
    memory.close();
    memory = await open({ embedder: { url: "https://vectors.example/v1", model: "m", key: "" } });
    expect(said.join("\n")).toContain("Memories are compared by the table that ships");
    expect(await ids(ONE, "refund")).toEqual(["EXP-AAAAAAAA"]);
  });
});

describe("an embedding server that a repository names", () => {
  const wanted = { url: "https://vectors.example/v1", model: "m", key: "PRIVATE_KEY" };
  it("is used with the operator's key where the operator names it too, and not otherwise", () => {
    const operators = { ...wanted, key: "VECTORS_KEY" };
    expect(allowedEmbedder(wanted, [operators])).toEqual(operators);
    expect(allowedEmbedder(wanted, [])).toBeNull();
    expect(allowedEmbedder(wanted, [{ ...operators, url: "https://elsewhere.example/v1" }])).toBeNull();
    expect(allowedEmbedder("hash", [])).toBe("hash");
  });
});
