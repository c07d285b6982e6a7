import { describe, expect, it } from "vitest";
import { factsOf, factsOfFixture } from "./facts-of.js";

describe("C", () => {
  it("gives every definition with its qualified name, its lines and whether others may use it", async () => {
    const { symbols } = await factsOfFixture("c/store.c");
    expect(symbols).toEqual([
      "macro LIMIT 5-5",
      "macro LARGER 6-6",
      "class store 9-12",
      "type store_t 14-14",
      "enum size 15-15",
      "constant size.SMALL 15-15",
      "constant size.LARGE 15-15",
      "variable total 17-17 (hidden)",
      "variable opened 18-18",
      "function store_put 25-31",
      "function check 33-36 (hidden)",
      "function store_log 39-42",
      "function store_log~1 44-44",
      "function store_find 47-50",
    ]);
  });

  it("gives names in use with their receivers, and leaves out locals", async () => {
    const { references } = await factsOfFixture("c/store.c");
    expect(references).toEqual(
      expect.arrayContaining([
        "25 type store_t -> store_t",
        "27 call item_size",
        "28 call LARGER -> LARGER",
        "29 use total -> total",
        "30 call self->shelf.put",
        "30 call check -> check",
        "28 use self<store_t>.count",
        "41 use LIMIT -> LIMIT",
        "49 call shelf_find",
      ]),
    );
    expect(references).not.toContainEqual(expect.stringMatching(/ use (?:item|self|is_wanted|size)$/));
  });

  it("gives imports", async () => {
    const { facts } = await factsOfFixture("c/store.c");
    expect(facts.imports.map(({ kind, source, bindings }) => ({ kind, source, bindings }))).toEqual([
      { kind: "include", source: "<stdio.h>", bindings: [] },
      { kind: "include", source: "shelf.h", bindings: [] },
      { kind: "include", source: "model/item.h", bindings: [] },
    ]);
  });

  it("gives documentation and signatures, and takes no directive for documentation", async () => {
    const { facts } = await factsOfFixture("c/store.c");
    const found = Object.fromEntries(facts.symbols.map((symbol) => [symbol.qualified, symbol]));
    expect(found["store"]).toMatchObject({ doc: "Keeps items.", signature: "struct store" });
    expect(found["store_put"]).toMatchObject({
      doc: "Puts an item away.",
      signature: "int store_put(store_t *self, struct item *item)",
    });
    expect(found["store_log"]?.doc).toBe("");
  });

  it("keeps functions inside #ifdef, however deep (CM-09)", async () => {
    const { symbols, facts } = await factsOf(
      "a.c",
      "#ifdef A\nint one(void) { return 1; }\n#if B > 1\nstatic char *two(void) { return 0; }\n#elif C\nint three(void) { return 3; }\n#else\nint four(void);\n#endif\n#endif\nint five;\n",
    );
    expect(symbols).toEqual([
      "function one 2-2",
      "function two 4-4 (hidden)",
      "function three 6-6",
      "function four 8-8",
      "variable five 11-11",
    ]);
    expect(facts.partial).toBeNull();
  });

  it("gives the function after one whose braces #ifdef splits, and says that the file is partial (CH-20)", async () => {
    const { symbols, facts } = await factsOf(
      "a.c",
      "#ifdef A\nint f(int a) {\n#else\nint f(long a) {\n#endif\n  return 1;\n}\nint g(void) { return 2; }\n",
    );
    expect(symbols).toContain("function g 8-8");
    expect(facts.partial).toMatch(/^syntax error/);
  });

  it("makes no definition of a macro's call", async () => {
    const { symbols } = await factsOf(
      "a.c",
      "#define FOO(x) int x\nFOO(foo);\nFOO(bar)\nint baz(void) { return 1; }\n",
    );
    expect(symbols).toContain("macro FOO 1-1");
    expect(symbols.filter((symbol) => symbol.includes("FOO"))).toHaveLength(1);
    expect(symbols).toContainEqual(expect.stringContaining("function baz"));
  });

  it("gives prototypes of a header once, and its guard is no macro", async () => {
    const { symbols, facts } = await factsOf(
      "a.h",
      "#ifndef A_H\n#define A_H\n#define WITH_LOG\nextern int level, depth;\nint one(void);\nchar *two(int a);\ntypedef struct { int a; } pair_t;\n#endif\n",
    );
    expect(facts.language).toBe("c");
    expect(symbols).toEqual([
      "macro WITH_LOG 3-3",
      "variable level 4-4",
      "variable depth 4-4",
      "function one 5-5",
      "function two 6-6",
      "class pair_t 7-7",
    ]);
  });
});
