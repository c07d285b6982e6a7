import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Place, asked, newPlace, startTinyStack } from "../support/place.js";
import { type Stack, readFolder } from "../support/stack.js";

const call = (tool: string, input: object) => ({ tool, input });
const end = (input: object) => ({ call: [call("complete_task", input)] });
const lines = (count: number) =>
  Array.from({ length: count }, (_, at) => `export const v${at} = ${at};`).join("\n");
const answer = (text: string, pointers: string[]) => [end({ answer: text, pointers })];

const SCENARIOS = [
  {
    name: "two-criteria",
    when: { systemContains: "Your job: the requirement", taskContains: "large change" },
    turns: [
      end({
        title: "large change",
        problem: "It is missing.",
        scope: ["Values"],
        criteria: [
          { id: "AC-1", text: "WHEN read THEN v1 is 1" },
          { id: "AC-2", text: "WHEN read THEN v2 is 2" },
        ],
        nonGoals: [],
        questions: [],
      }),
    ],
  },
  {
    name: "pitfalls",
    when: { systemContains: "Your job: one question", taskContains: "which pitfalls" },
    turns: answer("Values were once written twice (#3).", [
      "package.json:1 how tests run",
      "src/gone.js:4 nothing",
      "#3",
    ]),
  },
  {
    name: "write",
    when: { systemContains: "Your job: one task", taskContains: ["Do task T1", "large change"] },
    turns: [
      { call: [call("write_file", { path: "src/values.js", content: `${lines(40)}\n` })] },
      end({ summary: "Because the author likes constants.", evidence: [] }),
    ],
  },
  {
    name: "correctness",
    when: {
      systemContains: "For each acceptance criterion: does the change do it",
      taskContains: "large change",
    },
    turns: [
      end({
        findings: [
          {
            severity: "blocking",
            path: "src/values.js",
            line: 2,
            title: "v1 is wrong",
            why: "It has to be one.",
          },
          {
            severity: "minor",
            path: "src/values.js",
            line: 30,
            title: "A name says nothing",
            why: "Read alone.",
          },
        ],
      }),
    ],
  },
  {
    name: "house",
    when: { systemContains: "The rules of this house", taskContains: "large change" },
    turns: [
      end({
        findings: [
          {
            severity: "major",
            path: "src/values.js",
            line: 3,
            title: "v1 is plainly wrong",
            why: "See AC-1.",
          },
          { severity: "blocking", path: "package.json", line: 1, title: "The name", why: "Not touched." },
        ],
      }),
    ],
  },
  {
    name: "amend",
    when: { systemContains: "Your job: one task", taskContains: "Reviewers found this" },
    turns: [
      { call: [call("read_file", { path: "src/values.js" })] },
      { call: [call("write_file", { path: "src/values.js", content: `// reviewed\n${lines(40)}\n` })] },
      end({ summary: "v1 is one now.", evidence: [] }),
    ],
  },
  ...(JSON.parse(
    readFileSync(new URL("../fixtures/scenarios/tiny.json", import.meta.url), "utf8"),
  ) as object[]),
];
const HOUSE = `---\nname: reviewer-house\ndescription: House rules.\ntier: validator\ncall_type: validate\ntools: [read_file]\n---\n## Your job: a review\n\nThe rules of this house.\n`;

let stack: Stack;
let place: Place;
let issue: number;
beforeAll(async () => {
  stack = await startTinyStack({ scenarios: JSON.stringify(SCENARIOS) });
  place = await newPlace(stack, {
    files: { ...readFolder("test/fixtures/tiny/"), ".agents/agents/reviewer-house.md": HOUSE },
    config: "agent:\n  reviewers: [correctness, house]\n  review_from: 20\n",
  });
  issue = await place.openIssue("a large change");
  await place.ended(issue, "Ready for review");
}, 120_000);
afterAll(async () => {
  await stack.close();
});

const bodies = (scenario: string) =>
  stack.model
    .requests()
    .filter(({ matched }) => matched?.startsWith(`${scenario}#`))
    .map(({ body }) => JSON.stringify(body));

describe("before a design", () => {
  it("three questions about what is there are answered side by side, and design.md opens with the answers", async () => {
    expect(
      asked(stack, `REQ-${issue}`)
        .slice(0, 4)
        .toSorted((a, b) => (a < b ? -1 : 1)),
    ).toEqual(["investigate#1", "investigate#1", "pitfalls#1", "two-criteria#1"]);
    const branch = (await place.pullOf(issue)).head.ref;
    const design = await place.read(`requirements/in-progress/REQ-${issue}-a-large-change/design.md`, branch);
    expect(design).toMatch(
      /^# Design: REQ-\d+ .+\n\n## What is there already\n\n### Which pitfalls were met here before\?\n\nValues were once written twice \(#3\)\.\n\n`package\.json:1 how tests run`, `#3`\n/,
    );
    expect(bodies("design").at(-1)).toContain("<archaeology>\\nWhich pitfalls were met here before?");
  });

  it("of one criterion nothing is investigated (KN-28)", async () => {
    const small = await place.openIssue("add a file");
    await place.ended(small, "Ready for review");
    expect(asked(stack, `REQ-${small}`)).toEqual([
      "requirement#1",
      "design#1",
      "task#1",
      "task#2",
      "lesson#1",
    ]);
  });
});

describe("a change", () => {
  it("is reviewed by fresh agents that see what was asked and done, and not why", () => {
    for (const body of [...bodies("correctness"), ...bodies("house")]) {
      expect(body).toContain("+export const v1 = 1;");
      expect(body).toContain("AC-2");
      expect(body).not.toContain("Because the author likes constants");
      expect(body).not.toContain("write_file");
    }
    expect(bodies("correctness")).toHaveLength(1);
    expect(bodies("house")).toHaveLength(1);
  });

  it("goes back once with what is blocking: what two found is one finding, what is not in the change blocks nothing", () => {
    expect(bodies("amend")[0]).toContain(
      "- src/values.js:2 v1 is wrong (correctness, house): It has to be one.",
    );
    expect(bodies("amend")[0]).not.toContain("The name");
  });

  it("is published with what is left, at its lines", async () => {
    const pull = await place.pullOf(issue);
    expect(await place.read("src/values.js", pull.head.ref)).toMatch(/^\/\/ reviewed/);
    expect(pull.body).toMatch(
      /\*\*Review\*\*\n\n- ⚠ major · \[`package\.json:1`\]\(.+\) The name — Not touched\. \(house\)\n- ○ minor · \[`src\/values\.js:30`\]/,
    );
    const [check] = await place.checks(issue);
    expect(check?.output.summary).toContain("**Review**");
  });
});
