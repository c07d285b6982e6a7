import { describe, expect, it } from "vitest";
import { factsOfFixture } from "./facts-of.js";

describe("Go", () => {
  it("gives every definition with its qualified name, its lines and whether others may use it", async () => {
    const { symbols } = await factsOfFixture("go/store.go");
    expect(symbols).toEqual([
      "constant Limit 15-15",
      "variable opened 18-18 (hidden)",
      "variable first 19-19 (hidden)",
      "class Store 25-30",
      "interface Flusher 32-35",
      "method Flusher.Flush 34-34",
      "class Log 37-37",
      "type Names 39-39",
      "function Open 42-54",
      "method Store.Flush 57-57",
      "method Log.Flush 59-59",
      "method namesOf.Flush 61-61",
      "class namesOf 63-63 (hidden)",
      "function Map 65-73",
      "function TestOpen 75-75",
    ]);
  });

  it("gives names in use with their receivers and what they are bound to", async () => {
    const { references } = await factsOfFixture("go/store.go");
    expect(references).toEqual(
      expect.arrayContaining([
        "19 type Store -> Store",
        "26 inherit sh.Base",
        "27 inherit Log -> Log",
        "28 type model.Order",
        "29 type Log -> Log",
        "33 type fmt.Stringer",
        "43 new Log -> Log",
        "44 call log<Log>.Flush",
        "45 new model.Order",
        "46 new Store -> Store",
        "47 call Fields",
        "48 use fmt",
        "48 call fmt.Println",
        "50 call s<Store>.Flush",
        "57 type Store -> Store",
        "57 type error",
        "57 use s<Store>.log",
        "57 call s.log.Flush",
        "61 use opened -> opened",
        "61 use n<namesOf>.err",
        "67 type Flusher -> Flusher",
        "70 call Open -> Open",
        "71 call store<Open()>.Flush",
        "72 use first -> first",
        "75 call Open -> Open",
      ]),
    );
  });

  it("keeps parameters, range variables and keys of literals apart from the file's names", async () => {
    const { references } = await factsOfFixture("go/store.go");
    expect(
      references.filter((line) =>
        /^48 use first|^48 use Limit|^45 use Path|^46 use (?:order|log)/.test(line),
      ),
    ).toEqual([]);
  });

  it("gives what is written above or at the start of a definition about it", async () => {
    const { facts } = await factsOfFixture("go/store.go");
    const docs = facts.symbols.filter(({ doc }) => doc !== "");
    expect(docs.map(({ qualified, doc }) => [qualified, doc.replace(/<.*?>/g, "")])).toEqual([
      ["Limit", "Limit says how much fits."],
      ["Store", "Store keeps items."],
      ["Open", "Open makes a store."],
      ["Store.Flush", "Flush writes all."],
    ]);
  });

  it("gives fields with their types", async () => {
    const { facts } = await factsOfFixture("go/store.go");
    const fields = facts.fields.map(({ owner, name, type }) => [facts.symbols[owner]?.qualified, name, type]);
    expect(fields).toEqual([
      ["Store", "order", "model.Order"],
      ["Store", "log", "Log"],
      ["namesOf", "err", "error"],
    ]);
  });

  it("gives imports with their sources and the names they make", async () => {
    const { facts } = await factsOfFixture("go/store.go");
    expect(facts.imports.map(({ kind, source, bindings }) => ({ kind, source, bindings }))).toEqual([
      { kind: "import", source: "fmt", bindings: [{ name: "*", local: "fmt" }] },
      { kind: "import", source: "strings", bindings: [{ name: "*", local: "." }] },
      { kind: "import", source: "embed", bindings: [{ name: "*", local: "_" }] },
      {
        kind: "import",
        source: "example.com/acme/model",
        bindings: [{ name: "*", local: "example.com/acme/model" }],
      },
      { kind: "import", source: "example.com/acme/shelf", bindings: [{ name: "*", local: "sh" }] },
    ]);
  });

  it("keeps all three methods of one name, each with its receiver's type (CM-16)", async () => {
    const { facts } = await factsOfFixture("go/store.go");
    const flushes = facts.symbols.filter(({ name, kind }) => name === "Flush" && kind === "method");
    expect(flushes.map(({ qualified }) => qualified)).toEqual([
      "Flusher.Flush",
      "Store.Flush",
      "Log.Flush",
      "namesOf.Flush",
    ]);
  });
});
