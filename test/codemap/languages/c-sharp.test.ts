import { describe, expect, it } from "vitest";
import { factsOfFixture } from "./facts-of.js";

describe("C#", () => {
  it("gives every definition with its qualified name, its lines and whether others may use it", async () => {
    const { symbols } = await factsOfFixture("c-sharp/Store.cs");
    expect(symbols).toEqual([
      "class Store 9-43",
      "constant Store.Limit 12-12",
      "constant Store.Code 13-13 (hidden)",
      "method Store.Store 16-19",
      "variable Store.Depth 21-21",
      "method Store.Put 23-36",
      "function Store.Put.Open 35-35 (hidden)",
      "method Store.Check 38-38 (hidden)",
      "method Store.Check~1 40-40 (hidden)",
      "class Store.Full 42-42 (hidden)",
      "enum Size 45-45",
      "constant Size.Small 45-45",
      "constant Size.Large 45-45",
      "interface IShelf 47-50",
      "method IShelf.Put 49-49",
      "class Pair 52-52",
      "class Point 54-54",
      "type Changed 56-56",
    ]);
  });

  it("gives names in use with their receivers and what they are bound to", async () => {
    const { references } = await factsOfFixture("c-sharp/Store.cs");
    expect(references).toEqual(
      expect.arrayContaining([
        "10 inherit Base",
        "10 inherit IShelf -> IShelf",
        "14 type Purchase",
        "25 new Order",
        "26 call next<Order>.Add",
        "27 call order<Purchase>.Touch",
        "27 use Limit -> Store.Limit",
        "28 call Check -> Store.Check",
        "29 call names<List>.Select",
        "29 call Join",
        "30 call Open -> Store.Put.Open",
        "31 type Full -> Store.Full",
        "31 new Wrong",
        "32 type Line",
        "32 call line<Line>.Touch",
        "33 call next<Order>.Size",
        "38 call this.order.Touch",
        "42 inherit Exception",
        "47 inherit IClosable",
      ]),
    );
  });

  it("keeps parameters, loop variables, lambdas and names of arguments apart from the file's names", async () => {
    const { references } = await factsOfFixture("c-sharp/Store.cs");
    expect(
      references.filter((line) => /^28 use Limit|^29 use each|^27 use name$|^31 use failure|Fake/.test(line)),
    ).toEqual([]);
  });

  it("gives what is written above or at the start of a definition about it", async () => {
    const { facts } = await factsOfFixture("c-sharp/Store.cs");
    const docs = facts.symbols.filter(({ doc }) => doc !== "");
    expect(docs.map(({ qualified, doc }) => [qualified, doc.replace(/<.*?>/g, "")])).toEqual([
      ["Store", "Keeps items."],
    ]);
  });

  it("gives fields with their types", async () => {
    const { facts } = await factsOfFixture("c-sharp/Store.cs");
    const fields = facts.fields.map(({ owner, name, type }) => [facts.symbols[owner]?.qualified, name, type]);
    expect(fields).toEqual([
      ["Store", "Limit", "int"],
      ["Store", "Code", "string"],
      ["Store", "order", "Purchase"],
      ["Store", "Depth", "int"],
      ["Pair", "Left", "Item"],
      ["Pair", "Right", "Item"],
      ["Point", "X", "int"],
    ]);
  });

  it("gives imports with their sources and the names they make", async () => {
    const { facts } = await factsOfFixture("c-sharp/Store.cs");
    expect(facts.imports.map(({ kind, source, bindings }) => ({ kind, source, bindings }))).toEqual([
      { kind: "import", source: "System", bindings: [] },
      { kind: "import", source: "Acme.Model", bindings: [] },
      { kind: "import", source: "Acme.Model.Order", bindings: [{ name: "*", local: "Purchase" }] },
      { kind: "import", source: "Acme.Util.Texts", bindings: [] },
    ]);
  });
});
