import { describe, expect, it } from "vitest";
import { factsOfFixture } from "./facts-of.js";

describe("PHP", () => {
  it("gives every definition with its qualified name, its lines and whether others may use it", async () => {
    const { symbols } = await factsOfFixture("php/Store.php");
    expect(symbols).toEqual([
      "constant LIMIT 14-14",
      "constant OLD_LIMIT 15-15",
      "interface Shelf 18-21",
      "method Shelf.put 20-20",
      "class Store 26-52",
      "constant Store.DEPTH 30-30 (hidden)",
      "method Store.__construct 33-33",
      "method Store.put 35-41",
      "method Store.check 43-46 (hidden)",
      "method Store.empty 48-51",
      "class Logs 54-57",
      "method Logs.write 56-56",
      "enum Size 59-62",
      "constant Size.Small 61-61",
      "function open_store 64-67",
    ]);
  });

  it("gives names in use with their receivers, and leaves out locals", async () => {
    const { references } = await factsOfFixture("php/Store.php");
    expect(references).toEqual(
      expect.arrayContaining([
        "18 inherit Countable",
        "26 inherit Base",
        "26 implement Shelf -> Shelf",
        "28 inherit Logs -> Logs",
        "37 new Purchase",
        "38 call larger",
        "38 call $order<Purchase>.size",
        "39 call self.write",
        "40 call $this->shelf.put",
        "40 call $this.check",
        "45 call Num.isWhole",
        "45 type Item",
        "66 call Store.empty",
      ]),
    );
    expect(references).not.toContainEqual(expect.stringMatching(/ use (?:item|order|text|log)$/));
  });

  it("gives imports", async () => {
    const { facts } = await factsOfFixture("php/Store.php");
    expect(facts.imports.map(({ kind, source, bindings }) => ({ kind, source, bindings }))).toEqual([
      { kind: "import", source: "Acme\\Model", bindings: [{ name: "Item", local: "Item" }] },
      { kind: "import", source: "Acme\\Model", bindings: [{ name: "Order", local: "Purchase" }] },
      {
        kind: "import",
        source: "Acme\\Util",
        bindings: [
          { name: "Text", local: "Text" },
          { name: "Number", local: "Num" },
        ],
      },
      { kind: "import", source: "Acme\\Util", bindings: [{ name: "larger", local: "larger" }] },
      { kind: "import", source: "Acme\\Util", bindings: [{ name: "DEPTH", local: "DEPTH" }] },
      { kind: "include", source: "/legacy.php", bindings: [] },
      { kind: "include", source: "more.php", bindings: [] },
    ]);
  });

  it("gives its namespace", async () => {
    expect((await factsOfFixture("php/Store.php")).facts.packages).toEqual(["Acme\\Store"]);
  });
});
