import { readFile, readdir } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { createGrammars } from "../../src/codemap/extract/grammars.js";
import {
  CAPTURE_CELLS,
  MATCH_CELLS,
  type Matcher,
  type Matches,
  START_CELL,
  createMatcher,
} from "../../src/codemap/extract/matches.js";
import { startRuntime } from "../../src/codemap/extract/runtime.js";
import { type Language, languageOfFile } from "../../src/codemap/languages.js";

const FIXTURES = new URL("../fixtures/codemap/", import.meta.url);
const grammars = createGrammars();

/** Each match as its pattern and, for each capture, its number, start and end. */
function readable({ cells, count, at, endOf, holds, isGuarded }: Matches): string[] {
  const found: string[] = [];
  let next = at;
  for (let left = count; left > 0; left--) {
    const [pattern = -1, captures = 0] = cells.slice(next, next + MATCH_CELLS);
    const first = next + MATCH_CELLS;
    next = first + captures * CAPTURE_CELLS;
    if (isGuarded(pattern) && !holds(pattern, first, captures)) continue;
    const each = Array.from({ length: captures }, (_, index) => first + index * CAPTURE_CELLS);
    found.push(
      `${pattern}: ${each.map((cell) => `${cells[cell]} ${cells[cell + START_CELL]}-${endOf(cell)}`).join()}`,
    );
  }
  return found;
}

async function both(language: Language, text: string): Promise<[string[], string[]]> {
  const { parser, query } = await grammars.load(language);
  const runtime = await startRuntime();
  const tree = parser.parse(text);
  if (!tree || !runtime) throw new Error("There is no tree, or no memory to read it from.");
  const run = (matcher: Matcher) => matcher.run(tree, { text, isLate: () => false }, readable);
  try {
    return [run(createMatcher(query, runtime)), run(createMatcher(query, null))];
  } finally {
    tree.delete();
  }
}

const fixtures = (await readdir(FIXTURES, { recursive: true })).filter((path) => languageOfFile(path));

describe("what a query found", () => {
  it.each(fixtures)("reads the same from memory as through the library in %s", async (path) => {
    const text = await readFile(new URL(path, FIXTURES), "utf8");
    const language = languageOfFile(path, text);
    if (!language) throw new Error(`No language for ${path}.`);
    const [fromMemory, throughNodes] = await both(language, text);
    expect(fromMemory.length).toBeGreaterThan(10);
    expect(fromMemory).toEqual(throughNodes);
  });

  it.each([
    [
      "a.ts",
      'const a = require("b");\nmodule.exports = { a };\nexport class C extends D {}\n// 😀\nf(x?.y<T>());\n',
    ],
    ["a.js", "const { a: b } = require('c');\nexports.f = () => { g(`${h}`); };\nclass { (\n"],
    ["a.tsx", "export const A = () => <B.C d={e}>{f}</B.C>;\n"],
  ])("reads the same from memory as through the library in a text of %s", async (path, text) => {
    const language = languageOfFile(path);
    if (!language) throw new Error(`No language for ${path}.`);
    const [fromMemory, throughNodes] = await both(language, text);
    expect(fromMemory.length).toBeGreaterThan(5);
    expect(fromMemory).toEqual(throughNodes);
  });
});
