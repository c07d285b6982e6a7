import { describe, expect, it } from "vitest";
import { checkPointers } from "../../src/knowledge/index.js";

const NOTE = `# Exports

See [the registry](../../src/export/registry.ts#L3), [the page](../tech/exports.md) and [gone](../tech/gone.md).
Cells: \`src/lib/cells.ts:12\`, \`src/lib/cells.ts#quoteCell\`; was \`src/old/cells.ts\`.
Patterns such as \`src/**/*.ts\` and \`npm test\`, others' files such as \`packages/x/a.ts\`, [a page](https://example.org/x.md).

\`\`\`
[not a link](nowhere.md) \`src/none.ts\`
\`\`\`
`;
const PATHS = new Set(["src/export/registry.ts", "src/lib/cells.ts", "context/tech/exports.md"]);

describe("pointers of documents", () => {
  it("that lead nowhere are named at their line, others and code are left alone", () => {
    const tree = new Map([["context/experience/exports.md", NOTE]]);
    expect(checkPointers(tree, PATHS)).toEqual([
      {
        file: "context/experience/exports.md",
        line: 3,
        code: "link-broken",
        message: "The link to ../tech/gone.md leads nowhere: correct it, or delete it.",
      },
      {
        file: "context/experience/exports.md",
        line: 4,
        code: "pointer-stale",
        message: "src/old/cells.ts is gone: point to where it is now, or retire what is said about it.",
      },
    ]);
  });

  it.each(["context/deposits/01JBBBBBBBBBBBBBBBBBBB0001.md", "context/rules/risk-rules.md"])(
    "of %s are not looked at here: its pull request brings them, or the rule says what it loads",
    (file) => {
      expect(checkPointers(new Map([[file, NOTE]]), PATHS)).toEqual([]);
    },
  );
});
