import { describe, expect, it } from "vitest";
import { factsOf, factsOfFixture } from "./facts-of.js";

describe("C++", () => {
  it("gives every definition with its qualified name, its lines and whether others may use it", async () => {
    const { symbols } = await factsOfFixture("cpp/store.cpp");
    expect(symbols).toEqual([
      "module acme 7-50",
      "class acme.Shelf 10-14",
      "method acme.Shelf.~Shelf 12-12",
      "method acme.Shelf.put 13-13",
      "class acme.Store 17-27",
      "method acme.Store.Store 19-19",
      "method acme.Store.put 20-20",
      "method acme.Store.count 21-21",
      "method acme.Store.check 24-24",
      "function acme.larger 29-29",
      "enum acme.Size 31-31",
      "constant acme.Size.Small 31-31",
      "constant acme.Size.Large 31-31",
      "type acme.Items 32-32",
      "method acme.Store.put~1 34-38",
      "method acme.Store.check~1 40-40",
      "method acme.Store.~Store 42-42",
      "function acme.operator+ 44-44",
      "function acme.hidden 47-47 (hidden)",
      "module acme.tests 52-57",
      "function acme.tests.StoreTest.PutsAnItem 53-56",
    ]);
  });

  it("gives names in use with their receivers, and leaves out locals", async () => {
    const { references } = await factsOfFixture("cpp/store.cpp");
    expect(references).toEqual(
      expect.arrayContaining([
        "17 inherit Base",
        "17 inherit Shelf -> acme.Shelf",
        "35 new Purchase",
        "36 call larger -> acme.larger",
        "36 call order<Purchase>.size",
        "37 call shelf_.put",
        "37 call this.check",
        "40 call model.is_whole",
        "44 call join",
        "55 call store<Store>.put",
      ]),
    );
    expect(references).not.toContainEqual(expect.stringMatching(/ use (?:item|order|store)$/));
  });

  it("gives imports", async () => {
    const { facts } = await factsOfFixture("cpp/store.cpp");
    expect(facts.imports.map(({ kind, source, bindings }) => ({ kind, source, bindings }))).toEqual([
      { kind: "include", source: "store.hpp", bindings: [] },
      { kind: "include", source: "<vector>", bindings: [] },
      { kind: "import", source: "std", bindings: [{ name: "string", local: "string" }] },
      { kind: "import", source: "acme::model", bindings: [] },
    ]);
  });

  it("keeps the function after a body with bare macros (CM-10)", async () => {
    const { symbols } = await factsOf(
      "a.cpp",
      "class Foo {\n  void bar() {\n    Q_FOREACH(x, y)\n    SOME_MACRO\n    run();\n  }\n  void next() { go(); }\n};\nvoid Foo::one() {\n  BARE_MACRO\n  for (;;) { step(); }\n  ANOTHER\n}\nvoid two() { other(); }\n",
    );
    expect(symbols).toEqual([
      "class Foo 1-8",
      "method Foo.bar 2-6",
      "method Foo.next 7-7",
      "method Foo.one 9-13",
      "function two 14-14",
    ]);
  });

  it("gives a class whose name stands after a macro", async () => {
    const { symbols } = await factsOf(
      "a.hpp",
      "class API_EXPORT Foo : public Base {\n public:\n  static Foo *make();\n  int total() const;\n};\nint after() { return 1; }\n",
    );
    expect(symbols).toEqual([
      "class Foo 1-5",
      "method Foo.make 3-3",
      "method Foo.total 4-4",
      "function after 6-6",
    ]);
  });

  it.each([
    ["class Foo {\n};\n", "cpp"],
    ["namespace a {\n}\n", "cpp"],
    ["template <typename T>\nT f(T a);\n", "cpp"],
    ["struct foo { int class_count; };\nint f(void);\n", "c"],
  ])("reads a .h file as the language that its text uses: %j", async (text, language) => {
    expect((await factsOf("include/a.h", text)).facts.language).toBe(language);
  });
});
