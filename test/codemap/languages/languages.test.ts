import { describe, expect, it } from "vitest";
import { createGrammars } from "../../../src/codemap/extract/grammars.js";
import { LANGUAGES, grammarFile } from "../../../src/codemap/languages.js";

describe("languages", () => {
  it.each(LANGUAGES.map((language) => [language.name, language] as const))(
    "%s has a grammar that loads and queries that fit it",
    async (_, language) => {
      await expect(createGrammars().load(language)).resolves.toHaveProperty("matcher");
    },
  );

  it("has one language for each extension", () => {
    const extensions = LANGUAGES.flatMap((language) => language.extensions);
    expect(new Set(extensions).size).toBe(extensions.length);
  });

  it("a grammar whose package is not installed says which one to install", () => {
    const [language] = LANGUAGES;
    if (!language) throw new Error("There is no language.");
    expect(() =>
      grammarFile({ ...language, name: "cobol", grammar: "@nowhere/grammars/cobol.wasm" }),
    ).toThrow(/cobol is not installed\. Run `npm install @nowhere\/grammars`/);
  });
});
