import { describe, expect, it } from "vitest";
import { factsOfFixture } from "./facts-of.js";

describe("Swift", () => {
  it("gives every definition with its qualified name, its lines and whether others may use it", async () => {
    const { symbols } = await factsOfFixture("swift/Store.swift");
    expect(symbols).toEqual([
      "constant limit 5-5",
      "type Items 7-7",
      "interface Shelf 9-11",
      "method Shelf.put 10-10",
      "enum Size 13-15",
      "constant Size.small 14-14",
      "constant Size.large 14-14",
      "class Store 18-39",
      "method Store.init 22-24",
      "method Store.put 26-30",
      "method Store.check 32-34 (hidden)",
      "method Store.empty 36-38",
      "class NoShelf 41-43",
      "method NoShelf.put 42-42",
      "module Store~1 45-47",
      "method Store.clear 46-46",
      "function larger 49-51",
      "function twice 53-53 (hidden)",
    ]);
  });

  it("gives names in use with their receivers, and leaves out locals", async () => {
    const { references } = await factsOfFixture("swift/Store.swift");
    expect(references).toEqual(
      expect.arrayContaining([
        "18 inherit Base",
        "18 implement Shelf -> Shelf",
        "27 new Purchase",
        "28 call larger -> larger",
        "28 use order<Purchase>.size",
        "29 call shelf.put",
        "29 call check -> Store.check",
        "33 call item<Item>.isWhole",
        "37 new Store -> Store",
        "41 implement Shelf -> Shelf",
        "46 use self.count",
        "50 call twice -> twice",
      ]),
    );
    expect(references).not.toContainEqual(expect.stringMatching(/ use (?:item|order|number)$/));
  });

  it("gives imports", async () => {
    const { facts } = await factsOfFixture("swift/Store.swift");
    expect(facts.imports.map(({ kind, source, bindings }) => ({ kind, source, bindings }))).toEqual([
      { kind: "import", source: "Foundation", bindings: [{ name: "*", local: "Foundation" }] },
      { kind: "import", source: "Models.Item", bindings: [{ name: "*", local: "Models.Item" }] },
    ]);
  });
});
