import { readFile, readdir } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { createGrammars } from "../../src/codemap/extract/grammars.js";
import { CAPTURE_CELLS, END_CELL, START_CELL } from "../../src/codemap/extract/match-patterns.js";
import { type Matcher, createMatcher, throughLibrary } from "../../src/codemap/extract/matcher.js";
import { readForms } from "../../src/codemap/extract/query-forms.js";
import { startRuntime } from "../../src/codemap/extract/runtime.js";
import { LANGUAGES, languageOfFile } from "../../src/codemap/languages.js";

const FIXTURES = new URL("../fixtures/codemap/", import.meta.url);
const grammars = createGrammars();

async function load(path: string, text = "") {
  const language = languageOfFile(path, text);
  if (!language) throw new Error(`No language for ${path}.`);
  return grammars.load(language);
}

/** What each way finds: each match as its pattern and, for each capture, its name, start and end. */
async function found(path: string, text: string, ...matchers: Matcher[]): Promise<string[][]> {
  const { parser } = await load(path, text);
  const tree = parser.parse(text);
  if (!tree) throw new Error("There is no tree.");
  const all = matchers.map((matcher) => {
    const matches: string[] = [];
    const take = (pattern: number, cells: Int32Array, captures: number) => {
      const said = Array.from({ length: captures }, (_, index) => {
        const at = index * CAPTURE_CELLS;
        return `${matcher.captureNames[cells[at] ?? -1]} ${cells[at + START_CELL]}-${cells[at + END_CELL]}`;
      });
      return matches.push(`${pattern}: ${said.join()}`) > 0;
    };
    matcher.run(tree, { text, isLate: () => false, take });
    return matches.toSorted();
  });
  tree.delete();
  return all;
}

const fixtures = (await readdir(FIXTURES, { recursive: true })).filter((path) => languageOfFile(path));

describe("what a query finds in the memory of a tree", () => {
  it.each(fixtures)("is what the library finds in %s", async (path) => {
    const text = await readFile(new URL(path, FIXTURES), "utf8");
    const { matcher, source } = await load(path, text);
    const [own = [], library] = await found(path, text, matcher, throughLibrary(source));
    expect(own.length).toBeGreaterThan(10);
    expect(own).toEqual(library);
  });

  it.each([
    [
      "a.ts",
      'const a = require("b");\nmodule.exports = { a };\nexport class C extends D {}\n// 😀\nf(x?.y<T>());\n',
    ],
    ["a.js", "const { a: b } = require('c');\nexports.f = () => { g(`${h}`); };\nclass { (\n"],
    ["a.tsx", "export const A = () => <B.C d={e}>{f}</B.C>;\n"],
    ["a.kt", "private enum class A(val b: Int) { C; fun d(): E = e() }\nimport f.g as h\n"],
    ["a.cs", "using A = B.C;\nclass D : E.F { public G H { get; } int i = (j"],
  ])("is what the library finds in a text of %s", async (path, text) => {
    const { matcher, source } = await load(path, text);
    const [own = [], library] = await found(path, text, matcher, throughLibrary(source));
    expect(own.length).toBeGreaterThan(5);
    expect(own).toEqual(library);
  });

  it.each(LANGUAGES.map((language) => [language.name, language] as const))(
    "is read without the library for %s",
    async (_, language) => {
      const { source } = await grammars.load(language);
      const runtime = await startRuntime();
      const files = source.files.map(({ name, text }) => ({ name, text: `${text}\n(nothing_such)` }));
      expect(() => createMatcher({ ...source, files }, runtime)).toThrow(
        /\.scm:\d+: the grammar has no node/,
      );
    },
  );

  it("is the same where the runtime's memory can't be read", async () => {
    const { matcher, source } = await load("a.py");
    const text = "class A:\n  def b(self, c: D): return e.f(c)\n";
    const [own, library] = await found("a.py", text, matcher, createMatcher(source, null));
    expect(own).toEqual(library);
  });

  it("ends when its taker wants no more, and when it is late", async () => {
    const { parser, matcher } = await load("a.py");
    const text = "a = b\n".repeat(5000);
    const tree = parser.parse(text);
    if (!tree) throw new Error("There is no tree.");
    let taken = 0;
    matcher.run(tree, { text, isLate: () => false, take: () => ++taken < 3 });
    expect(taken).toBe(3);
    matcher.run(tree, { text, isLate: () => true, take: () => ++taken > 0 });
    expect(taken).toBeLessThan(10_000);
    tree.delete();
  });
});

describe("the forms of a query", () => {
  it.each([
    ["((a)\n [b])", "a.scm:2: [ beside a pattern's outermost node is not understood"],
    ["(a)* @b", 'a.scm:1: "*" is not understood'],
    ["((a) @b (#is? @b))", "predicate #is?"],
    ["(a/b)", '"/" is not understood'],
    ["@a", 'a pattern that starts with "@a" is not understood'],
  ])("that are not known are refused by file and line: %s", (text, message) => {
    expect(() => readForms(text, "a.scm")).toThrow(message);
  });
});
