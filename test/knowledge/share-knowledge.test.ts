import { describe, expect, it } from "vitest";
import {
  type Tree,
  depositOf,
  fold,
  formatDeposit,
  match,
  parseDeposit,
  qualify,
  readMemories,
  shareKnowledge,
  unqualify,
} from "../../src/knowledge/index.js";

const rule = (id: string, keyword: string, file: string) =>
  `# Context rules\n\n## ${id} x\n\n- keywords: ${keyword}\n- load: \`context/tech/${file}.md\`\n`;
const RULES = "context/rules/context-rules.md";
const NOW = "2026-11-30T10:00:00Z";

const found = (tree: Tree, text: string, paths: string[] = [], symbols: string[] = []) =>
  match(tree, { text, paths, labels: [], symbols, phase: null });

it("shared knowledge counts beside a repository's own: all rules, the own one of two documents, what was said again, no index", () => {
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
    ["context/session/x.md", "theirs"],
    ["AGENTS.md", "theirs"],
    ["requirements/INDEX.md", "theirs"],
  ]);
  const { tree, shared } = shareKnowledge(own, theirs, "acme/till");
  expect([...shared]).toEqual(["context/tech/wallet.md", "context/events/2026-11/x.jsonl"]);
  expect([
    tree.get("context/tech/till.md"),
    tree.get("AGENTS.md"),
    tree.has("requirements/INDEX.md"),
  ]).toEqual(["ours", "ours", false]);
  expect(found(tree, "wallet and till").context.files.map(({ path }) => path)).toEqual([
    "context/tech/till.md",
    "context/tech/wallet.md",
  ]);
});

it("of two documents with one path the sections count that only the shared one has", () => {
  const FACTS = "context/tech/facts.md";
  const own = new Map([[FACTS, "# Technical facts\n\n## Cache\n\nOurs is Redis.\n"]]);
  const theirs = new Map([
    [FACTS, "# Technical facts\n\n## Cache\n\nTheirs is memcached.\n\n## Queue\n\nKafka 3.\n"],
  ]);
  expect(shareKnowledge(own, theirs, "acme/till").tree.get(FACTS)).toBe(
    "# Technical facts\n\n## Cache\n\nOurs is Redis.\n\n## Queue\n\nKafka 3.\n",
  );
});

const TEXT =
  "Never write CSV by hand in `src/export/users.ts`, nor in src/report/daily.ts: use `toCsv` and/or ask. See `context/tech/csv.md`, `a b/c`, https://example.org/x/y.ts";

function depositIn(into?: string) {
  let count = 0;
  const made = depositOf({
    text: TEXT,
    by: "maya",
    source: "https://example.org/acme/shop/issues/1",
    run: "01JB8Z0000000000000000000A",
    at: NOW,
    language: "en",
    path: null,
    symbols: [],
    requirement: "REQ-1",
    newId: () => "01JB8Z0000000000000000000A",
    newNoteId: () => `EXP-0000000${++count}`,
    newRuleId: () => `R-00000${++count}`,
  });
  return into === undefined ? made : { ...made, into };
}

/** The shared repository after a deposit of acme/shop was filed there. */
function filedByShop(into?: string): Tree {
  const deposit = qualify(depositIn(into), "acme/shop");
  const before = new Map([[deposit.note.file, formatDeposit(deposit)]]);
  const { writes, review } = fold(before, { completed: [], now: NOW, language: "en" });
  expect(review).toEqual([]);
  return new Map([...writes].flatMap(([path, text]) => (text === null ? [] : [[path, text] as const])));
}

describe("names of code in shared knowledge", () => {
  it("say of which repository they are, in triggers and prose; what is no name of code stays", () => {
    const { note, rules } = qualify(depositIn(), "acme/shop");
    expect(note.solution).toBe(
      "Never write CSV by hand in `acme/shop:src/export/users.ts`, nor in `acme/shop:src/report/daily.ts`: use `acme/shop:toCsv` and/or ask. See `context/tech/csv.md`, `a b/c`, https://example.org/x/y.ts",
    );
    expect(note.triggers.paths).toContain("acme/shop:src/export/users.ts");
    expect(rules[0]?.symbols).toContain("acme/shop:toCsv");
    expect(rules[0]?.alert).toContain("`acme/shop:src/export/users.ts`");
    expect(note.related).toContain("acme/shop:REQ-1");
    expect(qualify(qualify(depositIn(), "acme/shop"), "acme/till").note).toEqual(note);
  });

  it("fit that repository's files and no other's, while words fit everywhere", () => {
    const shared = filedByShop();
    const own = shareKnowledge(new Map(), shared, "acme/Shop").tree;
    const other = shareKnowledge(new Map(), shared, "acme/till").tree;
    const path = ["src/export/users.ts"];
    expect(found(own, "x", path).risk.alerts.map(({ message }) => message)).toEqual([
      expect.stringContaining("in `src/export/users.ts`, nor in `src/report/daily.ts`: use `toCsv`"),
    ]);
    expect(found(own, "x", [], ["toCsv"]).risk.alerts).toHaveLength(1);
    for (const answer of [found(other, "x", path), found(other, "x", [], ["toCsv"])])
      expect([answer.risk.alerts, answer.context.files, answer.pattern.files]).toEqual([[], [], []]);
    expect(found(other, "write csv quickly", path).risk.alerts.map(({ why }) => why)).toEqual([
      expect.not.stringContaining("paths"),
    ]);
  });

  it("are no files of another repository in memory either, in notes as in documents", () => {
    for (const shared of [filedByShop(), filedByShop("context/tech/facts.md")]) {
      const filesIn = (repository: string) =>
        readMemories(shareKnowledge(new Map(), shared, repository).tree).memories.flatMap(
          ({ files, symbols }) => [...files, ...symbols],
        );
      expect(filesIn("acme/shop")).toEqual(expect.arrayContaining(["src/export/users.ts", "toCsv"]));
      expect(filesIn("acme/till").filter((name) => /^(src\/|toCsv)/.test(name))).toEqual([]);
    }
  });

  it("of cited code are not looked for in another repository", () => {
    const cited = "- `acme/shop:src/a.ts` @ `acme/shop:issueGoods` sha256:1f2e3d4c5b6a7980";
    const note = `---\nid: EXP-AAAAAAAA\ntype: pattern\nstatus: active\ntrust: bot\n---\n\n# Goods\n\n## Triggers\n\n- keywords: goods\n\n## Related\n\n${cited}\n`;
    const shared = new Map([["context/experience/goods-EXP-AAAAAAAA.md", note]]);
    const verified = (repository: string) =>
      match(
        shareKnowledge(new Map(), shared, repository).tree,
        { text: "goods", paths: [], labels: [], symbols: [], phase: null },
        { fileText: () => "changed", symbolText: () => "changed" },
      ).pattern.files.map((item) => item.verified);
    expect([verified("acme/shop"), verified("acme/till")]).toEqual([[false], [null]]);
  });

  it("read as before where they are of that repository, and other words with a colon stay", () => {
    const deposit = depositIn();
    const text = formatDeposit(qualify(deposit, "acme/shop"));
    const read = parseDeposit(deposit.note.file, unqualify(text, "acme/shop")).deposit;
    const [rule] = deposit.rules;
    // A path in prose got a code span, so that it is read as one name elsewhere.
    const alert = rule?.alert.replace("src/report/daily.ts", "`src/report/daily.ts`");
    expect(read?.rules).toEqual([{ ...rule, alert }]);
    expect(read?.note.triggers).toEqual(deposit.note.triggers);
    const said = "acme/shop: 2 of them, other/acme/shop:x, `acme/shop:src/a.ts:12` and acme/shop:12";
    expect(unqualify(said, "acme/shop")).toBe(
      "acme/shop: 2 of them, other/acme/shop:x, `src/a.ts:12` and acme/shop:12",
    );
  });
});
