import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createBinder, createCodeMap } from "../../src/codemap/index.js";
import { type MappedCheckout, mappedCheckout, signal } from "../support/mapped-checkout.js";
import { prose, seededBytes } from "../support/seeded-bytes.js";

let checkout: MappedCheckout;
beforeEach(async () => {
  checkout = await mappedCheckout();
});
afterEach(() => checkout.close());

const GOOD = "export function good(): number {\n  return 1;\n}\n";
const manyTimes = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at)).join("\n");

describe("a tree with hostile files", () => {
  it("CH-01 CH-02 CH-04 CH-05 are skipped or partial with the reason, and every file beside them is whole", async () => {
    const good = manyTimes(20, String)
      .split("\n")
      .map((at) => [`good-${at}.ts`, `export function good${at}() {}\n`] as const);
    checkout.write({
      ...Object.fromEntries(good),
      "prose.js": prose(500_000),
      "braces.js": "{".repeat(20_000),
      "braces-in-lines.js": "{\n".repeat(20_000),
      "noise.js": seededBytes(200_000, 1),
      "noise.cpp": seededBytes(200_000, 2),
      "one-line.js": manyTimes(25_000, (at) => `function f${at}(a,b){return a+b}`).replaceAll("\n", ";"),
      "printable.js": Buffer.from(seededBytes(200_000, 3).map((byte) => (byte % 96) + 32 || 10)),
      "huge.js": "x;\n".repeat(400_000),
    });
    const { index } = await checkout.open();
    const { skipped, partial } = await index.refresh({}, signal);
    expect(skipped).toEqual([
      { path: "braces.js", reason: "minified" },
      { path: "huge.js", reason: "larger than 1 MB" },
      { path: "noise.cpp", reason: "binary" },
      { path: "noise.js", reason: "binary" },
      { path: "one-line.js", reason: "minified" },
      { path: "printable.js", reason: "minified" },
    ]);
    expect(partial.map(({ path }) => path)).toEqual(["braces-in-lines.js", "prose.js"]);
    for (const { reason } of partial) expect(reason).toMatch(/^took longer than|^syntax error at line/);
    for (const [path] of good) expect(index.file(path)?.partial).toBeNull();
    for (let at = 0; at < 20; at++) expect(index.defining(`good${at}`)).toEqual([`good-${at}.ts`]);
  });

  it("CH-10 reads UTF-16 of either order, with and without a mark, and a file that ends within a letter", async () => {
    const little = Buffer.from(GOOD, "utf16le");
    const big = Buffer.from(little).swap16();
    checkout.write({
      "little.ts": Buffer.concat([Buffer.from([0xff, 0xfe]), little]),
      "big.ts": Buffer.concat([Buffer.from([0xfe, 0xff]), big]),
      "big-unmarked.ts": big,
      "cut.ts": Buffer.concat([Buffer.from([0xff, 0xfe]), little, Buffer.from([0x20])]),
      "utf8.ts": GOOD,
    });
    const { index } = await checkout.open();
    await index.refresh({}, signal);
    expect(index.defining("good")).toEqual(["big-unmarked.ts", "big.ts", "cut.ts", "little.ts", "utf8.ts"]);
    expect(index.facts("big.ts")?.symbols).toEqual(index.facts("utf8.ts")?.symbols);
  });

  it("CM-02 CM-12 components and files with letters beyond ASCII are mapped under their own names", async () => {
    checkout.write({
      "部件/按钮.vue":
        "<template><b>{{ label }}</b></template>\n<script setup>\nfunction press() {}\n</script>\n",
      "naïve/Café.svelte": '<script lang="ts">\n  export function brew(): void {}\n</script>\n<p>{x}</p>\n',
      "a file#b.ts": "export function sharp() {}\n",
    });
    await checkout.commit("first");
    const { index } = await checkout.open();
    await index.refresh({}, signal);
    expect(index.defining("press")).toEqual(["部件/按钮.vue"]);
    expect(index.defining("brew")).toEqual(["naïve/Café.svelte"]);
    expect(index.defining("sharp")).toEqual(["a file#b.ts"]);
    expect(index.facts("naïve/Café.svelte")?.symbols[0]).toMatchObject({ line: 2, column: 18 });
  });

  it("asked what a text that is no code can break, the map says that it does not know the file", async () => {
    checkout.write({ "README.md": "# x\n", "a.ts": GOOD });
    const { index } = await checkout.open();
    await index.refresh({}, signal);
    const map = createCodeMap({ index, binder: createBinder(index), read: async () => null });
    expect(() => map.impact("README.md")).toThrow(/^README\.md is not in the code map: .*Read it as text\.$/);
  });

  it("an empty file, one of spaces only and one without a last line end are whole", async () => {
    checkout.write({ "empty.ts": "", "spaces.py": "  \n\n", "open.go": "package a\nfunc Open() {}" });
    const { index } = await checkout.open();
    expect(await index.refresh({}, signal)).toMatchObject({ files: 3, partial: [], skipped: [] });
    expect(index.facts("open.go")?.symbols[0]).toMatchObject({ name: "Open", from: 2, to: 2 });
  });
});
