import { expect, test } from "vitest";
import { extract } from "../../src/codemap/extract/extract.js";
import { createGrammars } from "../../src/codemap/extract/grammars.js";
import { languageOfFile } from "../../src/codemap/languages.js";
import { prose } from "../support/seeded-bytes.js";
import { factsOf } from "./languages/facts-of.js";

const grammars = createGrammars();
const lines = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at)).join("\n");

/** Reads a text by a clock that stands still until `late` is asked for, and counts how often it is looked at afterwards. */
async function readLate(path: string, text: string, looksBefore: number) {
  const language = languageOfFile(path, text);
  if (!language) throw new Error(`No language for ${path}.`);
  const grammar = await grammars.load(language);
  let looks = 0;
  const facts = extract(text, language, grammar, () => (++looks > looksBefore ? 1000 : 0));
  return { facts, looksAfter: looks - looksBefore };
}

test("CH-01 a scanner that takes one token to the text's end is stopped as the text is handed to it", async () => {
  const { facts, looksAfter } = await readLate("a.swift", prose(100_000), 3);
  expect(facts).toMatchObject({ partial: "took longer than 300 ms to parse", symbols: [] });
  expect(looksAfter).toBeLessThan(100);
  expect((await factsOf("a.swift", "func next() {}\n")).symbols).toEqual(["function next 1-1"]);
});

test("CH-05 a file of more than 10,000 definitions gives so many, and says that there are more", async () => {
  const { facts } = await factsOf(
    "a.js",
    lines(12_000, (at) => `function f${at}() {}`),
  );
  expect(facts.partial).toBe("more than 10000 definitions");
  expect(facts.symbols.length).toBeGreaterThanOrEqual(10_000);
  expect(facts.symbols.length).toBeLessThan(10_100);
});

test("CH-05 a file of more than 60,000 uses of names gives so many, and says that there are more", async () => {
  const { facts } = await factsOf(
    "a.py",
    lines(13_000, () => "a(b, c, d, e)"),
  );
  expect(facts.partial).toBe("more than 60000 uses of names");
  expect(facts.references.length).toBeLessThan(60_100);
});

test("CH-07 a tree that is deeper than calls can be has its errors found", async () => {
  const { facts } = await factsOf("a.js", `${"a: ".repeat(20)}\n`.repeat(800));
  expect(facts.partial).toMatch(/^syntax error at line \d+$/);
});

test("CH-07 a chain of 3,000 members has one receiver after the other, and none that is longer than is of use", async () => {
  for (const path of ["a.js", "a.php", "a.java"]) {
    const { facts } = await factsOf(path, `${path === "a.php" ? "<?php " : ""}${"a.".repeat(3000)}b;\n`);
    const longest = Math.max(...facts.references.map(({ receiver }) => receiver?.length ?? 0));
    expect(longest).toBeLessThanOrEqual(60);
  }
});

test("CH-07 what stands around a definition is named in bounds, however long its names", async () => {
  const name = "n".repeat(200);
  const { facts } = await factsOf("a.js", `${`function ${name}() {\n`.repeat(400)}${"}\n".repeat(400)}`);
  expect(facts.symbols).toHaveLength(400);
  expect(Math.max(...facts.symbols.map(({ qualified }) => qualified.length))).toBeLessThan(800);
  const keys = new Set(facts.symbols.map(({ qualified, ordinal }) => `${qualified}~${ordinal}`));
  expect(keys.size).toBe(400);
});

test("CH-07 a path with many blanks in it and a comment of 20,000 lines are read once", async () => {
  const blanks = await factsOf("a.rs", `use a::${" ".repeat(20_000)}b;\n`);
  expect(blanks.facts.imports[0]).toMatchObject({ source: "a", bindings: [{ name: "b", local: "b" }] });
  const comments = `${lines(20_000, (at) => `// line ${at}`)}\nfunction a() {}\n`;
  expect((await factsOf("a.js", comments)).facts.symbols[0]?.doc).toMatch(/^line 19900 line 19901/);
});
