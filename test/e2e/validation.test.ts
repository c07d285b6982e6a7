import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Place, asked, newPlace, startTinyStack } from "../support/place.js";
import { type Stack, readFolder } from "../support/stack.js";

const call = (tool: string, input: object) => ({ tool, input });
const end = (input: object) => ({ call: [call("complete_task", input)] });
const write = (path: string, content: string) => ({ call: [call("write_file", { path, content })] });

const TEST = `import { test } from "node:test";\nimport "../src/one.js";\n\ntest("says one", () => {});\ntest.skip("says two", () => {});\n`;
const WRONG = `export function one() {}\n`;
const SCENARIOS = [
  {
    name: "two-criteria",
    when: { systemContains: "Your job: the requirement" },
    turns: [
      end({
        title: "Say one and two",
        problem: "It is missing.",
        scope: ["Saying"],
        criteria: [
          { id: "AC-1", text: "WHEN asked THEN it says one" },
          { id: "AC-2", text: "WHEN asked twice THEN it says two" },
        ],
        nonGoals: [],
        questions: [],
      }),
    ],
  },
  {
    name: "write",
    when: { systemContains: "Your job: one task", taskContains: "Do task T1" },
    turns: [
      write("src/one.js", WRONG),
      write("src/two.js", 'import pad from "left-pad";\nexport const two = pad;\n'),
      write("test/one.test.js", TEST),
      end({
        summary: "One is said.",
        evidence: [
          { criterion: "AC-1", path: "test/one.test.js", test: "says one" },
          { criterion: "AC-2", path: "test/one.test.js", test: "says two" },
        ],
      }),
    ],
  },
  {
    name: "fix",
    when: { systemContains: "Your job: one task", taskContains: "fail after the change" },
    turns: [
      { call: [call("read_file", { path: "src/two.js" })] },
      write("src/two.js", "export const two = 2;\n"),
      end({ summary: "Two needs no package.", evidence: [] }),
    ],
  },
  ...(JSON.parse(
    readFileSync(new URL("../fixtures/scenarios/tiny.json", import.meta.url), "utf8"),
  ) as object[]),
];
const CONFIG = `agent:
  retry_limit: 1
  reviewers: []
validate:
  custom:
    - name: documented
      language: javascript
      query: "(export_statement declaration: (function_declaration name: (identifier) @finding))"
      unless: "((comment) . (export_statement declaration: (function_declaration name: (identifier) @finding)))"
      message: Every exported function has a doc comment.
`;
const RULES = `## R-7K3M2P Sources say where they are

- status: active
- level: warn
- paths: \`src/**\`
- load: \`README.md\`
- check: \`grep -q export src/one.js && echo the base says so\`

## R-7K3M2Q Not for this change

- status: active
- level: warn
- paths: \`lib/**\`
- load: \`README.md\`
- check: \`exit 1\`
`;

let stack: Stack;
let place: Place;
let issue: number;
beforeAll(async () => {
  stack = await startTinyStack({ scenarios: JSON.stringify(SCENARIOS) });
  place = await newPlace(stack, {
    files: { ...readFolder("test/fixtures/tiny/"), "context/rules/pattern-rules.md": RULES },
    config: CONFIG,
  });
  issue = await place.openIssue("Say one and two");
  await place.ended(issue, "Ready for review", "❌");
}, 120_000);
afterAll(async () => {
  await stack.close();
});

describe("a result that breaks the repository's rules", () => {
  it("goes back once with each finding and its line, and then waits for a person", () => {
    expect(asked(stack, `REQ-${issue}`).filter((name) => name === "fix#1")).toHaveLength(1);
    const body = JSON.stringify(stack.model.requests().find(({ matched }) => matched === "fix#1")?.body);
    expect(body).toContain("undeclared: left-pad (src/two.js:1)");
    expect(body).toContain("documented (src/one.js:1): Every exported function has a doc comment.");
  });

  it("is published as failed, with what is left as annotations, and what the base's pattern rules check", async () => {
    const [check] = await place.checks(issue);
    expect(check).toMatchObject({ conclusion: "failure" });
    const summary = check?.output.summary ?? "";
    expect(summary).toMatch(/\| ❌ \| documented \|/);
    expect(summary).toMatch(/\| ✅ \| R-7K3M2P Sources say where they are \|/);
    expect(summary).not.toContain("R-7K3M2Q");
    const annotations = await place.as("maya", "GET", `/check-runs/${check?.id}/annotations`);
    expect(annotations).toEqual([
      expect.objectContaining({ path: "src/one.js", start_line: 1, title: "documented" }),
    ]);
  });

  it("counts a named test as evidence only if it ran and passed", async () => {
    const [check] = await place.checks(issue);
    const summary = check?.output.summary ?? "";
    expect(summary).toMatch(/\| ✅ \| AC-1 .+ \| \[`test\/one\.test\.js:4`\]/);
    expect(summary).toMatch(/\| ⚠ \| AC-2 .+ \| not verified: says two did not run/);
  });
});
