import { describe, expect, it } from "vitest";
import { factsOfFixture } from "./facts-of.js";

describe("Rust", () => {
  it("gives every definition with its qualified name, its lines and whether others may use it", async () => {
    const { symbols } = await factsOfFixture("rust/store.rs");
    expect(symbols).toEqual([
      "module rules 5-5",
      "constant LIMIT 8-8",
      "variable OPENED 9-9 (hidden)",
      "class Store 15-18",
      "enum Size 20-23",
      "constant Size.Small 21-21",
      "constant Size.Large 22-22",
      "interface Keep 25-29",
      "type Keep.Out 26-26",
      "method Keep.keep 27-27",
      "method Keep.drop_all 28-28",
      "constant Store.DEPTH 32-32",
      "method Store.new 35-38",
      "method Store.check 40-50 (hidden)",
      "type Store.Out 54-54",
      "method Store.keep 55-58",
      "function open 61-64 (hidden)",
      "macro format_line 66-70",
      "module tests 72-80 (hidden)",
      "function tests.keeps 76-79 (hidden)",
    ]);
  });

  it("gives names in use with their receivers and what they are bound to", async () => {
    const { references } = await factsOfFixture("rust/store.rs");
    expect(references).toEqual(
      expect.arrayContaining([
        "15 type Keep -> Keep",
        "16 type Purchase",
        "25 inherit Base",
        "31 type Keep -> Keep",
        "31 type Store -> Store",
        "36 call Vec.new",
        "37 new Store -> Store",
        "41 call Line.new",
        "42 call line<Line>.add",
        "43 call self.order.find",
        "44 call found.touch",
        "46 call item<Item>.size",
        "47 use Size -> Size",
        "47 call open -> open",
        "48 call other.touch",
        "48 use rules -> rules",
        "48 call rules.limit",
        "53 type Keep -> Keep",
        "53 implement Keep -> Keep",
        "53 type Store -> Store",
        "56 call format_line -> format_line",
        "57 call self.check",
        "57 use LIMIT -> LIMIT",
        "63 call model.load",
        "77 call Store.new",
        "77 call Purchase.default",
      ]),
    );
  });

  it("keeps parameters, patterns and closures apart from the file's names", async () => {
    const { references } = await factsOfFixture("rust/store.rs");
    expect(
      references.filter((line) =>
        /^42 use LIMIT|^47 use depth|^48 use each|^62 use open|^\d+ type [TF]$/.test(line),
      ),
    ).toEqual([]);
  });

  it("gives what is written above or at the start of a definition about it", async () => {
    const { facts } = await factsOfFixture("rust/store.rs");
    const docs = facts.symbols.filter(({ doc }) => doc !== "");
    expect(docs.map(({ qualified, doc }) => [qualified, doc.replace(/<.*?>/g, "")])).toEqual([
      ["LIMIT", "How much fits."],
      ["Store", "Keeps items."],
      ["Store.new", "Makes one."],
    ]);
  });

  it("gives fields with their types", async () => {
    const { facts } = await factsOfFixture("rust/store.rs");
    const fields = facts.fields.map(({ owner, name, type }) => [facts.symbols[owner]?.qualified, name, type]);
    expect(fields).toEqual([
      ["Store", "order", "Purchase"],
      ["Store", "items", "Vec<T>"],
    ]);
  });
});
