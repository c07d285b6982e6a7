import { describe, expect, it } from "vitest";
import {
  checkKnowledge,
  depositOf,
  fold,
  formatDeposit,
  match,
  parseNote,
  type FoldResult,
  type Tree,
} from "../../src/knowledge/index.js";
import { estimateTokens } from "../../src/shared/index.js";
import { aQuery } from "./samples.js";

const INPUT = {
  completed: [{ requirement: "REQ-12" }],
  now: "2026-12-02T00:00:00.000Z",
  language: "en" as const,
};

function deposit(number: number, text: string): [string, string] {
  const made = depositOf({
    text,
    by: "lee",
    source: `https://github.com/acme/shop/issues/12#issuecomment-${number}`,
    run: "01JB8ZK3QH6X9M4T7V2C5D8E0G",
    at: "2026-11-29T10:04:05.000Z",
    language: "en",
    path: null,
    symbols: [],
    requirement: "REQ-12",
    newId: () => `01JB8ZK3QH6X9M4T7V2C5D8E${String(number).padStart(2, "0")}`,
    newNoteId: () => `EXP-7K3M2P${String(number).padStart(2, "0")}`,
    newRuleId: () => `R-7K3M${String(number).padStart(2, "0")}`,
  });
  return [made.note.file, formatDeposit(made)];
}
function applied(tree: Tree, { writes }: FoldResult): Map<string, string> {
  const after = new Map(tree);
  for (const [path, text] of writes) {
    if (text === null) after.delete(path);
    else after.set(path, text);
  }
  return after;
}
const RISK = "Never write files in a route";
const PATTERN = "Exports go through `src/export/csv.ts`";
const NOTE = "context/experience/never-write-files-in-a-route-EXP-7K3M2P01.md";

describe("the fold", () => {
  it("KN-40 KN-44: files one of two deposits that say the same word for word, and both where a number or a rule differs", () => {
    const same = new Map([deposit(1, RISK), deposit(2, `${RISK} `)]);
    const once = fold(same, INPUT);
    const after = applied(same, once);
    expect([...after.keys()].filter((path) => path.startsWith("context/experience/"))).toEqual([NOTE]);
    expect(after.get("context/rules/risk-rules.md")?.match(/^## /gm)).toHaveLength(1);
    expect(once.summary).toContain("EXP-7K3M2P02 says the same as EXP-7K3M2P01, which stays the only one");
    expect(fold(after, INPUT).writes.size).toBe(0);
    const other = new Map([deposit(1, "Never use Node 18.1 here"), deposit(2, "Never use Node 181 here")]);
    const both = applied(other, fold(other, INPUT));
    expect([...both.keys()].filter((path) => path.startsWith("context/experience/"))).toHaveLength(2);
  });

  it("turns deposits into notes, rules and an index, and deletes them", () => {
    const before = new Map([deposit(1, RISK), deposit(2, PATTERN), ["src/a.ts", "x"]]);
    const result = fold(before, INPUT);
    const after = applied(before, result);
    expect([...after.keys()].sort()).toEqual([
      "context/INDEX.md",
      "context/experience/exports-go-through-src-export-csv-ts-EXP-7K3M2P02.md",
      NOTE,
      "context/rules/pattern-rules.md",
      "context/rules/risk-rules.md",
      "src/a.ts",
    ]);
    expect(result.summary).toEqual([
      "REQ-12 is completed",
      `EXP-7K3M2P01 ${RISK}, by @lee: risk rule R-7K3M01`,
      expect.stringContaining("EXP-7K3M2P02"),
    ]);
    expect(checkKnowledge(after)).toEqual([]);
    const { note } = parseNote(NOTE, after.get(NOTE) ?? "");
    expect(note).toMatchObject({ id: "EXP-7K3M2P01", title: RISK, trust: "bot", status: "active" });
    expect(after.get(NOTE)).toContain("date: 2026-11-29\n");
    expect(after.get(NOTE)).toContain("review_after: 2027-05-28\n");
  });

  it("of a folded tree writes nothing", () => {
    const before = new Map([deposit(1, RISK), deposit(2, PATTERN)]);
    const after = applied(before, fold(before, INPUT));
    expect(fold(after, { ...INPUT, now: "2027-01-01T00:00:00.000Z" }).writes).toEqual(new Map());
    expect(fold(new Map([["src/a.ts", "x"]]), INPUT).writes).toEqual(new Map());
  });

  it("done again after a crash in between changes nothing twice", () => {
    const before = new Map([deposit(1, RISK)]);
    const { writes } = fold(before, INPUT);
    const half = new Map([...before, [NOTE, writes.get(NOTE) ?? ""] as const]);
    expect(applied(half, fold(half, INPUT))).toEqual(applied(before, fold(before, INPUT)));
  });

  it("gives the same tree whatever the order of the files", () => {
    const files = [deposit(1, RISK), deposit(2, "Never trust user input"), deposit(3, PATTERN)];
    const [a, b] = [new Map(files), new Map(files.toReversed())];
    expect(applied(a, fold(a, INPUT))).toEqual(applied(b, fold(b, INPUT)));
  });

  it("keeps a person's rule file byte for byte and adds below it (KN-53)", () => {
    const mine =
      "# My rules\n\n## Odd heading\n\n## R-AAAAAA Mine\n- level: warn\n- alert: x\n- keywords: y\n";
    const before = new Map([deposit(1, RISK), ["context/rules/risk-rules.md", mine]]);
    const text = fold(before, INPUT).writes.get("context/rules/risk-rules.md");
    expect(text?.startsWith(mine)).toBe(true);
    expect(text).toContain("\n\n## R-7K3M01 ");
  });

  it.each([
    [
      "untrusted text",
      (text: string) => text.replace("trust: bot", "trust: untrusted"),
      "without write access",
    ],
    ["level block", (text: string) => text.replace("level: high", "level: block"), "asks for level block"],
    ["a broken rule", (text: string) => text.replace("- alert:", "- alart:"), 'did you mean "alert"?'],
    ["a broken head", (text: string) => text.replace("id: 01JB", "id: 1"), "frontmatter is broken"],
  ])("leaves a deposit with %s to a person", (_name, change, reason) => {
    const [path, text] = deposit(1, RISK);
    const before = new Map([[path, change(text)]]);
    const result = fold(before, INPUT);
    expect([...result.writes.keys()]).toEqual(["context/INDEX.md"]);
    expect(result.summary[1]).toContain(`${path} waits for a person`);
    expect(result.summary[1]).toContain(reason);
    const after = applied(before, result);
    expect(fold(after, INPUT).writes).toEqual(new Map());
  });

  it("says how long a deposit has waited (KN-14)", () => {
    const [path, text] = deposit(1, RISK);
    const { summary } = fold(new Map([[path, text.replace("trust: bot", "trust: untrusted")]]), INPUT);
    expect(summary[1]).toContain("waits for a person for 2 days");
  });

  it("never overwrites an id silently: both texts are kept (KN-04, KN-48, KN-49)", () => {
    const first = new Map([deposit(1, RISK)]);
    const folded = applied(first, fold(first, INPUT));
    const [path, text] = deposit(1, "Never log a password");
    const before = new Map([...folded, [path, text.replaceAll("EXP-7K3M2P01", "exp-7k3m2p01")]]);
    const result = fold(before, INPUT);
    expect(result.writes).toEqual(new Map());
    expect(result.summary.join("\n")).toMatch(
      /R-7K3M01 exists with another text.*EXP-7K3M2P01 exists with another text/,
    );
  });

  it("writes an index of at most 500 tokens that names what it leaves out", () => {
    const files = Array.from({ length: 80 }, (_, n): [string, string] => [
      `context/experience/n${n}.md`,
      `# 经验 ${n} 的标题\n`,
    ]);
    const before = new Map([
      ...files,
      ["context/business/flow.md", "# Flow\n"],
      ["context/tech/services/a.md", "# A\n"],
    ]);
    const index = fold(before, { ...INPUT, language: "zh" }).writes.get("context/INDEX.md") ?? "";
    expect(estimateTokens(index)).toBeLessThanOrEqual(500);
    expect(index).toContain("- Flow · `business/flow.md`");
    expect(index).toMatch(/另有 \d+ 篇，见 `context\/experience\/`/);
  });

  it("derives the index from the files, whatever a person or another branch wrote into it (KN-51, KN-51b)", () => {
    const note = ["context/experience/n.md", "---\nid: EXP-AAAAAAAA\n---\n# Wallet\n"] as const;
    const index = (written: string) => {
      const tree = new Map([note, ["context/INDEX.md", written] as const]);
      return applied(tree, fold(tree, INPUT)).get("context/INDEX.md");
    };
    expect(index("- my own line\n<<<<<<< ours\n")).toBe(index(""));
    expect(index("")).toContain("- EXP-AAAAAAAA Wallet · `experience/n.md`");
  });

  it("keeps what was learnt within reach before and after it", () => {
    const before = new Map([deposit(1, "Virtual goods must go to the virtual wallet")]);
    const after = applied(before, fold(before, INPUT));
    const query = aQuery({ text: "Issue virtual goods" });
    const view = (tree: Tree) => match(tree, query).risk.alerts.map(({ id, pending }) => [id, pending]);
    expect(view(before)).toEqual([["R-7K3M01", true]]);
    expect(view(after)).toEqual([["R-7K3M01", false]]);
  });
});

describe("checking knowledge", () => {
  it("finds dead pointers and one id in two files, in any case (KN-49, KN-66)", () => {
    const tree = new Map([
      ["context/rules/context-rules.md", "## R-AAAAAA A\n- keywords: a\n- load: `context/gone.md`\n"],
      ["context/rules/pattern-rules.md", "## R-AAAAAA A\n- keywords: a\n- load: `docs/x.md`\n"],
      ["context/experience/a.md", "---\nid: EXP-AAAAAAAA\ntype: fact\n---\nx\n"],
      ["context/experience/b.md", "---\nid: exp-aaaaaaaa\ntype: fact\n---\nx\n"],
    ]);
    expect(checkKnowledge(tree).map(({ file, line, code }) => [file, line, code])).toEqual([
      ["context/experience/b.md", 1, "duplicate-id"],
      ["context/rules/context-rules.md", 1, "load-missing"],
      ["context/rules/pattern-rules.md", 1, "duplicate-id"],
    ]);
  });

  it("is quiet about a clean tree and one without knowledge", () => {
    expect(checkKnowledge(new Map([["src/a.ts", "x"]]))).toEqual([]);
  });
});
