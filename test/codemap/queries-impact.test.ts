import { describe, expect, it } from "vitest";
import { mermaidOf, svgOf } from "../../src/codemap/index.js";
import { readDiff } from "../../src/codemap/queries/diff-lines.js";
import { memoryMap } from "../support/memory-map.js";

const TREE = {
  "package.json": JSON.stringify({ name: "shop", exports: { ".": { import: "./dist/index.js" } } }),
  "src/index.ts": 'import { run } from "./run.js";\nexport { run };\n',
  "src/run.ts": 'import { write } from "./store.js";\nexport function run() {\n  write();\n}\n',
  "src/store.ts":
    "export function write() {\n  check();\n}\nfunction check() {\n  return 1;\n}\nexport function idle() {}\n",
  "src/top.ts": 'import { write } from "./store.js";\nwrite();\n',
  "src/side.ts": 'import "./store.js";\n',
  "test/run.test.ts": 'import { run } from "../src/run.js";\nrun();\n',
};
const map = await memoryMap(TREE);
const changed = (diff: string) => readDiff(diff).map(({ path, lines }) => ({ path, lines }));
const keysOf = (items: readonly { symbol: { key: string } }[]) => items.map(({ symbol }) => symbol.key);

describe("the impact", () => {
  it("of a symbol has what uses it, the files, the tests to run, and what people start with", () => {
    const { changed, symbols, files, tests, entryPoints } = map.impact("src/store.ts#check");
    expect(changed.map(({ key }) => key)).toEqual(["src/store.ts#check"]);
    expect(symbols.map(({ symbol, depth }) => [symbol.key, depth])).toEqual([
      ["src/store.ts#write", 1],
      ["src/run.ts#run", 2],
    ]);
    expect(files).toEqual(expect.arrayContaining(["src/run.ts", "src/store.ts", "src/top.ts"]));
    expect(files).not.toContain("src/side.ts");
    expect(tests).toEqual(["test/run.test.ts"]);
    expect(entryPoints).toEqual(["src/run.ts#run"]);
  });

  it("goes as far as is asked", () => {
    expect(keysOf(map.impact("src/store.ts#check", { depth: 1 }).symbols)).toEqual(["src/store.ts#write"]);
    expect(map.impact("src/store.ts#check", { limit: 1 })).toMatchObject({ truncated: 1 });
  });

  it("of a file has those that import it without a name, too", () => {
    expect(map.impact("src/store.ts").files).toContain("src/side.ts");
    expect(map.impact("src/store.ts").entryPoints).toContain("src/store.ts#idle");
  });

  it("of a method reaches who calls it through the interface", async () => {
    const keeper = await memoryMap({
      "a.ts": "export interface Keeper {\n  save(): void;\n}\n",
      "b.ts":
        'import type { Keeper } from "./a.js";\nexport class Store implements Keeper {\n  save(): void {}\n  load(): void {}\n}\n',
      "c.ts":
        'import type { Keeper } from "./a.js";\nexport function sell(keeper: Keeper) {\n  keeper.save();\n}\n',
    });
    expect(keysOf(keeper.impact("b.ts#Store.save").symbols)).toEqual(["c.ts#sell"]);
    expect(keysOf(keeper.impact("b.ts#Store.load").symbols)).toEqual([]);
  });

  it("of a diff begins with the innermost definitions whose lines change", () => {
    const diff = [
      "diff --git a/src/store.ts b/src/store.ts",
      "--- a/src/store.ts",
      "+++ b/src/store.ts",
      "@@ -4,3 +4,3 @@ function write",
      " function check() {",
      "-  return 2;",
      "+  return 1;",
      " }",
      "",
    ].join("\n");
    const { changed, tests } = map.impactOfDiff(diff);
    expect(changed.map(({ key }) => key)).toEqual(["src/store.ts#check"]);
    expect(tests).toEqual(["test/run.test.ts"]);
    expect(map.impactOfDiff("").files).toEqual([]);
  });
});

describe("a diff", () => {
  it("names new lines, and places where something was taken out", () => {
    const text = [
      "--- a/a.ts",
      "+++ b/a.ts",
      "@@ -1,4 +1,4 @@",
      " one",
      "-two",
      "+2",
      "+3",
      " four",
      "-five",
      "",
    ];
    expect(changed(text.join("\n"))).toEqual([{ path: "a.ts", lines: [2, 3, 4.5] }]);
  });

  it("counts from behind the line where a hunk leaves nothing", () => {
    expect(changed("--- a/a.ts\n+++ b/a.ts\n@@ -8,2 +7,0 @@\n-x\n-y\n")[0]?.lines).toEqual([7.5]);
  });

  it("takes text that looks like a head for text", () => {
    const text = "--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +1,2 @@\n--- b/no.ts\n+++ b/no.ts\n one\n";
    expect(changed(text)).toEqual([{ path: "a.ts", lines: [1] }]);
  });

  it("names deleted and renamed files, and paths beyond ASCII (CM-02)", () => {
    const gone = "--- a/gone.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n";
    const renamed = "rename from old.ts\nrename to new.ts\n";
    const quoted =
      '--- /dev/null\n+++ "b/\\350\\241\\250 \\"1\\".ts"\n@@ -0,0 +1 @@\n+x\n\\ No newline at end of file\n';
    expect(changed(gone + renamed + quoted)).toEqual([
      { path: "gone.ts", lines: [0.5] },
      { path: "new.ts", lines: [] },
      { path: '表 "1".ts', lines: [1] },
    ]);
  });
});

describe("a graph", () => {
  it("has who uses a file above it, and what it uses below", () => {
    const { nodes, edges } = map.graph("src/run.ts");
    expect(nodes.map(({ id, layer }) => [id, layer])).toEqual([
      ["src/run.ts", 0],
      ["src/index.ts", -1],
      ["test/run.test.ts", -1],
      ["src/store.ts", 1],
    ]);
    expect(edges).toContainEqual({ from: "src/run.ts", to: "src/store.ts" });
    expect(map.graph("src/run.ts", { limit: 2 })).toMatchObject({ truncated: 2 });
  });

  it("of a symbol has its users and what it uses", () => {
    expect(map.graph("src/store.ts#write").nodes.map(({ id, layer }) => [id, layer])).toEqual([
      ["src/store.ts#write", 0],
      ["src/run.ts#run", -1],
      ["src/store.ts#check", 1],
    ]);
  });

  it("is drawn without a label becoming markup", async () => {
    const path = 'a"<b>&]; click.ts';
    const hostile = await memoryMap({ [path]: "export const a = 1;\n" });
    const graph = hostile.graph(path);
    expect(mermaidOf(graph)).toContain('n0["a#34;#60;b#62;#38;#93;#59; click.ts"]:::asked');
    expect(svgOf(graph)).toContain('<text x="26" y="34">a&quot;&lt;b&gt;&amp;]; click.ts</text>');
    expect(svgOf(map.graph("src/run.ts"))).toMatch(/^<svg .*<\/svg>\n$/s);
    expect(svgOf(map.graph("src/run.ts")).match(/<line /g)).toHaveLength(3);
  });
});

describe("the impact of a diff that takes a definition away", () => {
  const diff = (path: string, line: string, to = `b/${path}`) =>
    `diff --git a/${path} b/${path}\n--- a/${path}\n+++ ${to}\n@@ -1,1 +0,0 @@\n-${line}\n`;

  it("names who still uses it, who uses those, and their tests", async () => {
    const gone = await memoryMap({
      "src/store.ts": "export function put() {}\n",
      "src/run.ts": 'import { write } from "./store.js";\nexport function run() {\n  write();\n}\n',
      "src/top.ts": 'import { run } from "./run.js";\nexport function go() {\n  run();\n}\n',
      "src/own.ts": "function write() {}\nexport const x = write();\n",
      "test/a.test.ts": 'import { write } from "../src/store.js";\nfunction tried() {\n  write();\n}\n',
    });
    const { removed, symbols, files, tests } = gone.impactOfDiff(
      diff("src/store.ts", "export function write() {"),
    );
    expect(removed).toEqual([
      {
        name: "write",
        path: "src/store.ts",
        users: [
          { path: "src/run.ts", line: 1, within: null },
          { path: "src/run.ts", line: 3, within: "src/run.ts#run" },
          { path: "test/a.test.ts", line: 1, within: null },
          { path: "test/a.test.ts", line: 3, within: "test/a.test.ts#tried" },
        ],
      },
    ]);
    expect(symbols.map(({ symbol, depth, through }) => [symbol.key, depth, through])).toEqual([
      ["src/run.ts#run", 1, "src/store.ts#write"],
      ["src/top.ts#go", 2, "src/run.ts#run"],
    ]);
    expect(files).toEqual(["src/run.ts", "src/store.ts", "src/top.ts"]);
    expect(tests).toEqual(["test/a.test.ts"]);
  });

  it("knows a file that is gone altogether, and says nothing of what nobody names", async () => {
    const gone = await memoryMap({
      "app/run.py": "from app.store import save\n\ndef run():\n    save()\n",
      "app/__init__.py": "",
    });
    const found = gone.impactOfDiff(diff("app/store.py", "def save():", "/dev/null"));
    expect(found.removed.map(({ users }) => users.map(({ line }) => line))).toEqual([[1, 4]]);
    expect(gone.impactOfDiff(diff("app/store.py", "def load():", "/dev/null")).removed).toEqual([]);
  });
});

it("methods of Go that stand apart from their type are not said to be unused", async () => {
  const go = await memoryMap({
    "go.mod": "module acme\n",
    "a.go": "package a\n\ntype Store struct{}\n\nfunc (s *Store) Save() {}\n\nfunc Idle() {}\n",
    "b.go": "package a\n\nfunc use(s *Store) {}\n",
  });
  expect(go.unused().items.map(({ qualified }) => qualified)).toEqual(["Idle"]);
});
