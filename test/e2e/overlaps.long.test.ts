import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call, plan, requirement, says, step } from "../support/handed-over.js";
import { type Place, asked, newPlace, startTinyStack } from "../support/place.js";
import { type Stack, until } from "../support/stack.js";

const SCENARIOS = [
  says(
    ["rate", "the requirement", "# Rate"],
    requirement("Rate limit", ["WHEN a client asks too often THEN it waits"]),
  ),
  says(["rate-design", "the design", "Rate limit"], plan([step("T1", "Limit", ["AC-1"], ["src/limit.js"])])),
  says(
    ["limit", "the requirement", "# Limits"],
    requirement("Limits", ["WHEN a client asks too often THEN it is refused"]),
  ),
  says(["limit-design", "the design", "Limits"], plan([step("T1", "Refuse", ["AC-1"], ["src/limit.js"])])),
  says(
    ["proof", "the requirement", "# A proof"],
    requirement("A proof", ["WHEN it is asked THEN it is shown"]),
  ),
  says(["proof-design", "the design", "A proof"], plan([step("T1", "Show it", ["AC-1"])])),
  {
    name: "proof-task",
    when: { systemContains: "Your job: one task", taskContains: ["Do task T1 of", "A proof"] },
    turns: [
      { call: [call("write_file", { path: "src/proof.js", content: "export const proof = true;\n" })] },
      {
        call: [
          call("complete_task", {
            summary: "Shown.",
            evidence: [{ criterion: "AC-1", path: "test/proof.test.js", test: "shows it" }],
          }),
        ],
      },
    ],
  },
  ...(JSON.parse(
    readFileSync(new URL("../fixtures/scenarios/tiny.json", import.meta.url), "utf8"),
  ) as object[]),
];

let stack: Stack;
let place: Place;
beforeAll(async () => {
  stack = await startTinyStack({ scenarios: JSON.stringify(SCENARIOS) });
  place = await newPlace(stack);
});
afterAll(async () => {
  await stack.close();
});

const calls = (issue: number) => asked(stack, `REQ-${issue}`);

describe("two open requirements that touch one thing", () => {
  it("are told of each other, once (KN-05)", async () => {
    const first = await place.openIssue("Rate");
    await place.ended(first, "Ready for review");
    const second = await place.openIssue("Limits");
    const status = await place.ended(second, "Ready for review");
    expect(status).toContain(
      `⚠ REQ-${first} "Rate limit" is open too and touches the same: the same case with another outcome AC-1 = REQ-${first}/AC-1 "WHEN a client asks too often THEN it waits", file \`src/limit.js\``,
    );
    const told = async () =>
      (await place.comments(first)).filter(({ body }) => body.includes("<!-- accrue:overlap"));
    expect((await told()).map(({ body }) => body)).toEqual([
      expect.stringContaining(`REQ-${second} "Limits`),
    ]);
    const run = /run ([0-9A-Z]{26})/.exec(status)?.[1] ?? "";
    await place.say(second, "@agent retry");
    await until("the second run", async () => {
      const now = await place.status(second);
      return !now.includes(run) && now.includes("Ready for review");
    });
    expect(await told()).toHaveLength(1);
  });
});

describe("a completed requirement that a later one makes wrong", () => {
  it("is named in the change log of the later one, and in its status (KN-17)", async () => {
    const other = await newPlace(stack);
    const first = await other.openIssue("Rate");
    await other.ended(first, "Ready for review");
    await other.merge((await other.pullOf(first)).number);
    await other.ended(first, "Completed");
    const second = await other.openIssue("Limits");
    const line = `REQ-${first}/AC-1, completed, says for the same case: "WHEN a client asks too often THEN it waits"; it may hold no more`;
    expect(await other.ended(second, "Ready for review")).toContain(`⚠ ${line}`);
    const { head } = await other.pullOf(second);
    const folder = (await other.files("requirements/in-progress", head.ref)).find((name) =>
      name.startsWith(`REQ-${second}-`),
    );
    expect(await other.read(`requirements/in-progress/${folder ?? ""}/requirement.md`, head.ref)).toContain(
      line,
    );
  });
});

describe("a ticked task whose test does not exist", () => {
  it("is reported and opened again (KN-23)", async () => {
    const issue = await place.openIssue("A proof");
    await place.ended(issue, "Ready for review");
    await place.say(issue, "@agent retry");
    const status = await until("the second run", async () => {
      const text = await place.status(issue);
      return text.includes("its test does not exist") && text.includes("Ready for review") ? text : null;
    });
    expect(status).toContain(
      '⚠ T1 Show it was ticked, but its test does not exist (`test/proof.test.js` "shows it"): it is open again',
    );
    expect(calls(issue).filter((one) => one === "proof-task#1")).toHaveLength(2);
  });
});
