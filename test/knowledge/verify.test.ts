import { describe, expect, it } from "vitest";
import {
  citedCode,
  formatEvidence,
  lookUpCited,
  match,
  parseNote,
  type Lookups,
  type Tree,
} from "../../src/knowledge/index.js";
import { aQuery } from "./samples.js";

const CODE = "export function issue() {\n  return 1;\n}\n";
const FUNCTION = "export function issue() {\n  return 1;\n}";

function verified(evidence: string, files: Record<string, string>, lookups: Lookups = {}) {
  const note = `## Triggers\n\n- keywords: wallet\n\n## Solution\n\nx\n\n## Related\n\n- ${evidence}\n`;
  const tree = new Map(Object.entries({ "context/experience/a.md": note, ...files }));
  return match(tree, aQuery({ text: "wallet" }), lookups).pattern.files[0]?.verified;
}
const symbolOf =
  (text: string | null): Lookups["symbolText"] =>
  (path, symbol) =>
    path === "src/a.ts" && symbol === "issue" ? text : null;

describe("verification when reading", () => {
  const bySymbol = formatEvidence({ path: "src/a.ts", symbol: "issue", text: FUNCTION });
  const byFile = formatEvidence({ path: "src/a.ts", symbol: null, text: CODE });

  it("writes lines that name path, symbol and hash", () => {
    expect(bySymbol).toMatch(/^`src\/a\.ts` @ `issue` sha256:[0-9a-f]{16}$/);
    expect(byFile).toMatch(/^`src\/a\.ts` sha256:[0-9a-f]{16}$/);
    const { note } = parseNote("context/experience/a.md", `## Related\n\n- ${bySymbol}\n- see #12\n`);
    expect(citedCode([note])).toEqual([
      { path: "src/a.ts", symbol: "issue", hash: expect.stringMatching(/^[0-9a-f]{16}$/) },
    ]);
  });

  it("holds while the cited definition is the same, whatever else changes in its file", () => {
    const changed = { "src/a.ts": `// new\n${CODE}export const other = 2;\n` };
    expect(verified(bySymbol, changed, { symbolText: symbolOf(FUNCTION) })).toBe(true);
    expect(verified(bySymbol, changed, { symbolText: symbolOf(FUNCTION.replaceAll("\n", "\r\n")) })).toBe(
      true,
    );
    expect(verified(bySymbol, changed, { symbolText: symbolOf(FUNCTION.replace("1", "2")) })).toBe(false);
    expect(verified(bySymbol, changed, { symbolText: symbolOf(null) })).toBe(false);
  });

  it("of a file without a symbol asks for the whole file", () => {
    expect(verified(byFile, { "src/a.ts": CODE })).toBe(true);
    expect(verified(byFile, { "src/a.ts": CODE.replaceAll("\n", "\r\n") })).toBe(true);
    expect(verified(byFile, { "src/a.ts": `${CODE}x` }, { symbolText: symbolOf(FUNCTION) })).toBe(false);
  });

  it("says nothing of code that cannot be seen, and knows when it is gone", () => {
    expect(verified(byFile, {})).toBe(null);
    expect(verified(bySymbol, {})).toBe(null);
    expect(verified(bySymbol, {}, { symbolText: symbolOf(null) })).toBe(false);
    expect(verified("see `src/a.ts`", { "src/a.ts": CODE })).toBe(null);
    expect(verified(byFile, {}, { fileText: () => null })).toBe(false);
    expect(verified(bySymbol, {}, { fileText: () => null })).toBe(null);
  });

  it("reads the cited code, and looks for a definition only where its file is another", async () => {
    const asked: string[] = [];
    const lookups = async (evidence: string, file: string | null, definition: string | null) => {
      const note = `## Triggers\n\n- keywords: wallet\n\n## Related\n\n- ${evidence}\n`;
      const tree: Tree = new Map([["context/experience/a.md", note]]);
      const found = await lookUpCited(tree, {
        file: async () => file,
        definition: async (path, symbol) => {
          asked.push(`${path}#${symbol}`);
          return definition;
        },
      });
      return match(tree, aQuery({ text: "wallet" }), found).pattern.files[0]?.verified;
    };
    expect(await lookups(byFile, CODE, null)).toBe(true);
    expect(await lookups(byFile, null, null)).toBe(false);
    expect(asked).toEqual([]);
    expect(await lookups(bySymbol, `${CODE}// more\n`, FUNCTION)).toBe(true);
    expect(await lookups(bySymbol, null, FUNCTION)).toBe(true);
    expect(await lookups(bySymbol, CODE.replace("1", "2"), FUNCTION.replace("1", "2"))).toBe(false);
    expect(asked).toEqual(["src/a.ts#issue", "src/a.ts#issue", "src/a.ts#issue"]);
  });
});
