import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseEvents } from "../../src/requirements/index.js";
import { call, plan, requirement, says, step } from "../support/handed-over.js";
import { type Place, asked, newPlace, startTinyStack } from "../support/place.js";
import { type Stack, readFolder, until } from "../support/stack.js";

const CHANGE = "has changed since it was understood";
const CSV = "WHEN users are exported THEN the file is CSV";
const PDF = "WHEN users are exported THEN there is a PDF too";
const QUESTION = { question: "Which users?", assumed: "All of them" };

const SCENARIOS = [
  says(
    ["vague-answered", "the requirement", CHANGE, "only team leads"],
    requirement("Nicer", ["WHEN a team lead logs in THEN it is nicer"]),
  ),
  says(
    ["vague", "the requirement", "Make it nicer"],
    requirement("Nicer", ["WHEN anybody logs in THEN it is nicer"], { questions: [QUESTION] }),
    { taskNotContains: CHANGE },
  ),
  says(["more", "the requirement", CHANGE, "as PDF too"], requirement("Export users", [CSV, PDF])),
  says(["export", "the requirement", "Export users"], requirement("Export users", [CSV]), {
    taskNotContains: CHANGE,
  }),
  says(["dig", "the requirement", "Dig first"], requirement("Dig first", [CSV, PDF])),
  says(["pitfalls", "one question", "which pitfalls", "Dig first"], {
    answer: "Users were once exported twice.",
    pointers: ["package.json:1 how tests run"],
  }),
  says(["lie-design", "the design", "Looks done"], plan([step("T1", "Prove it", ["AC-1"])])),
  {
    name: "lie",
    when: { systemContains: "Your job: one task", taskContains: ["Do task T1 of", "Looks done"] },
    turns: [
      {
        call: [
          call("write_file", {
            path: "test/lie.test.js",
            content:
              'import test from "node:test";\ntest("lies", () => {\n  throw new Error("not done");\n});\n',
          }),
        ],
      },
      { call: [call("complete_task", { summary: "Done, all tests pass.", evidence: [] })] },
    ],
  },
  says(["lie-again", "one task", "Make them pass"], { summary: "All tests pass now.", evidence: [] }),
  ...["活动奖励", "用户激励"].map((name, at) =>
    says(
      [`name-${at}`, "the requirement", `给${name}`],
      requirement(name, [at === 0 ? "当发放活动奖励时，则当日到账" : "当发放用户激励时，则次日到账"]),
    ),
  ),
  ...(JSON.parse(
    readFileSync(new URL("../fixtures/scenarios/tiny.json", import.meta.url), "utf8"),
  ) as object[]),
];

const BLOCK = `# Risk rules\n\n## R-7K3M2P Exports are signed off\n\n- level: block\n- status: active\n- keywords: invoice\n- alert: ask finance first\n- source: PR #1\n`;
const GLOSSARY = "# 术语\n\n- 用户激励 = 活动奖励 = 商品发放\n";

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
async function document(of: Place, issue: number, name: string): Promise<string> {
  const { head } = await of.pullOf(issue);
  const folder = (await of.files("requirements/in-progress", head.ref)).find((one) =>
    one.startsWith(`REQ-${issue}-`),
  );
  return of.read(`requirements/in-progress/${folder ?? ""}/${name}`, head.ref);
}
async function statesOf(issue: number): Promise<string[]> {
  const { head } = await place.pullOf(issue);
  const folder = `requirements/events/REQ-${issue}`;
  const names = await place.files(folder, head.ref);
  const files = names.map(
    async (name) => [`${folder}/${name}`, await place.read(`${folder}/${name}`, head.ref)] as const,
  );
  return parseEvents(new Map(await Promise.all(files)), `REQ-${issue}`).events.flatMap((event) =>
    event.type === "state" ? [event.to] : [],
  );
}
/** Waits for the end of a run that a reply started. */
async function afterReply(of: Place, issue: number, reply: string, words: string): Promise<string> {
  const run = /run ([0-9A-Z]{26})/.exec(await of.status(issue))?.[1] ?? "";
  await of.say(issue, reply);
  return until(`the run after "${reply}"`, async () => {
    const status = await of.status(issue);
    return !status.includes(run) && /^[✅❌⏸]/mu.test(status) && status.includes(words) ? status : null;
  });
}

describe("spec tools assume that the requirement is clear", () => {
  it("here a vague one is built on an answer that is said, and a person's answer changes it", async () => {
    const issue = await place.openIssue("Make it nicer");
    expect(await place.ended(issue, "Ready for review")).toContain("*Which users?* → All of them");
    await afterReply(place, issue, "@agent only team leads", "Ready for review");
    const text = await document(place, issue, "requirement.md");
    expect(text).toContain("WHEN a team lead logs in THEN it is nicer");
    expect(text).not.toContain("Which users?");
    expect(text).toContain('(before: "WHEN anybody logs in THEN it is nicer")');
  });
});

describe("spec tools plan once, and go through their phases one after the other", () => {
  it("here a wish at the review adds a criterion and a task, and goes back no further than it has to", async () => {
    const issue = await place.openIssue("Export users");
    await place.ended(issue, "Ready for review");
    const before = calls(issue).length;
    await afterReply(place, issue, "@agent as PDF too", "Ready for review");
    const tasks = (await document(place, issue, "tasks.md"))
      .split("\n")
      .filter((line) => line.startsWith("- ["));
    expect(tasks).toEqual([
      expect.stringContaining("- [x] T1 "),
      expect.stringContaining(`- [x] T2 [AC-2] Meet AC-2: ${PDF}`),
    ]);
    expect((await statesOf(issue)).slice(-4)).toEqual(["in-review", "changed", "implementing", "in-review"]);
    expect(
      calls(issue)
        .slice(before)
        .filter((one) => !one.startsWith("lesson")),
    ).toEqual(["more#1", "task#1", "task#2"]);
  });
});

describe("spec tools do no archaeology", () => {
  it("here what is there already is found out before the design, which opens with it", async () => {
    const issue = await place.openIssue("Dig first");
    await place.ended(issue, "Ready for review");
    expect(await document(place, issue, "design.md")).toMatch(
      /^# .+\n\n## What is there already\n\n### Which pitfalls .+\n\nUsers were once exported twice\./,
    );
  });
});

describe("spec tools keep no knowledge", () => {
  it("here what one requirement taught stands in the prompt of the next one", async () => {
    const own = await newPlace(stack);
    const first = await own.openIssue("add a wallet");
    await own.ended(first, "Ready for review");
    const { number } = await own.pullOf(first);
    await own.say(number, "@agent remember a wallet is never written to `services/goods/**` without a check");
    await own.merge(number);
    await own.ended(first, "Completed");
    const second = await own.openIssue("add another wallet");
    expect(await own.ended(second, "Ready for review")).toContain("**From earlier work**");
    const designs = stack.model.requests().filter(({ matched, body }) => {
      const text = JSON.stringify(body);
      return matched === "design#1" && text.includes(own.repository) && text.includes("another wallet");
    });
    expect(JSON.stringify(designs.at(-1)?.body)).toContain("never written to `services/goods/**`");
  });
});

describe("spec tools have rigid principles", () => {
  it("here a rule stops the work until a person says yes, and is taken back like any other text", async () => {
    const own = await newPlace(stack, {
      files: { ...readFolder("test/fixtures/tiny/"), "context/rules/risk-rules.md": BLOCK },
    });
    const first = await own.openIssue("add an invoice");
    expect(await own.ended(first, "Waiting before any code", "⏸")).toContain("R-7K3M2P ask finance first");
    await afterReply(own, first, "@agent confirm", "Ready for review");
    await own.say(first, "@agent forget R-7K3M2P");
    const [retired] = (await own.pulls()).filter(({ head }) => head.ref.startsWith("agent/knowledge"));
    await own.merge(retired?.number ?? 0);
    await until("the retired rule", async () =>
      (await own.read("context/rules/risk-rules.md")).includes("- status: retired"),
    );
    const second = await own.openIssue("add another invoice");
    await own.ended(second, "Ready for review");
  });
});

describe("spec tools are heavy for small changes", () => {
  it("here a new file is five calls, one task and three documents", async () => {
    const issue = await place.openIssue("add a file");
    await place.ended(issue, "Ready for review");
    expect(calls(issue)).toHaveLength(5);
    const { head } = await place.pullOf(issue);
    expect(await place.files(`requirements/in-progress/REQ-${issue}-add-a-file`, head.ref)).toEqual([
      "design.md",
      "requirement.md",
      "tasks.md",
    ]);
    expect((await document(place, issue, "tasks.md")).match(/^- \[/gm)).toHaveLength(1);
  });
});

describe("agents ignore the process of spec tools", () => {
  it("here what an agent says counts for nothing: the checks run all the same, and decide", async () => {
    const issue = await place.openIssue("Looks done");
    const status = await place.ended(issue, "No progress", "⏸❌");
    expect(status).toContain("tests: 1 of ");
    const [check] = (await place.checks(issue)).slice(-1);
    expect(check?.conclusion).not.toBe("success");
    expect(await place.pulls()).not.toContainEqual(
      expect.objectContaining({ title: expect.stringContaining("Looks done"), draft: false }),
    );
  });
});

describe("spec tools take names for identity", () => {
  it("here two names of one thing are one thing, and a new title leaves the requirement what it is", async () => {
    const own = await newPlace(stack, {
      files: { ...readFolder("test/fixtures/tiny/"), "context/business/glossary.md": GLOSSARY },
    });
    const first = await own.openIssue("给活动奖励加一个文件");
    await own.ended(first, "待评审");
    const second = await own.openIssue("给用户激励加一个文件");
    expect(await own.ended(second, "待评审")).toContain(`同一情形、不同结果 AC-1 = REQ-${first}/AC-1`);
    const { head } = await own.pullOf(first);
    await own.as("maya", "PATCH", `/issues/${first}`, { title: "给商品发放加一个文件" });
    await stack.forge.control.settle();
    await own.ended(first, "评审中");
    const refs = (await own.as("maya", "GET", `/git/matching-refs/heads/agent/REQ-${first}-`)) as unknown[];
    expect(refs).toHaveLength(1);
    expect((await own.pullOf(first)).head.ref).toBe(head.ref);
  });
});
