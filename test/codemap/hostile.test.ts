import { expect, test } from "vitest";
import { factsOf } from "./languages/facts-of.js";

test("CM-05 a try that is cut short gives what can be had", async () => {
  const { facts } = await factsOf("a.js", "{ try { } catch { (, e");
  expect(facts.partial).toBe("syntax error at line 1");
});

test("CM-15 a nested function is not visible from outside", async () => {
  const { references } = await factsOf("a.js", "function f() {\n  function g() {}\n  g();\n}\ng();\n");
  expect(references).toEqual(["3 call g -> f.g", "5 call g"]);
});

test("CM-16 methods of one name in one file are told apart", async () => {
  const { symbols } = await factsOf(
    "a.ts",
    "class A { get x() { return 1; }\n set x(v) {} }\nclass B { x() {} }\n",
  );
  expect(symbols.filter((symbol) => symbol.startsWith("method"))).toEqual([
    "method A.x 1-1 (hidden)",
    "method A.x~1 2-2 (hidden)",
    "method B.x 3-3 (hidden)",
  ]);
});

test("CH-11 definitions around a NUL are found, and the rest is said to be partial", async () => {
  const { symbols, facts } = await factsOf("a.js", "function a() {}\n\0\nfunction b() {}\n");
  expect(symbols.map((symbol) => symbol.split(" ")[1])).toEqual(["a", "b"]);
  expect(facts.partial).toMatch(/^syntax error at line /);
});

test("CH-13 columns count UTF-16 units, after a byte order mark", async () => {
  const { facts } = await factsOf("a.js", '\uFEFF"😀"; function a() {}\n');
  expect(facts.symbols[0]).toMatchObject({ name: "a", line: 1, column: 15 });
});

test("CH-14 definitions outside of conflict markers are found", async () => {
  const { symbols, facts } = await factsOf(
    "a.ts",
    "function a() {}\n<<<<<<< ours\nconst x = 1;\n=======\nconst x = 2;\n>>>>>>> theirs\nfunction b() {}\n",
  );
  expect(symbols.join()).toMatch(/function a .*function b /);
  expect(facts.partial).not.toBeNull();
});

test("CH-16 a cast in angle brackets is read as TypeScript", async () => {
  const { symbols, facts } = await factsOf("a.ts", "export const a = <any>b;\nexport function c() {}\n");
  expect(symbols).toEqual(["constant a 1-1", "function c 2-2"]);
  expect(facts.partial).toBeNull();
});

test("CH-08 a parse that takes too long is cut, and the next file is read whole", async () => {
  const { extract } = await import("../../src/codemap/extract/extract.js");
  const { createGrammars } = await import("../../src/codemap/extract/grammars.js");
  const { languageOfFile } = await import("../../src/codemap/languages.js");
  const language = languageOfFile("a.js");
  if (!language) throw new Error("JavaScript is not known.");
  const grammar = await createGrammars().load(language);
  let clock = 0;
  const late = extract("{".repeat(5000), language, grammar, () => (clock += 300));
  expect(late).toMatchObject({ partial: "took longer than 300 ms to parse", symbols: [] });
  expect(extract("function a() {}", language, grammar, () => 0)).toMatchObject({
    partial: null,
    symbols: [{ name: "a" }],
  });
});

test("a half-edited class keeps its methods, and the function after it", async () => {
  const { symbols, facts } = await factsOf(
    "a.ts",
    "class A {\n  m1() {}\n  m2( {\n  m3() {}\n}\nfunction z() {}\n",
  );
  expect(symbols.map((symbol) => symbol.split(" ").slice(0, 2).join(" "))).toEqual([
    "class A",
    "method A.m1",
    "method A.m2",
    "method A.m3",
    "function z",
  ]);
  expect(facts.partial).toMatch(/^syntax error at line /);
});

test("lines that end with a carriage return count as lines", async () => {
  const { symbols } = await factsOf("a.js", "// one\rfunction a() {}\rfunction b() {}\r\nfunction c() {}");
  expect(symbols.map((symbol) => symbol.split(" ")[2])).toEqual(["2-2", "3-3", "4-4"]);
});

test("CM-12 a component is read by its script blocks, with the lines of the whole file", async () => {
  const { symbols, references, facts } = await factsOf(
    "a.vue",
    '<script>\nexport const a = 1;\n</script>\n<template><p>{{ x( }}</p></template>\n<script setup lang="ts">\nfunction b(): number { return a; }\n</script>\n',
  );
  expect(symbols).toEqual(["constant a 2-2", "function b 6-6 (hidden)"]);
  expect(references).toEqual(["6 use a -> a"]);
  expect(facts.partial).toBeNull();
});
