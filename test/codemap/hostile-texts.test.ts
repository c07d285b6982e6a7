import { expect, test } from "vitest";
import { decodeText } from "../../src/codemap/decode-text.js";
import { extract } from "../../src/codemap/extract/extract.js";
import { createGrammars } from "../../src/codemap/extract/grammars.js";
import { languageOfFile } from "../../src/codemap/languages.js";
import { prose, seededBytes } from "../support/seeded-bytes.js";
import { factsOf } from "./languages/facts-of.js";

const grammars = createGrammars();

/** Reads a text by a clock that moves each time it is looked at, then another file with the same parser. */
async function readBefore(path: string, text: string, tickMs: number) {
  const language = languageOfFile(path, text);
  if (!language) throw new Error(`No language for ${path}.`);
  const grammar = await grammars.load(language);
  let clock = 0;
  const facts = extract(text, language, grammar, () => (clock += tickMs));
  const next = extract("function next() {}", language, grammar, () => 0);
  return { facts, next: next.symbols.map(({ name }) => name), isNextWhole: next.partial === null };
}

const names = ({ symbols }: { symbols: readonly { name: string }[] }) => symbols.map(({ name }) => name);

test("CH-01 half a megabyte of prose in a .js file is given up at the deadline, and the next file is read", async () => {
  const { facts, next, isNextWhole } = await readBefore("a.js", prose(500_000), 1);
  expect(facts).toMatchObject({ partial: "took longer than 300 ms to parse", symbols: [], references: [] });
  expect(facts.lines).toBeGreaterThan(1000);
  expect([next, isNextWhole]).toEqual([["next"], true]);
});

test("CH-02 20 KB of opening braces are given up at the deadline, and the next file is read", async () => {
  for (const braces of ["{".repeat(20_000), "{\n".repeat(20_000)]) {
    const { facts, next, isNextWhole } = await readBefore("a.js", braces, 20);
    expect(facts).toMatchObject({ partial: "took longer than 300 ms to parse", symbols: [] });
    expect([next, isNextWhole]).toEqual([["next"], true]);
  }
});

test.each(["a.js", "a.ts", "a.tsx"])(
  "CH-04 random bytes read as %s define nothing and are partial",
  async (path) => {
    const { text, doubt } = decodeText(seededBytes(200_000, 11));
    expect(doubt).toMatch(/^not UTF-8, read as /);
    const { facts, next, isNextWhole } = await readBefore(path, text, 10);
    expect(facts.partial).toMatch(/^took longer than 300 ms to parse$|^syntax error at line \d+$/);
    expect([next, isNextWhole]).toEqual([["next"], true]);
  },
);

test("CH-04 random bytes read as C++ are partial, and a C++ file after them is read whole", async () => {
  const language = languageOfFile("a.cpp");
  if (!language) throw new Error("C++ is not known.");
  const grammar = await grammars.load(language);
  let clock = 0;
  const noise = extract(decodeText(seededBytes(200_000, 12)).text, language, grammar, () => (clock += 10));
  expect(noise.partial).toMatch(/^took longer than 300 ms to parse$|^syntax error at line \d+$/);
  const next = extract("int next() { return 1; }\n", language, grammar, () => 0);
  expect([names(next), next.partial]).toEqual([["next"], null]);
});

test("CH-05 a long line of many definitions is cut at the deadline with what was found until then", async () => {
  const line = Array.from({ length: 3000 }, (_, at) => `function f${at}(a,b){return a+b*${at}}`).join(";");
  const parsing = await readBefore("a.js", line, 2);
  expect(parsing.facts).toMatchObject({ partial: "took longer than 300 ms to parse", symbols: [] });
  const language = languageOfFile("a.js");
  if (!language) throw new Error("JavaScript is not known.");
  const grammar = await grammars.load(language);
  let looks = 0;
  extract(line, language, grammar, () => (looks++, 0));
  let left = looks - 5;
  const late = extract(line, language, grammar, () => (left-- > 0 ? 0 : 450));
  expect(late.partial).toBe("took longer than 400 ms");
  expect(late.symbols.length).toBeGreaterThan(0);
  expect(late.symbols.length).toBeLessThan(3000);
  expect([parsing.next, parsing.isNextWhole]).toEqual([["next"], true]);
});

test("CH-07 a hundred thousand nested brackets and a sum of 50,000 terms hide nothing that follows them", async () => {
  const deep = `x = ${"[".repeat(100_000)}${"]".repeat(100_000)};\nfunction after() {}\n`;
  const brackets = await factsOf("a.js", deep);
  expect([brackets.symbols, brackets.facts.partial]).toEqual([["function after 2-2 (hidden)"], null]);
  const terms = Array.from({ length: 50_000 }, (_, at) => `a${at}`).join(" + ");
  const sum = await factsOf("a.js", `x = ${terms};\nfunction after() {}\n`);
  expect([sum.symbols, sum.facts.partial]).toEqual([["function after 2-2 (hidden)"], null]);
  expect(sum.references.at(-1)).toBe("1 use a49999");
});

test("CH-07 functions 5,000 deep are named by all that stands around them, in bounds", async () => {
  const { facts } = await factsOf("a.js", `${"function f() {\n".repeat(5000)}${"}\n".repeat(5000)}`);
  expect(facts.symbols).toHaveLength(5000);
  expect(facts.symbols[4999]).toMatchObject({ name: "f", from: 5000, to: 5001 });
});

test("CH-10 UTF-16 taken for UTF-8 defines nothing and is partial; decoded it is read whole", async () => {
  const bytes = Buffer.concat([
    Buffer.from([0xff, 0xfe]),
    Buffer.from("export function save(): void {}\n", "utf16le"),
  ]);
  const wrong = await factsOf("a.ts", bytes.toString("utf8"));
  expect(wrong.symbols).toEqual([]);
  expect(wrong.facts.partial).toMatch(/^syntax error at line /);
  const { text, doubt } = decodeText(bytes);
  const right = await factsOf("a.ts", text);
  expect([right.symbols, right.facts.partial, doubt]).toEqual([["function save 1-1"], null, null]);
});

test("CH-17 Flow types in JavaScript leave the definitions, and say where they are", async () => {
  const { symbols, facts } = await factsOf(
    "a.js",
    "// @flow\ntype Props = {| +name: string, age?: ?number |};\nexport function greet(props: Props): string {\n  return props.name;\n}\nclass Store {\n  get(key: string): ?Props {\n    return null;\n  }\n}\nfunction plain(a) {\n  return a;\n}\n",
  );
  const found = symbols.map((symbol) => symbol.split(" ").slice(0, 2).join(" "));
  expect(found).toEqual(
    expect.arrayContaining(["function greet", "class Store", "method Store.get", "function plain"]),
  );
  expect(facts.partial).toMatch(/^syntax error at line /);
});

test("CH-19 `using` and `export type *` leave all definitions", async () => {
  const { symbols, facts } = await factsOf(
    "a.ts",
    'export type * from "./types.js";\nexport function open(): void {\n  using file = make();\n  file.read();\n}\nexport async function all(): Promise<void> {\n  await using pool = make();\n}\nfunction make() {\n  return new Handle();\n}\nclass Handle {\n  read() {}\n}\n',
  );
  const found = symbols.map((symbol) => symbol.split(" ").slice(0, 2).join(" "));
  expect(found).toEqual(
    expect.arrayContaining([
      "function open",
      "function all",
      "function make",
      "class Handle",
      "method Handle.read",
    ]),
  );
  expect(facts.imports.map(({ source }) => source)).toContain("./types.js");
});

test("CM-12 a script's attributes may hold brackets and quotes, and a tag that never ends is no script", async () => {
  const generic =
    '<script setup lang="ts" generic="T extends Map<string, \'a>b\'>">\nconst a = 1;\n</script>\n';
  expect((await factsOf("a.vue", generic)).symbols).toEqual(["constant a 2-2 (hidden)"]);
  expect((await factsOf("a.svelte", "<script-x>const a = 1;</script-x>\n")).symbols).toEqual([]);
  const endless = await factsOf("a.vue", `<script>const a = 1;</script>\n${"<script \n".repeat(60_000)}`);
  expect([endless.symbols, endless.facts.lines]).toEqual([["constant a 1-1 (hidden)"], 60_002]);
});
