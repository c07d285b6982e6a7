import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { formatEvidence } from "../../src/knowledge/index.js";
import { accrue, personalRepository, stayingAccrue, temporaryFolder } from "../support/command-line.js";

const folder = temporaryFolder();
const typed = stayingAccrue();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const RISK = "context/rules/risk-rules.md";
const RULE =
  "## R-7K3M2P 钱包\n\n- level: high\n- keywords: 商品发放\n- phases: design\n- alert: 注意钱包类型\n";

describe("accrue rules match", () => {
  it("gives the four-part answer for what lies in the checkout, committed or not", async () => {
    const { root, write } = personalRepository(join(folder, "match"));
    write(RISK, RULE);
    write("context/business/glossary.md", "- 用户激励 = 商品发放\n");
    const found = await accrue(["rules", "match", "--json", "--text", "用户激励", "--phase", "design"], {
      cwd: join(root, "src"),
    });
    expect(found.status).toBe(0);
    expect(found.json()).toEqual({
      context: { files: [] },
      risk: {
        alerts: [
          {
            id: "R-7K3M2P",
            why: "keywords: 商品发放 (= 用户激励)",
            verified: null,
            tokens: expect.any(Number),
            pending: false,
            level: "high",
            message: "注意钱包类型",
          },
        ],
      },
      service: { suggestions: [] },
      pattern: { files: [] },
    });
    const other = await typed(["rules", "match", "--phase", "validate", "--", "商品发放"], { cwd: root });
    expect(other.out).toBe("Nothing fits.\n");
    const none = await typed(["rules", "match"], { cwd: root });
    expect(none).toMatchObject({ status: 2, err: expect.stringContaining("Nothing is asked") });
  });

  it("answers a batch line by line, and names the line that it cannot read", async () => {
    const { root, write } = personalRepository(join(folder, "batch"), { files: false });
    write(RISK, RULE);
    const batch = join(folder, "batch.jsonl");
    writeFileSync(batch, '{"id":"a","text":"商品发放"}\n\n{"text":"login","paths":["x.ts"]}\n');
    const { status, out } = await typed(["rules", "match", "--batch", batch], { cwd: root });
    expect(status).toBe(0);
    const answers = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { id: string; risk: { alerts: unknown[] } });
    expect(answers.map(({ id, risk }) => [id, risk.alerts.length])).toEqual([
      ["a", 1],
      ["3", 0],
    ]);
    writeFileSync(batch, '{"id":"a","text":"x"}\n{"txet":"login"}\n');
    const wrong = await typed(["rules", "match", "--batch", batch], { cwd: root });
    expect(wrong).toMatchObject({ status: 2, err: expect.stringMatching(/batch\.jsonl:2: .*txet/) });
  });

  it("looks a cited definition up in the code map, so that a change beside it does not count", async () => {
    const { root, write } = personalRepository(join(folder, "cited"));
    const text = "export function issueGoods() {\n  return 1;\n}";
    const evidence = formatEvidence({ path: "src/issue.ts", symbol: "issueGoods", text });
    write(
      "context/experience/a.md",
      `## Triggers\n\n- keywords: wallet\n\n## Solution\n\nx\n\n## Related\n\n- ${evidence}\n`,
    );
    const ask = async (code: string) => {
      write("src/issue.ts", code);
      const { json } = await typed(["rules", "match", "--json", "--text", "wallet"], { cwd: root });
      const { pattern } = json() as { pattern: { files: { verified: boolean }[] } };
      return pattern.files[0]?.verified;
    };
    expect(await ask(`export const before = 1;\n\n${text}\n`)).toBe(true);
    expect(await ask(text.replace("1", "2"))).toBe(false);
    write("src/moved.ts", `${text}\n`);
    expect(await ask("export const left = 1;\n")).toBe(true);
    write("src/moved.ts", "");
    expect(await ask("export const left = 1;\n")).toBe(false);
  });
});

describe("accrue rules check", () => {
  it("names each problem with its line, code and what to do, and repairs what has one meaning", async () => {
    const { root, write } = personalRepository(join(folder, "check"), { files: false });
    write(RISK, RULE.replace("- keywords", "－ keywrods").replace("high", "hihg"));
    const before = await accrue(["rules", "check", "--json"], { cwd: root });
    expect(before.status).toBe(1);
    expect(before.json()).toEqual({
      problems: [
        { file: RISK, line: 3, code: "rule-value", message: expect.stringContaining('did you mean "high"?') },
      ],
      fixed: [],
    });
    const fix = await typed(["rules", "check", "--fix"], { cwd: root });
    expect(fix.status).toBe(1);
    expect(fix.out).toContain(`fixed  ${RISK}:4  key  "keywrods" is "keywords" now.`);
    expect(fix.out).toContain(`${RISK}:3  rule-value`);
    write(RISK, readFileSync(join(root, RISK), "utf8").replace("hihg", "high"));
    const after = await typed(["rules", "check"], { cwd: root });
    expect(after).toMatchObject({ status: 0, out: "The knowledge in context/ is right.\n" });
  });
});

describe("knowledge.roots", () => {
  it("is read by the commands once it is committed, and what is kept there is never written", async () => {
    const { root, write, git } = personalRepository(join(folder, "roots"), { files: false });
    const note = "# Lockfile of CI\n\nPin npm in `scripts/setup.sh`, because CI has another version.\n";
    write("docs/solutions/ci/lockfile.md", note);
    write(
      "context/rules/context-rules.md",
      RULE.replace(/- level.*\n/, "").replace(/- alert.*/, "- load: `docs/solutions/gone.md`"),
    );
    const recall = async () => {
      const { json } = await typed(["memory", "recall", "--json", "--", "npm version of CI"], { cwd: root });
      return (json()["results"] as { id: string }[]).map(({ id }) => id);
    };
    write(".github/agent.yml", "knowledge: { roots: [context, docs/solutions] }\n");
    expect(await recall()).toEqual([]);
    git("add", "-A");
    git("commit", "-q", "-m", "Keep solutions");
    expect(await recall()).toEqual(["docs/solutions/ci/lockfile.md"]);
    const check = await typed(["rules", "check", "--fix"], { cwd: root });
    expect(check.out).toContain("load-missing");
    const forget = await typed(["memory", "forget", "docs/solutions/ci/lockfile.md"], { cwd: root });
    expect(forget.err).toContain(
      "is a note that people keep: edit or delete it in docs/solutions/ci/lockfile.md",
    );
    expect(readFileSync(join(root, "docs/solutions/ci/lockfile.md"), "utf8")).toBe(note);
  });

  it("takes folders of the repository only", async () => {
    const { root, write } = personalRepository(join(folder, "wrong-roots"), { files: false });
    for (const wrong of ["../other", "/etc", ".", "docs/../..", "~/notes"]) {
      write(".github/agent.yml", `knowledge: { roots: ["${wrong}"] }\n`);
      const check = await typed(["config", "check"], { cwd: root });
      expect([wrong, check.status]).toEqual([wrong, 2]);
      expect(check.out).toContain("a folder of this repository, such as docs/solutions");
    }
  });
});
