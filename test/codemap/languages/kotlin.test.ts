import { describe, expect, it } from "vitest";
import { factsOf, factsOfFixture } from "./facts-of.js";

describe("Kotlin", () => {
  it("gives every definition with its qualified name, its lines and whether others may use it", async () => {
    const { symbols } = await factsOfFixture("kotlin/Store.kt");
    expect(symbols).toEqual([
      "constant LIMIT 9-9",
      "type Items 11-11",
      "interface Shelf 13-15",
      "method Shelf.put 14-14",
      "enum Size 17-17",
      "constant Size.SMALL 17-17",
      "constant Size.LARGE 17-17",
      "class Store 20-34",
      "method Store.put 23-27",
      "method Store.check 29-29 (hidden)",
      "method Store.empty 32-32",
      "class Small 36-38",
      "method Small.size 37-37",
      "class NoShelf 40-42",
      "method NoShelf.put 41-41",
      "method String.shout 44-44",
      "function main 46-50",
      "function double 52-52",
    ]);
  });

  it("gives names in use with their receivers, and leaves out locals", async () => {
    const { references } = await factsOfFixture("kotlin/Store.kt");
    expect(references).toEqual(
      expect.arrayContaining([
        "20 inherit Base",
        "20 implement Shelf -> Shelf",
        "24 new Purchase",
        "25 call max",
        "25 use order<Purchase>.size",
        "26 call shelf.put",
        "26 call check -> Store.check",
        "29 call item<Item>.isWhole",
        "47 call Store.empty",
        "49 call double -> double",
      ]),
    );
    expect(references).not.toContainEqual(expect.stringMatching(/ use (?:item|order|number)$/));
  });

  it("gives imports", async () => {
    const { facts } = await factsOfFixture("kotlin/Store.kt");
    expect(facts.imports.map(({ kind, source, bindings }) => ({ kind, source, bindings }))).toEqual([
      { kind: "import", source: "com.acme.model", bindings: [{ name: "Item", local: "Item" }] },
      { kind: "import", source: "com.acme.model", bindings: [{ name: "Order", local: "Purchase" }] },
      { kind: "import", source: "com.acme.util", bindings: [{ name: "*", local: "" }] },
      { kind: "import", source: "kotlin.math", bindings: [{ name: "max", local: "max" }] },
    ]);
  });

  it("gives its package", async () => {
    expect((await factsOfFixture("kotlin/Store.kt")).facts.packages).toEqual(["com.acme.store"]);
  });

  it("gives a class on one line with all that stands in it, though its grammar stumbles there", async () => {
    const { symbols } = await factsOf(
      "a.kt",
      'class Small : Base("small") { fun size() = 1 }\nfun after() = 2\n',
    );
    expect(symbols).toEqual(["class Small 1-1", "method Small.size 1-1", "function after 2-2"]);
  });
});
