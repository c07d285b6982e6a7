import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Place, asked, newPlace, outcomeOf, startTinyStack } from "../support/place.js";
import { plan, requirement, says, step } from "../support/handed-over.js";
import { type Stack, until } from "../support/stack.js";

const within = (seconds: number) => `WHEN asked THEN it answers within ${seconds} s`;
const FORMAT = "WHEN exported THEN it is CSV";
const CHANGE = "has changed since it was understood";

const SCENARIOS = [
  says(
    ["quick-same", "the requirement", CHANGE, "Thanks"],
    requirement("A quick answer", [within(3), FORMAT, "WHEN exported THEN it is PDF too"]),
  ),
  says(
    ["quick-three", "the requirement", CHANGE, "three holds"],
    requirement("A quick answer", [within(3), FORMAT, "WHEN exported THEN it is PDF too"]),
  ),
  says(
    ["quick-two", "the requirement", CHANGE, "+ within 2 s"],
    requirement("A quick answer", [within(2), FORMAT, "WHEN exported THEN it is PDF too"]),
  ),
  says(
    ["quick-more", "the requirement", CHANGE, "as PDF too"],
    requirement("A quick answer", [within(9), FORMAT, "WHEN exported THEN it is PDF too"]),
  ),
  says(
    ["quick-change", "the requirement", CHANGE, "+ within 9 s"],
    requirement("A quick answer", [within(9), FORMAT]),
  ),
  says(["quick", "the requirement", "A quick answer"], requirement("A quick answer", [within(1), FORMAT]), {
    taskNotContains: CHANGE,
  }),
  says(
    ["quick-design", "the design", "A quick answer"],
    plan([step("T1", "Answer", ["AC-1"]), step("T2", "Export", ["AC-2"])]),
  ),
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

const branchOf = async (issue: number) => {
  const refs = (await place.as("maya", "GET", `/git/matching-refs/heads/agent/REQ-${issue}-`)) as {
    ref: string;
  }[];
  return (refs[0]?.ref ?? "").replace("refs/heads/", "");
};
async function document(issue: number, name: string): Promise<string> {
  const branch = await branchOf(issue);
  const [folder = ""] = (await place.files("requirements/in-progress", branch)).filter((one) =>
    one.startsWith(`REQ-${issue}-`),
  );
  return place.read(`requirements/in-progress/${folder}/${name}`, branch);
}
const tasksOf = async (issue: number) =>
  (await document(issue, "tasks.md")).split("\n").filter((line) => line.startsWith("- ["));
/** Edits the issue, and gives what the queue recorded. */
async function edit(issue: number, change: object, person: "maya" | "otto" = "maya"): Promise<string> {
  const before = stack.forge.control.deliveries().length;
  await place.as(person, "PATCH", `/issues/${issue}`, change);
  return outcomeOf(
    stack,
    ({ event, action }) =>
      event === "issues" && action === "edited" && stack.forge.control.deliveries().length > before,
  );
}
/** Requests to requirement-manager about a requirement, as text. */
const toldTo = (issue: number) =>
  stack.model
    .requests()
    .filter(({ body }) => {
      const text = JSON.stringify(body);
      return text.includes("Your job: the requirement") && text.includes(`REQ-${issue}`);
    })
    .map(({ body }) => JSON.stringify(body));
const calls = (issue: number) => asked(stack, `REQ-${issue}`);

describe("a requirement whose issue is edited", () => {
  let issue: number;

  it("was made from an issue, and says from which (KN-26)", async () => {
    issue = await place.openIssue("A quick answer", "Please:\nwithin 1 s\nas CSV");
    await place.ended(issue, "Ready for review");
    const text = await document(issue, "requirement.md");
    expect(text).toContain(`issue: ${issue}\nurl: "`);
    expect(text).toContain(`Opened from #${issue}`);
  });

  it("is changed by the difference alone: one criterion, one task to adapt, all else is kept", async () => {
    const before = calls(issue).length;
    expect(await edit(issue, { body: "Please:\nwithin 9 s\nas CSV" })).toMatch(/^queued run/);
    await until("the adapted task", async () => (await tasksOf(issue)).length === 3);
    await until(
      "the new run's end",
      async () => calls(issue).filter((one) => one.startsWith("lesson")).length === 2,
    );
    await place.ended(issue, "Ready for review");
    expect(await tasksOf(issue)).toEqual([
      expect.stringContaining("- [x] T1 [AC-1] Answer"),
      expect.stringContaining("- [x] T2 [AC-2] Export"),
      expect.stringContaining("- [x] T3 [AC-1] Adapt T1 to the changed AC-1"),
    ]);
    const told = toldTo(issue).at(-1) ?? "";
    expect(told).toContain("- within 1 s\\n+ within 9 s");
    expect(told).not.toContain("as CSV");
    expect(told).toContain("Change only what the difference touches");
    expect(told).not.toContain("You are not designing the solution");
    expect(
      calls(issue)
        .slice(before)
        .filter((one) => /^(quick-change|quick-design|task)/.test(one)),
    ).toEqual(["quick-change#1", "task#1", "task#2"]);
    expect(await document(issue, "requirement.md")).toMatch(
      /- \d{4}-\d\d-\d\d: AC-1 changed \(before: "WHEN asked THEN it answers within 1 s"\) · T1 → T3 · \[the issue was edited\]\(http/,
    );
  });

  it("is not run for an edit that says what was understood, or that a reader made", async () => {
    const before = calls(issue).length;
    await edit(issue, { body: "Please:  \r\nwithin 9 s\r\nas CSV" });
    expect(await edit(issue, { body: "Please:\nwithin 0 s" }, "otto").catch(String)).toMatch(
      /40[34]|ignored/,
    );
    expect(calls(issue)).toHaveLength(before);
    expect(await place.status(issue)).toContain("Ready for review");
  });

  it("takes a comment in as a new criterion with a task of its own", async () => {
    await place.say(issue, "@agent as PDF too");
    await until("the new task", async () =>
      (await tasksOf(issue)).some((line) => line.startsWith("- [x] T4")),
    );
    await place.ended(issue, "Ready for review");
    expect((await tasksOf(issue)).at(-1)).toContain("T4 [AC-3] Meet AC-3: WHEN exported THEN it is PDF too");
  });

  it("never overwrites what people wrote into requirement.md: two edits of one criterion are shown both (KN-04)", async () => {
    const branch = await branchOf(issue);
    const [folder = ""] = await place.files("requirements/in-progress", branch);
    const path = `requirements/in-progress/${folder}/requirement.md`;
    const text = (await place.read(path, branch)).replace(within(9), within(5));
    await stack.forge.control.commit({
      repository: place.repository,
      branch,
      files: { [path]: `${text}\n## Rollout\n\nSlowly,  says Maya.\n` },
      message: "Five seconds",
      login: "maya",
    });
    await edit(issue, { body: "Please:\nwithin 2 s\nas CSV" });
    const status = await place.ended(issue, "says two things", "⏸");
    expect(status).toContain(`AC-1: "${within(5)}" / "${within(2)}"`);
    const merged = await document(issue, "requirement.md");
    expect(merged).toContain("## Rollout\n\nSlowly,  says Maya.\n");
    expect(merged).toContain(within(5));
    expect(merged).toContain(`> ${within(2)}`);
  });

  it("goes on when a person says which holds", async () => {
    await place.say(issue, "@agent three holds");
    await place.ended(issue, "Ready for review");
    const merged = await document(issue, "requirement.md");
    expect(merged).toContain(`### AC-1\n\n${within(3)}\n\n### AC-2`);
    expect(merged).toContain("## Rollout\n\nSlowly,  says Maya.\n");
  });

  it("stays in review where the edit changes no criterion", async () => {
    const before = calls(issue).length;
    const head = (await place.pullOf(issue)).head.sha;
    await edit(issue, { body: "Please:\nwithin 2 s\nas CSV\n\nThanks" });
    await place.ended(issue, "stays in review");
    expect(calls(issue).slice(before)).toEqual(["quick-same#1"]);
    expect((await place.pullOf(issue)).head.sha).toBe(head);
  });
});

describe("an edit that somebody stops", () => {
  it("is handed over again when it goes on, though it changes no criterion", async () => {
    const issue = 1;
    const asked = stack.model.requests().length;
    stack.model.fault({ kind: "delay", ms: 60_000 });
    await place.as("maya", "PATCH", `/issues/${issue}`, {
      body: "Please:\nwithin 2 s\nas CSV\n\nThanks again",
    });
    await until("the question about it", async () => stack.model.requests().length > asked);
    await place.say(issue, "@agent stop");
    await place.ended(issue, "Stopped", "⏸");
    await place.say(issue, "@agent retry");
    await place.ended(issue, "Ready for review");
    const branch = await branchOf(issue);
    const folder = `requirements/events/REQ-${issue}`;
    const names = await place.files(folder, branch);
    const texts = await Promise.all(names.map(async (name) => place.read(`${folder}/${name}`, branch)));
    const states = texts.map((text) => JSON.parse(text) as { type: string; to?: string });
    expect(states.findLast(({ type }) => type === "state")?.to).toBe("in-review");
  });
});

describe("an issue that is no requirement", () => {
  it("may be edited without anything being done", async () => {
    const issue = await place.openIssue("Just a note", "one", null);
    expect(await edit(issue, { title: "Just a longer note" })).toBe(
      `ignored: #${issue} was edited and is no requirement`,
    );
    expect(await place.status(issue)).toBe("");
  });
});

describe("an edit while the work goes on", () => {
  it("is done behind it, and is not lost", async () => {
    const issue = await place.openIssue("A quick answer again, A quick answer", "within 1 s");
    await until("the run", async () => calls(issue).length > 0);
    await edit(issue, { body: "within 9 s" });
    await until("the change", async () =>
      (await tasksOf(issue).catch(() => [])).some((line) => line.startsWith("- [x] T3 [AC-1] Adapt T1")),
    );
    await place.ended(issue, "Ready for review");
    expect(await document(issue, "requirement.md")).toContain(within(9));
  });
});
