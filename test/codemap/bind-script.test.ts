import { describe, expect, test } from "vitest";
import { boundNames } from "../support/bound-names.js";

describe("modules of JavaScript and TypeScript", () => {
  test("CM-13 a local function comes before one of the same name elsewhere", async () => {
    const names = await boundNames({
      "a.ts": "export function run() {}\n",
      "b.ts": 'import { run as go } from "./a.js";\nfunction run() {}\nrun();\ngo();\n',
    });
    expect(names.at("b.ts", "run", 3)).toBe("b.ts#run certain");
    expect(names.at("b.ts", "go", 4)).toBe("a.ts#run certain");
  });

  test("CM-15 a text's join is never the project's join", async () => {
    const names = await boundNames({
      "a.ts": "export class Path { join() {} }\nexport function join() {}\n",
      "b.ts": 'import { join } from "./a.js";\n", ".join();\n["a"].join();\njoin();\n',
    });
    expect([1, 2, 3, 4].map((nth) => names.at("b.ts", "join", nth))).toEqual([
      "a.ts#join certain",
      "",
      "",
      "a.ts#join certain",
    ]);
  });

  test("CM-19 a builtin's name is dropped only when the receiver is unknown", async () => {
    const names = await boundNames({
      "a.ts":
        "export class Door {\n  open() {}\n  enter(x) {\n    this.open();\n    x.open();\n    x.enter();\n  }\n}\n",
    });
    expect(names.at("a.ts", "open", 4)).toBe("a.ts#Door.open certain");
    expect(names.at("a.ts", "open", 5)).toBe("");
    expect(names.at("a.ts", "enter", 6)).toBe("a.ts#Door.enter guess");
  });

  test("names pass through barrels, aliases and cycles of re-exports", async () => {
    const names = await boundNames({
      "lib/a.ts": "export function one() {}\nexport const two = 2;\n",
      "lib/b.ts": 'export { one as uno } from "./a.js";\nexport * from "./c.js";\n',
      "lib/c.ts": 'export * from "./b.js";\nexport * from "./a.js";\n',
      "lib/index.ts": 'export * from "./b.js";\n',
      "main.ts":
        'import { uno, two, three } from "./lib";\nimport * as all from "./lib/index.js";\nuno(two, three);\nall.one();\nall.gone();\n',
    });
    expect(names.at("main.ts", "uno", 3)).toBe("lib/a.ts#one certain");
    expect(names.at("main.ts", "two", 3)).toBe("lib/a.ts#two certain");
    expect(names.at("main.ts", "three", 3)).toBe("");
    expect(names.at("main.ts", "one", 4)).toBe("lib/a.ts#one certain");
    expect(names.at("main.ts", "gone", 5)).toBe("");
    expect(names.imports("main.ts")).toEqual(["lib/index.ts"]);
    expect(names.importers("lib/b.ts")).toEqual(["lib/c.ts", "lib/index.ts"]);
  });
});

describe("where specifiers lead", () => {
  test("tsconfig's paths are followed through extends, with comments and trailing commas", async () => {
    const names = await boundNames({
      "tsconfig.base.json":
        '{ // shared\n "compilerOptions": { "baseUrl": ".", "paths": { "@app/*": ["src/app/*",], "only": ["src/only.ts"] } } }',
      "web/tsconfig.json": '{ "extends": "../tsconfig.base.json" }',
      "src/app/run.ts": "export function run() {}\n",
      "src/only.ts": "export const only = 1;\n",
      "web/main.ts":
        'import { run } from "@app/run";\nimport { only } from "only";\nimport { run as no } from "@app2/run";\nrun(only, no);\n',
    });
    expect(names.imports("web/main.ts")).toEqual(["src/app/run.ts", "src/only.ts"]);
    expect(names.at("web/main.ts", "run", 4)).toBe("src/app/run.ts#run certain");
    expect(names.at("web/main.ts", "no", 4)).toBe("");
  });

  test("a workspace's package is found by its name, and what is built by what it is built from", async () => {
    const names = await boundNames({
      "packages/kit/package.json":
        '{ "name": "@acme/kit", "exports": { ".": { "import": "./dist/index.js" }, "./deep/*": "./dist/deep/*.js" } }',
      "packages/kit/src/index.ts": "export class Kit {}\n",
      "packages/kit/src/deep/one.ts": "export const one = 1;\n",
      "packages/app/package.json": '{ "name": "app" }',
      "packages/app/main.ts":
        'import { Kit } from "@acme/kit";\nimport { one } from "@acme/kit/deep/one";\nimport { Kit as Other } from "@acme/other";\nnew Kit(one, Other);\n',
    });
    expect(names.at("packages/app/main.ts", "Kit", 4)).toBe("packages/kit/src/index.ts#Kit certain");
    expect(names.at("packages/app/main.ts", "one", 4)).toBe("packages/kit/src/deep/one.ts#one certain");
    expect(names.at("packages/app/main.ts", "Other", 4)).toBe("");
  });

  test("a file is preferred to a folder, TypeScript stands for its .js, and JSON is no code", async () => {
    const names = await boundNames({
      "store.ts": "export const a = 1;\n",
      "store/index.ts": "export const a = 2;\n",
      "view.tsx": "export const b = 1;\n",
      "data.json": "{}",
      "main.ts":
        'import { a } from "./store";\nimport { b } from "./view.jsx";\nimport c from "./data.json";\na + b + c;\n',
    });
    expect(names.imports("main.ts")).toEqual(["store.ts", "view.tsx"]);
  });
});

describe("members by what the receiver is", () => {
  const TREE = {
    "base.ts": "export class Base {\n  save() {}\n}\nexport interface Saver {\n  save(): void;\n}\n",
    "store.ts":
      'import { Base, type Saver } from "./base.js";\nexport class Store extends Base implements Saver {\n  load() {\n    this.save();\n    this.gone();\n  }\n  static open(): Store { return new Store(); }\n}\nexport function make(): Promise<Store> { throw 0; }\nexport const shared: Store = Store.open();\n',
    "main.ts":
      'import { Store, make, shared } from "./store.js";\nimport type { Saver } from "./base.js";\nfunction f(store: Store, saver: Saver, text: string) {\n  store.load();\n  store.save();\n  saver.save();\n  text.save();\n  Store.open();\n  shared.load();\n}\nasync function g() {\n  const made = await make();\n  made.load();\n}\n',
  };

  test("a call on a typed value leads to the type's own member or to what it inherits", async () => {
    const names = await boundNames(TREE);
    expect(names.at("main.ts", "load", 4)).toBe("store.ts#Store.load likely");
    expect(names.at("main.ts", "save", 5)).toBe("base.ts#Base.save likely");
    expect(names.at("main.ts", "load", 13)).toBe("store.ts#Store.load likely");
    expect(names.at("main.ts", "open", 8)).toBe("store.ts#Store.open likely");
  });

  test("a call on an interface leads to the interface, and who implements it is told apart", async () => {
    const names = await boundNames(TREE);
    expect(names.at("main.ts", "save", 6)).toBe("base.ts#Saver.save likely");
    expect(names.implementers("base.ts", "Saver")).toEqual(["store.ts#Store certain"]);
    expect(names.implementers("store.ts", "Store")).toEqual([]);
  });

  test("a value of a type from outside of the tree has no member in it", async () => {
    const names = await boundNames(TREE);
    expect(names.at("main.ts", "save", 7)).toBe("");
  });

  test("this has what its class has and inherits, and no more", async () => {
    const names = await boundNames(TREE);
    expect(names.at("store.ts", "save", 4)).toBe("base.ts#Base.save likely");
    expect(names.at("main.ts", "load", 9)).toBe("store.ts#Store.load likely");
    expect(names.at("store.ts", "gone", 5)).toBe("");
  });
});

describe("all uses of a definition", () => {
  test("they are found under every name that imports make of it, without reading other files", async () => {
    const names = await boundNames({
      "a.ts": "export function run() {}\nrun();\n",
      "b.ts": 'import { run as go } from "./a.js";\ngo();\n',
      "c.ts": 'import * as all from "./a.js";\nall.run();\n',
      "d.ts": "function run() {}\nrun();\n",
      "e.ts": "export const unrelated = 1;\n",
    });
    names.index.decoded.clear();
    expect(names.uses("a.ts", "run")).toEqual([
      "a.ts:2 certain",
      "b.ts:1 certain",
      "b.ts:2 certain",
      "c.ts:2 certain",
    ]);
    expect(names.index.decoded.has("e.ts")).toBe(false);
  });

  test("a default export is found under the names that its importers choose", async () => {
    const names = await boundNames({
      "a.ts": "export default function run() {}\n",
      "b.ts": 'import go from "./a.js";\ngo();\n',
      "c.ts": 'export { default as walk } from "./a.js";\n',
      "d.ts": 'import { walk } from "./c.js";\nwalk();\n',
    });
    expect(names.uses("a.ts", "run").filter((use) => use.endsWith(":2 certain"))).toEqual([
      "b.ts:2 certain",
      "d.ts:2 certain",
    ]);
  });
});
