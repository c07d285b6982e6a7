import { expect, it } from "vitest";
import { match, shareKnowledge } from "../../src/knowledge/index.js";

const rule = (id: string, keyword: string, file: string) =>
  `# Context rules\n\n## ${id} x\n\n- keywords: ${keyword}\n- load: \`context/tech/${file}.md\`\n`;
const RULES = "context/rules/context-rules.md";

it("shared knowledge counts beside a repository's own: all rules, the own one of two documents, no index, no events", () => {
  const own = new Map([
    [RULES, rule("R-AAAAAA", "till", "till")],
    ["context/tech/till.md", "ours"],
    ["AGENTS.md", "ours"],
  ]);
  const theirs = new Map([
    [RULES, rule("R-BBBBBB", "wallet", "wallet")],
    ["context/tech/till.md", "theirs"],
    ["context/tech/wallet.md", "theirs"],
    ["context/INDEX.md", "theirs"],
    ["context/events/2026-11/x.jsonl", "{}"],
    ["AGENTS.md", "theirs"],
    ["requirements/INDEX.md", "theirs"],
  ]);
  const { tree, shared } = shareKnowledge(own, theirs);
  expect([...shared]).toEqual(["context/tech/wallet.md"]);
  expect([
    tree.get("context/tech/till.md"),
    tree.get("AGENTS.md"),
    tree.has("requirements/INDEX.md"),
  ]).toEqual(["ours", "ours", false]);
  const found = match(tree, { text: "wallet and till", paths: [], labels: [], symbols: [], phase: null });
  expect(found.context.files.map(({ path }) => path)).toEqual([
    "context/tech/till.md",
    "context/tech/wallet.md",
  ]);
});
