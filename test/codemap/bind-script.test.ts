import { describe, expect, test } from "vitest";
import { boundNames } from "../support/bound-names.js";

describe("modules of JavaScript and TypeScript", () => {
  test("CM-13 a local function comes before one of the same name elsewhere", async () => {
    const names = await boundNames({
      "a.ts": "export function run() {}\n",
      "b.ts": 'import { run as go } from "./a.js";\nfunction run() {}\nrun();\ngo();\n',
    });
    expect(names.at("b.ts", "run", 2)).toBe("b.ts#run certain");
    expect(names.at("b.ts", "go", 2)).toBe("a.ts#run certain");
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
    expect(names.at("a.ts", "open", 1)).toBe("a.ts#Door.open certain");
    expect(names.at("a.ts", "open", 2)).toBe("");
    expect(names.at("a.ts", "enter")).toBe("a.ts#Door.enter guess");
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
    expect(names.at("main.ts", "uno", 2)).toBe("lib/a.ts#one certain");
    expect(names.at("main.ts", "two", 2)).toBe("lib/a.ts#two certain");
    expect(names.at("main.ts", "three", 2)).toBe("");
    expect(names.at("main.ts", "one")).toBe("lib/a.ts#one certain");
    expect(names.at("main.ts", "gone")).toBe("");
    expect(names.imports("main.ts")).toEqual(["lib/index.ts"]);
    expect(names.importers("lib/b.ts")).toEqual(["lib/c.ts", "lib/index.ts"]);
  });
});
