import { describe, expect, it } from "vitest";
import { factsOf, factsOfFixture } from "./facts-of.js";

describe("Ruby", () => {
  it("gives every definition with its qualified name, its lines and whether others may use it", async () => {
    const { symbols } = await factsOfFixture("ruby/store.rb");
    expect(symbols).toEqual([
      "module Acme 6-56",
      "constant Acme.LIMIT 8-8",
      "class Acme.Store 11-40",
      "method Acme.Store.count 15-15",
      "method Acme.Store.empty 18-20",
      "method Acme.Store.initialize 22-25",
      "method Acme.Store.put 27-31",
      "method Acme.Store.add 33-33",
      "method Acme.Store.check 37-39 (hidden)",
      "class Acme.Store.Small 42-44",
      "method Acme.Store.Small.each 43-43",
      "constant Acme.SQL 46-46",
      "method Acme.larger 53-55",
      "class Point 58-58",
    ]);
  });

  it("gives names in use with their receivers, and leaves out locals", async () => {
    const { references } = await factsOfFixture("ruby/store.rb");
    expect(references).toEqual(
      expect.arrayContaining([
        "11 inherit Base",
        "12 inherit Comparable",
        "13 inherit Shelf.Helpers",
        "28 new Purchase",
        "29 call larger -> Acme.larger",
        "29 call order<Purchase>.size",
        "30 call @shelf.put",
        "30 call check -> Acme.Store.check",
        "30 call part.whole?",
        "62 call Acme::Store.empty",
      ]),
    );
    expect(references).not.toContainEqual(expect.stringMatching(/ use (?:item|order|part|shelf)$/));
  });

  it("gives imports", async () => {
    const { facts } = await factsOfFixture("ruby/store.rb");
    expect(facts.imports.map(({ kind, source, bindings }) => ({ kind, source, bindings }))).toEqual([
      { kind: "include", source: "set", bindings: [] },
      { kind: "include", source: "../model/item", bindings: [] },
    ]);
  });

  it("takes nothing in a heredoc for code (CH-22)", async () => {
    const { symbols, references } = await factsOf(
      "a.rb",
      "A = <<~TEXT\n  def phantom\n    ghost(1)\n  end\n  class Nothing; end\nTEXT\ndef real = A\n",
    );
    expect(symbols).toEqual(["constant A 1-1", "method real 7-7"]);
    expect(references).toEqual(["7 use A -> A"]);
  });

  it("names each of several accessors, and predicates by their whole name", async () => {
    const { symbols, references } = await factsOf(
      "a.rb",
      "class A\n  attr_reader :one, :two\n  def done? = two.nil?\n  def finish! = done? ? one : two\nend\n",
    );
    expect(symbols).toEqual([
      "class A 1-5",
      "method A.one 2-2",
      "method A.two 2-2",
      "method A.done? 3-3",
      "method A.finish! 4-4",
    ]);
    expect(references).toEqual(
      expect.arrayContaining(["3 call two.nil?", "4 call done? -> A.done?", "4 use one -> A.one"]),
    );
  });
});
