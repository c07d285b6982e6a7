// The cases of knowledge and memory that other systems' users reported, and which test holds each.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { fold, knowledgeForPhase, readMemories } from "../../src/knowledge/index.js";
import { withRepository } from "../support/skill-sources.js";
import { applied, FOLD, told, withDeposits } from "./remarks.js";

const TESTS = fileURLToPath(new URL("../", import.meta.url));
/** Rows about the growth of knowledge, work at the same time, instructions and skills, and memory systems. */
const ROWS =
  "KN-32 KN-34 KN-35 KN-37 KN-38 KN-40 KN-41 KN-43 KN-44 KN-45b KN-46 KN-48 KN-49 KN-51 KN-51b KN-53 KN-54 KN-56 KN-57 " +
  "KN-59 KN-60 KN-62 KN-63 KN-65 KN-66 ME-02 ME-03 ME-05 ME-06 ME-08 ME-09 ME-11 ME-12 ME-14 ME-15 ME-17 ME-18 ME-20 " +
  "ME-22 ME-24 ME-25";
/** Rows that are no input, each with the reason. */
const NO_INPUT: Readonly<Record<string, string>> = {
  "KN-37":
    "It asks for a repository that keeps the knowledge of several others. Here each repository keeps its own, so that it is " +
    "reviewed, branched and merged with the code that it is about.",
};

/** Ids of cases in the tests of this project; of this file those below the lists above. */
function casesInTests(): Set<string> {
  const files = readdirSync(TESTS, { recursive: true, encoding: "utf8" });
  const texts = files
    .filter((file) => file.endsWith(".test.ts"))
    .map((file) => readFileSync(join(TESTS, file), "utf8"))
    .map((text) => text.slice(Math.max(0, text.indexOf("/** Ids of cases in"))));
  return new Set(texts.flatMap((text) => text.match(/\b(?:KN|ME)-\d+[a-z]?\b/g) ?? []));
}

describe("a reported case", () => {
  const tested = casesInTests();

  it.each(ROWS.split(" "))("%s has a test, or a reason why it is no input", (id) => {
    const reason = NO_INPUT[id] ?? "";
    expect(tested.has(id)).toBe(reason === "");
  });

  it("is given a reason only if it is one of them", () => {
    expect(ROWS.split(" ")).toEqual(expect.arrayContaining(Object.keys(NO_INPUT)));
  });
});

describe("knowledge", () => {
  it("is handed over as a file that holds every detail, not as a summary of it (KN-38)", () => {
    const details = Array.from(
      { length: 60 },
      (_, page) => `Page ${page} of an export waits ${page * 7 + 1} ms and then asks \`readPage${page}\`.`,
    );
    const lost = (tree: ReadonlyMap<string, string>) =>
      details.filter((detail) => !readMemories(tree).memories.some(({ text }) => text.includes(detail)));
    const made = told(`Exports go through src/export/csv.ts. ${details.join(" ")}`);
    const deposited = withDeposits(new Map(), made);
    expect(lost(deposited)).toEqual([]);
    expect(lost(applied(deposited, fold(deposited, FOLD).writes))).toEqual([]);
  });

  it.each(["requirement", "design", "implement", "configuration"])(
    "that a rule names is given at the phase %s, without anybody choosing it (KN-60)",
    (phase) => {
      const note = "context/experience/payer.md";
      const tree = new Map([
        [note, "---\nid: EXP-AAAAAAAA\n---\n# Who pays\n\n## Solution\n\nThe wallet is virtual.\n"],
        [
          "context/rules/context-rules.md",
          `## R-7K3M2Q Refunds\n\n- keywords: refund\n- load: \`${note}\`\n`,
        ],
      ]);
      const asked = (text: string) =>
        knowledgeForPhase(tree, phase, { text, paths: [], labels: [], symbols: [] }).rules;
      expect(asked("refund an order")).toMatchObject([
        { id: "R-7K3M2Q", path: note, text: expect.stringContaining("The wallet is virtual.") },
      ]);
      expect(asked("print an order")).toEqual([]);
    },
  );
});

describe("a skill", () => {
  const skillOf = (name: string, head: string[] = []) =>
    withRepository({
      [`.agents/skills/${name}/SKILL.md`]: [
        "---",
        `name: ${name}`,
        "description: Checks refunds.",
        ...head,
        "---",
        "Do it.",
      ].join("\n"),
    });

  it("loads with what it depends on and its tests in keys that are not portable (KN-65)", () => {
    const skills = skillOf("refund-check", [
      "depends-on: [ledger-check, wallet-check]",
      "tests: tests/",
      "metadata:",
      "  requires: ledger-check",
    ]);
    expect(skills.problems).toEqual([]);
    expect(skills.skill("refund-check")).toMatchObject({ description: "Checks refunds.", body: "Do it." });
  });

  it.each(["商品发放校验", "prüfung"])(
    "called %s is named as a problem with the letters that every client takes (KN-65)",
    (name) => {
      expect(skillOf(name).problems).toEqual([
        { file: `.agents/skills/${name}/SKILL.md`, message: expect.stringContaining("a-z, 0-9") },
      ]);
    },
  );
});
