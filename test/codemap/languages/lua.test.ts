import { describe, expect, it } from "vitest";
import { factsOfFixture } from "./facts-of.js";

describe("Lua", () => {
  it("gives every definition with the table that it is put into, and whether others may use it", async () => {
    const { symbols, facts } = await factsOfFixture("lua/store.lua");
    expect(symbols).toEqual([
      "variable Store 5-5",
      "variable LIMIT 8-8",
      "variable count 9-9 (hidden)",
      "method Store.new 12-16",
      "method Store.put 19-23",
      "function check 25-30",
      "function larger 32-34",
      "method Store.clear 36-38",
    ]);
    expect(facts.exports).toEqual([
      { name: "Store", local: "Store" },
      { name: "check", local: "check" },
    ]);
  });

  it("gives names in use with their receivers, and leaves out locals", async () => {
    const { references } = await factsOfFixture("lua/store.lua");
    expect(references).toEqual(
      expect.arrayContaining([
        "20 call model.order",
        "21 use count -> count",
        "21 call larger -> larger",
        "22 call self.shelf.put",
        "22 call check -> check",
        "27 call part.whole",
      ]),
    );
    expect(references).not.toContainEqual(expect.stringMatching(/ use (?:item|order|part|index|shelf)$/));
  });

  it("gives imports", async () => {
    const { facts } = await factsOfFixture("lua/store.lua");
    expect(facts.imports.map(({ source, bindings }) => [source, bindings])).toEqual([
      ["acme.base", [{ name: "*", local: "Base" }]],
      ["acme.model", [{ name: "*", local: "model" }]],
    ]);
  });
});
