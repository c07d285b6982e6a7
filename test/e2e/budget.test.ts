import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Place, asked, jobs, newPlace, startTinyStack } from "../support/place.js";
import { type Stack, until } from "../support/stack.js";

let stack: Stack;
let place: Place;
let issue: number;
beforeAll(async () => {
  stack = await startTinyStack();
  // The first call of a planner is dearer than this.
  place = await newPlace(stack, { config: "budget: { requirement: { usd: 0.01 } }\n" });
});
afterAll(async () => {
  await stack.close();
});

const alerts = async () =>
  (await place.comments(issue))
    .map(({ body }) => body)
    .filter((body) => body.startsWith("<!-- accrue:alert"));
const lastReply = async () => (await place.replies(issue)).at(-1) ?? "";

describe("a budget", () => {
  it("that is used up pauses the run before the next call, and says what to reply", async () => {
    issue = await place.openIssue("add a file");
    const status = await place.ended(issue, "The budget of REQ-");
    expect(status).toMatch(
      /^⏸ \*\*Paused: The budget of REQ-\d+ is used up: (?:&lt;)?\$0\.0\d of \$0\.01, /m,
    );
    expect(status).toContain("To raise it, reply `@agent budget $");
    expect(asked(stack, `REQ-${issue}`)).toEqual(["requirement#1"]);
    expect(await place.checks(issue)).toMatchObject([
      { conclusion: "action_required", output: { title: expect.stringContaining("The budget of REQ-") } },
    ]);
  });

  it("is told in a comment of its own, once", async () => {
    expect(await alerts()).toHaveLength(1);
    expect((await alerts())[0]).toMatch(/⚠ The budget of REQ-\d+ is/);
  });

  it("is shown when a comment names no amount, and what is none is refused", async () => {
    await place.say(issue, "@agent budget");
    expect(await lastReply()).toContain("The budget is $0.01.");
    await place.say(issue, "@agent budget $0");
    expect(await lastReply()).toContain("is too little to do anything with");
    expect(asked(stack, `REQ-${issue}`)).toHaveLength(1);
  });

  it("is raised by whoever may ask only", async () => {
    expect(await place.say(issue, "@agent budget $50", "otto")).toContain("write is needed");
    await place.say(issue, "@agent budget");
    expect(await lastReply()).toContain("The budget is $0.01.");
  });

  it("is raised by as much again with the button, and the run goes on", async () => {
    await place.press(issue, "budget");
    await until("the design", async () => asked(stack, `REQ-${issue}`).includes("design#1"));
    const status = await place.ended(issue, "The budget of REQ-");
    expect(status).toContain("of $0.02");
    expect(asked(stack, `REQ-${issue}`)).toEqual(["requirement#1", "design#1"]);
  });

  it("that a person states lets the run go on to its end, and stands on the bill", async () => {
    await place.say(issue, "@agent budget $5");
    expect(await lastReply()).toContain("✅ The budget is $5.00 now, and the work goes on.");
    const status = await place.ended(issue, "Ready for review");
    expect(status).toContain("of $5.00");
    const pull = await place.pullOf(issue);
    const bill = (await place.comments(pull.number)).find(({ body }) => body.includes("accrue:bill"))?.body;
    expect(bill).toContain("budget $5.00");
    expect(asked(stack, `REQ-${issue}`)).toEqual([
      "requirement#1",
      "design#1",
      "task#1",
      "task#2",
      "lesson#1",
    ]);
  });

  it("stands in the requirement's events, so that it outlives the ledger", async () => {
    const { head } = await place.pullOf(issue);
    const files = await place.files(`requirements/events/REQ-${issue}`, head.ref);
    const budgets = await Promise.all(
      files
        .filter((name) => name.endsWith("-budget.json"))
        .map(async (name) =>
          JSON.parse(await place.read(`requirements/events/REQ-${issue}/${name}`, head.ref)),
        ),
    );
    expect(budgets.at(-1)).toMatchObject({ type: "budget", unit: "usd", amount: 5, by: "maya" });
  });

  it("that is raised while nothing waits starts nothing", async () => {
    const before = { status: await place.status(issue), asked: asked(stack, `REQ-${issue}`) };
    expect(await place.say(issue, "@agent budget +$1")).toBe("answered budget: $6.00");
    expect(await lastReply()).toContain("The budget is $6.00.");
    await until("nothing to run", async () => jobs(stack).running + jobs(stack).waiting === 0);
    expect({ status: await place.status(issue), asked: asked(stack, `REQ-${issue}`) }).toEqual(before);
  });
});
