import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Place, asked, newPlace, startTinyStack } from "../support/place.js";
import { type Stack, until } from "../support/stack.js";

const HOLD_MS = 1_000;

let stack: Stack;
let place: Place;
beforeAll(async () => {
  stack = await startTinyStack();
  place = await newPlace(stack);
});
afterAll(async () => {
  await stack.close();
});

/** The model calls of a tiny run in which a person can come in between. */
const CALLS = { task: 3, lesson: 5 };

/** Labels an issue, and does something of a person's while the agent is at its task, or at its lesson. */
async function meanwhile(
  title: string,
  act: (issue: number, branch: string) => Promise<unknown>,
  call: keyof typeof CALLS = "task",
): Promise<number> {
  for (let before = 1; before < CALLS[call]; before++) stack.model.fault({ kind: "delay", ms: 0 });
  stack.model.fault({ kind: "delay", ms: HOLD_MS });
  const issue = await place.openIssue(title);
  const count = () =>
    stack.model.requests().filter(({ body }) => JSON.stringify(body).includes(`REQ-${issue}`)).length;
  await until(`the ${call} of REQ-${issue}`, async () => count() >= CALLS[call]);
  await act(issue, `agent/REQ-${issue}-${title.replaceAll(" ", "-")}`);
  return issue;
}

function push(branch: string, files: Record<string, string>, from?: string): Promise<string> {
  const message = "A person's commit";
  return stack.forge.control.commit({
    repository: place.repository,
    branch,
    files,
    message,
    login: "maya",
    ...(from ? { from } : {}),
  });
}

async function isAncestor(commit: string, of: string): Promise<boolean> {
  const { status } = (await place.as("maya", "GET", `/compare/${commit}...${of}`)) as { status: string };
  return status === "ahead" || status === "identical";
}

describe("while a run works", () => {
  it("BR-17: a person's commit on its branch stays, and the result goes on top", async () => {
    let theirs = "";
    const issue = await meanwhile("add with company", async (_, branch) => {
      theirs = await push(branch, { "notes.txt": "mine\n" });
    });
    await place.ended(issue, "Ready for review");
    const pull = await place.pullOf(issue);
    expect(await isAncestor(theirs, pull.head.sha)).toBe(true);
    expect(await place.read("notes.txt", pull.head.ref)).toBe("mine\n");
    expect(await place.files("src", pull.head.ref)).toContain(`REQ-${issue}-T1.js`);
  });

  it("BR-16: a commit that conflicts stays where it is, the work goes to a branch beside it and says so", async () => {
    let theirs = "";
    const issue = await meanwhile("add with conflict", async (number, branch) => {
      theirs = await push(branch, { [`src/REQ-${number}-T1.js`]: "export const theirs = true;\n" });
    });
    const status = await place.ended(issue, "Ready for review");
    const [branch] = (
      (await place.as("maya", "GET", `/git/matching-refs/heads/agent/REQ-${issue}-`)) as {
        object: { sha: string };
      }[]
    ).map(({ object }) => object.sha);
    expect(branch).toBe(theirs);
    expect(status).toContain("moved while this run worked");
    const pull = await place.pullOf(issue);
    expect(status).toContain(pull.head.ref);
    expect(await place.read(`src/REQ-${issue}-T1.js`, pull.head.ref)).toBe("export const done = true;\n");
  });

  it("what a person pushes after the checks ran is checked before it is shown as passed", async () => {
    const failing =
      'import { test } from "node:test";\ntest("theirs", () => { throw new Error("not yet"); });\n';
    const issue = await meanwhile(
      "add before theirs",
      (_, branch) => push(branch, { "test/theirs.test.js": failing }),
      "lesson",
    );
    // The tiny model knows nothing about repairs: the run says so instead of calling its own part passed.
    const status = await place.ended(issue);
    expect(status).toMatch(/^[^\n]*\n*❌/u);
    expect(status).toContain("fix 1");
  });

  it("a base that moves on is no trouble", async () => {
    const issue = await meanwhile("add on moving ground", () => push("main", { "moved.txt": "1\n" }));
    await place.ended(issue, "Ready for review");
    const pull = (await place.as("maya", "GET", `/pulls/${(await place.pullOf(issue)).number}`)) as {
      mergeable: boolean;
      changed_files: number;
    };
    expect(pull.mergeable).toBe(true);
  });

  it("R7: being asked again waits for the first run, and then finds nothing to do", async () => {
    const issue = await meanwhile("add only once", (number) => place.say(number, "@agent"));
    await place.ended(issue, "is in review already");
    expect(asked(stack, `REQ-${issue}`)).toEqual([
      "requirement#1",
      "design#1",
      "task#1",
      "task#2",
      "lesson#1",
    ]);
    const pulls = await place.pulls("all");
    expect(pulls.filter(({ head }) => head.ref.includes(`REQ-${issue}-`))).toHaveLength(1);
  });
});

describe("BR-10: a branch left over from an earlier try", () => {
  it("is gone on with, and nothing on it is lost", async () => {
    const issue = await place.openIssue("add what was begun", null, null);
    const theirs = await push(`agent/REQ-${issue}-begun`, { "begun.txt": "1\n" }, "main");
    await place.as("maya", "POST", `/issues/${issue}/labels`, { labels: ["agent"] });
    await place.ended(issue, "Ready for review");
    const pull = await place.pullOf(issue);
    expect(pull.head.ref).toBe(`agent/REQ-${issue}-begun`);
    expect(await isAncestor(theirs, pull.head.sha)).toBe(true);
  });
});

describe("a protected base branch", () => {
  it("gets the fold as a pull request, and never a push", async () => {
    const kept = await newPlace(stack);
    const issue = await kept.openIssue("add under guard");
    await kept.ended(issue, "Ready for review");
    stack.forge.control.protectBranch(kept.repository, "main");
    await kept.merge((await kept.pullOf(issue)).number);
    const fold = await until("the fold's pull request", async () =>
      (await kept.pulls()).find(({ head }) => head.ref.startsWith("agent/knowledge-fold")),
    );
    expect(fold.base.ref).toBe("main");
    await until("the completion", async () => (await kept.status(issue)).includes("Completed"));
    expect(await kept.status(issue)).toContain(`#${fold.number}`);
  });
});

describe("a reopened issue", () => {
  it("of a completed requirement is said to be completed, and costs nothing more", async () => {
    const done = await newPlace(stack);
    const issue = await done.openIssue("add and finish");
    await done.ended(issue, "Ready for review");
    await done.merge((await done.pullOf(issue)).number);
    await until("the completion", async () => (await done.status(issue)).includes("**Completed**"));
    const calls = asked(stack, `acme/${done.repository.split("/")[1]}`).length;
    await done.as("maya", "PATCH", `/issues/${issue}`, { state: "open" });
    await done.say(issue, "@agent and one more thing");
    expect(await done.ended(issue, "is completed already")).toContain("open a new issue");
    expect(asked(stack, `acme/${done.repository.split("/")[1]}`)).toHaveLength(calls);
  });
});
