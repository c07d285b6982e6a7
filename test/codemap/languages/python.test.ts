import { describe, expect, it } from "vitest";
import { factsOfFixture } from "./facts-of.js";

describe("Python", () => {
  it("gives every definition with its qualified name, its lines and whether others may use it", async () => {
    const { symbols } = await factsOfFixture("python/store.py");
    expect(symbols).toEqual([
      "constant LIMIT 11-11",
      "variable opened 12-12",
      "function open_store 15-22",
      "class Store 25-54",
      "constant Store.DEPTH 28-28",
      "variable Store.log 29-29",
      "method Store.__init__ 31-32",
      "method Store.size 35-36",
      "method Store.put 38-51",
      "class Store.Full 53-54",
      "function _hidden 57-61 (hidden)",
      "function _hidden.join 58-59",
      "function join 64-65",
      "function test_store 68-70",
    ]);
  });

  it("gives names in use with their receivers and what they are bound to", async () => {
    const { references } = await factsOfFixture("python/store.py");
    expect(references).toEqual(
      expect.arrayContaining([
        "15 type Store -> Store",
        "20 use opened -> opened",
        "21 use opened -> opened",
        "22 call Store -> Store",
        "25 inherit shelf.Base",
        "25 inherit Generic",
        "32 use self.order",
        "32 call Purchase",
        "32 use LIMIT -> LIMIT",
        "36 call self.order.size",
        "36 call ?.join",
        "39 call Purchase",
        "41 call open",
        "41 call paths.join",
        "42 call handle<open()>.read",
        "44 call order<Purchase()>.add",
        "46 call Full",
        "50 use shelf.ok",
        "51 use shelf",
        "51 call shelf.find",
        "51 call _hidden -> _hidden",
        "53 inherit Exception",
        "61 call join -> _hidden.join",
        "69 call open_store -> open_store",
        "70 call store<open_store()>.put",
        "70 call join -> join",
      ]),
    );
  });

  it("keeps locals of assignments, loops, comprehensions, handlers and arguments apart from the file's names", async () => {
    const { references } = await factsOfFixture("python/store.py");
    expect(
      references.filter((line) =>
        /^(?:40|47|48) .*(?:open_store|index|LIMIT)|^50 use shelf$|^32 use limit$/.test(line),
      ),
    ).toEqual([]);
  });

  it("gives what is written above or at the start of a definition about it", async () => {
    const { facts } = await factsOfFixture("python/store.py");
    const docs = facts.symbols.filter(({ doc }) => doc !== "");
    expect(docs.map(({ qualified, doc }) => [qualified, doc.replace(/<.*?>/g, "")])).toEqual([
      ["open_store", "Open a store."],
      ["Store", "Keeps items."],
    ]);
  });

  it("gives fields with their types", async () => {
    const { facts } = await factsOfFixture("python/store.py");
    const fields = facts.fields.map(({ owner, name, type }) => [facts.symbols[owner]?.qualified, name, type]);
    expect(fields).toEqual([
      ["Store", "log", "Logger"],
      ["Store", "order", "Purchase"],
    ]);
  });

  it("gives imports with their sources and the names they make", async () => {
    const { facts } = await factsOfFixture("python/store.py");
    expect(facts.imports.map(({ kind, source, bindings }) => ({ kind, source, bindings }))).toEqual([
      { kind: "import", source: "os", bindings: [{ name: "*", local: "os" }] },
      { kind: "import", source: "os.path", bindings: [{ name: "*", local: "paths" }] },
      { kind: "import", source: "acme.model.item", bindings: [] },
      { kind: "import", source: ".", bindings: [{ name: "shelf", local: "shelf" }] },
      {
        kind: "import",
        source: "..model.order",
        bindings: [
          { name: "Order", local: "Purchase" },
          { name: "Item", local: "Item" },
        ],
      },
      { kind: "import", source: ".rules", bindings: [{ name: "*", local: "" }] },
    ]);
  });

  it("knows a variable that a function calls global (CM-13)", async () => {
    const { references } = await factsOfFixture("python/store.py");
    expect(references.filter((line) => line.includes("opened"))).toEqual([
      "20 use opened -> opened",
      "21 use opened -> opened",
    ]);
  });

  it("binds a nested function inside of its function only, and a method of a string to nothing (CM-13, CM-15)", async () => {
    const { references } = await factsOfFixture("python/store.py");
    expect(references.filter((line) => line.includes("join"))).toEqual([
      "36 call ?.join",
      "41 call paths.join",
      "61 call join -> _hidden.join",
      "70 call join -> join",
    ]);
  });
});
