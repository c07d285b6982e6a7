import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Place, asked, newPlace, outcomeOf, startTinyStack } from "../support/place.js";
import { type Stack, until } from "../support/stack.js";

let stack: Stack;
let place: Place;
let issue: number;
beforeAll(async () => {
  stack = await startTinyStack();
  place = await newPlace(stack);
});
afterAll(async () => {
  await stack.close();
});

const lastReply = async (number: number, at = place) => (await at.replies(number)).at(-1) ?? "";
const wasShown = (requirement: string, words: string) =>
  stack.model.requests().some(({ body }) => {
    const text = JSON.stringify(body);
    return text.includes(requirement) && text.includes(words);
  });

describe("an answer at once", () => {
  it("lists what can be asked for, and says which word is no command", async () => {
    issue = await place.openIssue("add a first file", "Please.", null);
    expect(await place.say(issue, "@agent help")).toBe("answered help");
    expect(await lastReply(issue)).toContain("| `@agent remember <text>` |");
    await place.say(issue, "@agent import");
    expect(await lastReply(issue)).toContain("⚠ `import` is no command here.");
    expect(await place.say(issue, "@agent hlep")).toBe("answered help");
    expect(await lastReply(issue)).toContain("⚠ `hlep` is no command here.");
  });

  it("says so when nothing was spent, and shows the bill when something was", async () => {
    await place.say(issue, "@agent bill");
    expect(await lastReply(issue)).toContain(`REQ-${issue} has cost nothing so far.`);
    await place.as("maya", "POST", `/issues/${issue}/labels`, { labels: ["agent"] });
    await place.ended(issue, "Ready for review");
    await place.say(issue, "@agent bill");
    expect(await lastReply(issue)).toMatch(/\*\*\$0\.\d\d\*\* for REQ-/);
  });
});

describe("R7: a second label", () => {
  it("on a requirement in review starts no second work, and the status keeps what is done", async () => {
    const calls = asked(stack, `REQ-${issue}`).length;
    await place.as("maya", "DELETE", `/issues/${issue}/labels/agent`);
    await place.as("maya", "POST", `/issues/${issue}/labels`, { labels: ["agent"] });
    const status = await place.ended(issue, "is in review already");
    expect(status).toMatch(/✅ \| Requirement \| 1 acceptance criterion/);
    expect(status).toMatch(/✅ \| Implement \| 1 of 1 tasks done/);
    expect(status).toMatch(/✅ \| Validate \| .+\|/);
    expect(asked(stack, `REQ-${issue}`)).toHaveLength(calls);
  });
});

describe("a change", () => {
  it("CM-20: asked for on the pull request adds one task and updates the same pull request", async () => {
    const before = await place.pullOf(issue);
    const wish = `@agent also write the second file, ${"with many words about it, ".repeat(8)}and end it with a line`;
    await place.say(before.number, wish);
    await until("the new head", async () => (await place.pullOf(issue)).head.sha !== before.head.sha);
    await place.ended(issue, "Ready for review");
    const after = await place.pullOf(issue);
    expect(after.number).toBe(before.number);
    expect(after.body).toContain(`Closes #${issue}`);
    expect(await place.files("src", after.head.ref)).toContain(`REQ-${issue}-T2.js`);
    expect(asked(stack, `REQ-${issue}`).filter((turn) => turn === "design#1")).toHaveLength(1);
    expect(wasShown(`REQ-${issue}`, "and end it with a line")).toBe(true);
  });

  it("RQ-04: asked for at a line of the diff is shown with that line to the agent", async () => {
    const pull = await place.pullOf(issue);
    const path = `src/REQ-${issue}-T1.js`;
    await place.as("maya", "POST", `/pulls/${pull.number}/comments`, {
      body: "@agent name this `isDone`",
      commit_id: pull.head.sha,
      path,
      line: 1,
      side: "RIGHT",
    });
    await until("the third task", async () =>
      (await place.files("src", pull.head.ref)).includes(`REQ-${issue}-T3.js`),
    );
    await place.ended(issue, "Ready for review");
    expect(wasShown(`REQ-${issue}`, `Said of \`${path}:1\``)).toBe(true);
  });

  it("asked for in a review adds a task, and a review that speaks to nobody does not", async () => {
    const pull = await place.pullOf(issue);
    const review = (body: string) =>
      place.as("maya", "POST", `/pulls/${pull.number}/reviews`, { body, event: "COMMENT" });
    await review("Looks fine to me.");
    expect(await outcomeOf(stack, ({ event }) => event === "pull_request_review")).toContain(
      "does not mention @agent",
    );
    await review("@agent add a fourth one");
    await until("the fourth task", async () =>
      (await place.files("src", pull.head.ref)).includes(`REQ-${issue}-T4.js`),
    );
    await place.ended(issue, "Ready for review");
  });

  it("on somebody else's pull request is answered and not done", async () => {
    const { control } = stack.forge;
    await control.commit({
      repository: place.repository,
      branch: "mine",
      from: "main",
      files: { "mine.txt": "1\n" },
      message: "Mine",
      login: "maya",
    });
    const { number } = (await place.as("maya", "POST", "/pulls", {
      title: "mine",
      head: "mine",
      base: "main",
    })) as { number: number };
    expect(await place.say(number, "@agent add tests")).toContain("ignored:");
    expect(await lastReply(number)).toContain("none of the app's");
  });
});

describe("retry", () => {
  it("of a failed run goes on, and the failure was said with its cure", async () => {
    stack.model.fault({ kind: "status", status: 400, message: "this request is not liked" });
    const failing = await place.openIssue("add what fails at first");
    const status = await place.ended(failing, "Failed");
    expect(status).toContain("`@agent retry`");
    await place.say(failing, "@agent retry");
    await place.ended(failing, "Ready for review");
  });
});

describe("the merge", () => {
  it("closes the issue, which neither stops nor removes the completion", async () => {
    const pull = await place.pullOf(issue);
    await place.merge(pull.number);
    await until("the completion", async () => (await place.status(issue)).includes("**Completed**"));
    const { state } = (await place.as("maya", "GET", `/issues/${issue}`)) as { state: string };
    expect(state).toBe("closed");
    expect(await place.status(issue)).not.toContain("Stopped");
    expect(await place.files("requirements/completed")).toEqual([`REQ-${issue}-add-a-first-file`]);
  });

  it("leaves a closed issue on which work is declined with a sentence", async () => {
    expect(await place.say(issue, "@agent and one more thing")).toContain("is closed");
    expect(await lastReply(issue)).toContain(`#${issue} is closed. Reopen it, then ask again.`);
  });
});
