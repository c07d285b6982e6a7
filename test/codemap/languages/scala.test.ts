import { describe, expect, it } from "vitest";
import { factsOfFixture } from "./facts-of.js";

describe("Scala", () => {
  it("gives every definition with its qualified name, its lines and whether others may use it", async () => {
    const { symbols } = await factsOfFixture("scala/Store.scala");
    expect(symbols).toEqual([
      "interface Shelf 8-10",
      "method Shelf.put 9-9",
      "class Store 13-24",
      "method Store.put 17-21",
      "method Store.check 23-23 (hidden)",
      "class Store~1 26-30",
      "type Store.Items 27-27",
      "method Store.larger 28-28",
      "method Store.empty 29-29",
      "class NoShelf 32-34",
      "method NoShelf.put 33-33",
      "class Box 36-36",
      "class Main 38-42",
      "constant Main.store 39-39",
      "method Main.twice 41-41",
    ]);
  });

  it("gives names in use with their receivers, and leaves out locals", async () => {
    const { references } = await factsOfFixture("scala/Store.scala");
    expect(references).toEqual(
      expect.arrayContaining([
        "13 inherit Base",
        "13 implement Shelf -> Shelf",
        "18 new Purchase",
        "19 call Store.larger",
        "20 call shelf.put",
        "20 call check -> Store.check",
        "29 new Store -> Store",
        "40 call twice -> Main.twice",
      ]),
    );
    expect(references).not.toContainEqual(expect.stringMatching(/ use (?:item|order|number)$/));
  });

  it("gives imports", async () => {
    const { facts } = await factsOfFixture("scala/Store.scala");
    expect(facts.imports.map(({ kind, source, bindings }) => ({ kind, source, bindings }))).toEqual([
      { kind: "import", source: "com.acme.model", bindings: [{ name: "Item", local: "Item" }] },
      {
        kind: "import",
        source: "com.acme.model",
        bindings: [
          { name: "Order", local: "Purchase" },
          { name: "Size", local: "Size" },
        ],
      },
      { kind: "import", source: "com.acme.util", bindings: [{ name: "*", local: "" }] },
    ]);
  });

  it("reads the syntax of Scala 3", async () => {
    const { symbols, facts } = await factsOfFixture("scala/modern.scala");
    expect(symbols).toEqual([
      "enum Size 6-8",
      "constant Size.Small 7-7",
      "constant Size.Large 7-7",
      "function shout 10-10",
      "variable ordering 12-14",
      "method ordering.compare 13-13",
      "function order 15-16",
    ]);
    expect(facts.packages).toEqual(["com.acme.modern"]);
  });
});
