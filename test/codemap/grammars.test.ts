import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import { createGrammars } from "../../src/codemap/extract/grammars.js";
import { LANGUAGES, grammarFile } from "../../src/codemap/languages.js";

/** What of the engine is used here: it belongs to the browser's types, which the project does without. */
declare const WebAssembly: {
  compile(bytes: Uint8Array): Promise<object>;
  Module: Record<"imports" | "exports", (module: object) => { name: string; kind: string }[]>;
};

const RUNTIME = createRequire(import.meta.url).resolve("web-tree-sitter/web-tree-sitter.wasm");
/** Where a grammar stops by itself when its own checks fail: never called by what is shipped, and harmless to lack. */
const HARMLESS = new Set(["__assert_fail", "abort"]);

async function offered(): Promise<ReadonlySet<string>> {
  const runtime = await WebAssembly.compile(await readFile(RUNTIME));
  const named = [...WebAssembly.Module.exports(runtime), ...WebAssembly.Module.imports(runtime)];
  return new Set(named.map(({ name }) => name));
}

/** Functions that a grammar calls and nobody gives it. They are looked for at their first use only, when a file is being parsed. */
async function missing(grammar: Uint8Array): Promise<string[]> {
  const module = await WebAssembly.compile(grammar);
  const runtime = await offered();
  const own = new Set(WebAssembly.Module.exports(module).map(({ name }) => name));
  return WebAssembly.Module.imports(module)
    .filter(({ kind }) => kind === "function")
    .map(({ name }) => name)
    .filter((name) => !runtime.has(name) && !own.has(name) && !HARMLESS.has(name));
}

describe("the grammars", () => {
  it.each(LANGUAGES.map((language) => [language.name, language] as const))(
    "CM-20 %s calls no function that the runtime lacks",
    async (_, language) => {
      expect(await missing(await readFile(grammarFile(language)))).toEqual([]);
    },
  );

  it("CM-20 a grammar that calls isalpha, which the runtime lacks, is found out", async () => {
    const text = (word: string) => [word.length, ...Buffer.from(word)];
    const entry = [...text("env"), ...text("isalpha"), 0, 0];
    const header = [0, 97, 115, 109, 1, 0, 0, 0];
    const types = [1, 4, 1, 96, 0, 0];
    const grammar = Uint8Array.from([header, types, [2, entry.length + 1, 1], entry].flat());
    expect(await missing(grammar)).toEqual(["isalpha"]);
  });

  it("CM-20 one after another read noise and then a word in every language, in one process", async () => {
    const grammars = createGrammars();
    for (const language of LANGUAGES) {
      const { parser, matcher } = await grammars.load(language);
      for (const text of ["\u0000\uFFFF\"'`<<EOF\n#{[(/*", "a\n"]) {
        const tree = parser.parse(text);
        if (!tree) throw new Error(`${language.name} makes no tree.`);
        expect(() => matcher.run(tree, { text, isLate: () => false, take: () => true })).not.toThrow();
        tree.delete();
      }
    }
  });
});
