import { describe, expect, it } from "vitest";
import { factsOf } from "./facts-of.js";

describe("what the text around a name tells", () => {
  it("tells calls with type arguments, optional calls and new instances of a member from uses", async () => {
    const text =
      "run<A<string>, { b: () => void }>(one);\nrun?.(two);\nnew pool.Worker(three);\na < b;\nrun;\n";
    const { references } = await factsOf("calls.ts", text);
    expect(references).toEqual([
      "1 call run",
      "1 type A",
      "1 use one",
      "2 call run",
      "2 use two",
      "3 use pool",
      "3 new pool.Worker",
      "3 use three",
      "4 use a",
      "4 use b",
      "5 use run",
    ]);
  });

  it("takes the dot that ends a comment for no receiver", async () => {
    const { references } = await factsOf("note.js", "const x = 1;\n// Starts here.\nstart(x);\n");
    expect(references).toContain("3 call start");
  });

  it("takes no call with a callback for a method where the syntax is broken", async () => {
    const text = 'class {{{ Broken(\n  describe("x", () => {\n  it(function () {\n  save(order) {\n';
    const { symbols } = await factsOf("broken.js", text);
    expect(symbols.map((symbol) => symbol.split(" ")[1])).toEqual(["save"]);
  });

  it("takes a variable of a function for a local, and one of the file or of a class for a definition", async () => {
    const text =
      "LIMIT = 1\nif LIMIT:\n    mode = 2\ndef run():\n    size = 3\n    return size\nclass A:\n    depth = 4\n";
    const { symbols } = await factsOf("values.py", text);
    expect(symbols).toEqual([
      "constant LIMIT 1-1",
      "variable mode 3-3",
      "function run 4-6",
      "class A 7-8",
      "variable A.depth 8-8",
    ]);
  });

  it("brings an aliased name of a PHP group in once", async () => {
    const { facts } = await factsOf("a.php", "<?php\nuse A\\{B as C, D};\nuse E\\F as G;\n");
    expect(facts.imports.map(({ source, bindings }) => ({ source, bindings }))).toEqual([
      {
        source: "A",
        bindings: [
          { name: "B", local: "C" },
          { name: "D", local: "D" },
        ],
      },
      { source: "E", bindings: [{ name: "F", local: "G" }] },
    ]);
  });
});
