import { describe, expect, it } from "vitest";
import { factsOfFixture } from "./facts-of.js";

describe("Java", () => {
  it("gives every definition with its qualified name, its lines and whether others may use it", async () => {
    const { symbols } = await factsOfFixture("java/Store.java");
    expect(symbols).toEqual([
      "class Store 14-70",
      "constant Store.LIMIT 16-16",
      "constant Store.CODE 17-20 (hidden)",
      "method Store.Store 23-26",
      "method Store.put 29-43",
      "method Store.check 45-49 (hidden)",
      "method Store.check~1 51-53",
      "class Store.Full 55-55",
      "enum Store.Size 57-64",
      "constant Store.Size.SMALL 58-58",
      "constant Store.Size.LARGE 59-59",
      "method Store.Size.next 61-63",
      "class Store.Pair 66-66",
      "method Store.putsOne 68-69",
      "interface Shelf 72-76",
      "constant Shelf.DEPTH 73-73",
      "method Shelf.put 75-75",
      "interface Entity 78-80",
      "method Entity.name 79-79",
    ]);
  });

  it("gives names in use with their receivers and what they are bound to", async () => {
    const { references } = await factsOfFixture("java/Store.java");
    expect(references).toEqual(
      expect.arrayContaining([
        "14 type Entity -> Entity",
        "15 inherit Base",
        "15 implement Shelf -> Shelf",
        "15 implement AutoCloseable",
        "24 use LIMIT -> Store.LIMIT",
        "30 type Full -> Store.Full",
        "31 type Order",
        "31 new Order",
        "32 new Purchase",
        "33 call next<Purchase>.add",
        "34 call order<Order>.size",
        "35 call check -> Store.check",
        "36 call names<List>.forEach",
        "36 call check -> Store.check",
        "37 call names<List>.stream",
        "37 call names.stream().map",
        "37 use Texts",
        "37 call Texts.upper",
        "38 type Reader",
        "38 call open",
        "39 call reader<Reader>.read",
        "39 call join",
        "40 type IOException",
        "40 type Full -> Store.Full",
        "41 new IllegalStateException",
        "46 use this.order",
        "46 call this.order.touch",
        "47 call order<Order>.touch",
        "47 use CODE -> Store.CODE",
        "48 call ?.concat",
        "52 call last",
        "52 call found<Item>.touch",
        "55 inherit Exception",
        "61 type Size -> Store.Size",
        "62 use LARGE -> Store.Size.LARGE",
        "72 inherit Closable",
      ]),
    );
  });

  it("keeps parameters, loop variables and lambdas apart from the file's names", async () => {
    const { references } = await factsOfFixture("java/Store.java");
    expect(
      references.filter((line) => /^35 use LIMIT|^36 use each|^41 use failure| var$/.test(line)),
    ).toEqual([]);
  });

  it("gives what is written above or at the start of a definition about it", async () => {
    const { facts } = await factsOfFixture("java/Store.java");
    const docs = facts.symbols.filter(({ doc }) => doc !== "");
    expect(docs.map(({ qualified, doc }) => [qualified, doc.replace(/<.*?>/g, "")])).toEqual([
      ["Store", "Keeps items."],
      ["Store.put", "Puts one in."],
    ]);
  });

  it("gives fields with their types", async () => {
    const { facts } = await factsOfFixture("java/Store.java");
    const fields = facts.fields.map(({ owner, name, type }) => [facts.symbols[owner]?.qualified, name, type]);
    expect(fields).toEqual([
      ["Store", "LIMIT", "int"],
      ["Store", "CODE", "String"],
      ["Store", "order", "Order"],
      ["Store.Pair", "left", "Item"],
      ["Store.Pair", "right", "Item"],
    ]);
  });

  it("gives imports with their sources and the names they make", async () => {
    const { facts } = await factsOfFixture("java/Store.java");
    expect(facts.imports.map(({ kind, source, bindings }) => ({ kind, source, bindings }))).toEqual([
      { kind: "import", source: "com.acme.util.Texts", bindings: [{ name: "join", local: "join" }] },
      { kind: "import", source: "com.acme.model", bindings: [{ name: "Item", local: "Item" }] },
      { kind: "import", source: "com.acme.model", bindings: [{ name: "*", local: "" }] },
      { kind: "import", source: "java.util", bindings: [{ name: "List", local: "List" }] },
    ]);
  });

  it("takes no code out of a text block (CH-22)", async () => {
    const { symbols, references } = await factsOfFixture("java/Store.java");
    expect([...symbols, ...references].filter((line) => /fake/i.test(line))).toEqual([]);
    expect(references.filter((line) => /^1[89] /.test(line))).toEqual([]);
  });
});
