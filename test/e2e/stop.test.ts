import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Place, asked, jobs, newPlace, startTinyStack } from "../support/place.js";
import { type Stack, until } from "../support/stack.js";

const HOLD_MS = 60_000;

let stack: Stack;
let place: Place;
beforeAll(async () => {
  stack = await startTinyStack();
  place = await newPlace(stack);
});
afterAll(async () => {
  await stack.close();
});

/** Lets some model calls through and holds the next one, so that a run stands still in the middle of its work. */
function holdAfter(calls: number): void {
  for (let index = 0; index < calls; index++) stack.model.fault({ kind: "delay", ms: 0 });
  stack.model.fault({ kind: "delay", ms: HOLD_MS });
}

async function heldAt(issue: number, calls: number): Promise<void> {
  const all = () =>
    stack.model.requests().filter(({ body }) => JSON.stringify(body).includes(`REQ-${issue}`));
  await until(`call ${calls + 1} of REQ-${issue}`, async () => all().length > calls);
}

describe("stop", () => {
  let issue = 0;

  it("ends a running job within 5 s, and the status says who stopped it", async () => {
    holdAfter(2);
    issue = await place.openIssue("add the first file");
    await heldAt(issue, 2);
    const before = performance.now();
    await place.say(issue, "@agent stop");
    const status = await place.ended(issue);
    expect(performance.now() - before).toBeLessThan(5_000);
    expect(status).toContain("⏸ **Stopped by `@maya`");
    expect((await place.replies(issue)).at(-1)).toContain("⏸ Stopping REQ-");
  });

  it("keeps the work on the branch", async () => {
    const [folder] = await place.files("requirements/in-progress", `agent/REQ-${issue}-add-the-first-file`);
    expect(
      await place.files(`requirements/in-progress/${folder}`, `agent/REQ-${issue}-add-the-first-file`),
    ).toEqual(["design.md", "requirement.md", "tasks.md"]);
    expect(await place.pulls()).toEqual([]);
  });

  it("is answered when nothing runs", async () => {
    expect(await place.say(issue, "@agent stop")).toBe("answered stop");
    expect((await place.replies(issue)).at(-1)).toContain("Nothing is running");
  });

  it("lets retry go on from there, without a finished phase being done or paid again", async () => {
    await place.say(issue, "@agent retry");
    await place.ended(issue, "Ready for review");
    expect(asked(stack, `REQ-${issue}`).filter((turn) => /^(requirement|design)#/.test(turn))).toEqual([
      "requirement#1",
      "design#1",
    ]);
    const bill =
      (await place.comments(issue)).find(({ body }) => body.includes("<!-- accrue:bill"))?.body ?? "";
    expect(bill).toMatch(/\| requirement \| 1 \|/);
    expect(bill).toMatch(/\| design \| 1 \|/);
  });

  it("comes with the closing of the issue while it is worked on", async () => {
    holdAfter(0);
    const closed = await place.openIssue("add what nobody wants");
    await heldAt(closed, 0);
    await place.as("maya", "PATCH", `/issues/${closed}`, { state: "closed" });
    expect(await place.ended(closed)).toContain(`⏸ **Stopped by \`@maya\`: issue #${closed} was closed`);
  });

  it("comes with the removal of the label", async () => {
    holdAfter(1);
    const unlabelled = await place.openIssue("add what was meant otherwise");
    await heldAt(unlabelled, 1);
    await place.as("maya", "DELETE", `/issues/${unlabelled}/labels/agent`);
    expect(await place.ended(unlabelled)).toContain("⏸ **Stopped by `@maya`: the label agent was removed");
  });

  it("of work that waits to be tried again ends its status, which no run can do", async () => {
    const path = new RegExp(`/${place.repository}\\.git/`);
    stack.forge.control.fault({ path, times: 1, status: 503 });
    const waiting = await place.openIssue("add when git is back");
    await until("the status", async () => (await place.status(waiting)).includes("⏳"));
    await until("the wait", async () => jobs(stack).waiting > 0);
    await place.say(waiting, "@agent stop not today");
    const status = await place.ended(waiting);
    expect(status).toContain("⏸ **Stopped by `@maya`: not today**");
    expect(status).not.toContain("⏳");
  });

  it("of a change that nobody has taken in yet says that it was not begun, so that it is not lost", async () => {
    const path = new RegExp(`/${place.repository}\\.git/`);
    stack.forge.control.fault({ path, times: 1, delayMs: 5_000 });
    await place.say(issue, "@agent also say it in French");
    await until("the run", async () => jobs(stack).running > 0);
    await place.say(issue, "@agent stop");
    const status = await place.ended(issue, "Stopped");
    expect(status).toMatch(/^\| ✅ \| Implement \|.*\n\| ✅ \| Validate \| .*passed/m);
    expect(status).not.toContain("$0.00");
    await until("what was dropped", async () =>
      (await place.comments(issue)).some(({ body }) => body.includes('not begun: "also say it in French"')),
    );
    expect(JSON.stringify(stack.model.requests())).not.toContain("say it in French");
  });

  it("comes with the closing of the pull request while a change of it is made", async () => {
    const pull = await place.pullOf(issue);
    holdAfter(0);
    const before = asked(stack, `REQ-${issue}`).length;
    await place.say(pull.number, "@agent also say it twice");
    await until(
      "the change",
      async () =>
        stack.model.requests().filter(({ body }) => JSON.stringify(body).includes(`REQ-${issue}`)).length >
        before + 1,
    );
    await place.as("maya", "PATCH", `/pulls/${pull.number}`, { state: "closed" });
    expect(await place.ended(issue, "Stopped")).toContain(
      `⏸ **Stopped by \`@maya\`: pull request #${pull.number} was closed`,
    );
  });
});
