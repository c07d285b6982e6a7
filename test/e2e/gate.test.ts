import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { approvableText } from "../../src/requirements/index.js";
import { sha256 } from "../../src/shared/index.js";
import { type Place, asked, newPlace, startTinyStack } from "../support/place.js";
import { type Stack, until } from "../support/stack.js";

let stack: Stack;
let place: Place;
let issue: number;
beforeAll(async () => {
  stack = await startTinyStack();
  place = await newPlace(stack, { config: "autonomy: confirm\n" });
});
afterAll(async () => {
  await stack.close();
});

const branch = () => `agent/REQ-${issue}-add-a-file`;
async function approvals(): Promise<unknown[]> {
  const folder = `requirements/events/REQ-${issue}`;
  const names = (await place.files(folder, branch())).filter((name) => name.endsWith("-approval.json"));
  return Promise.all(
    names.map(async (name) => JSON.parse(await place.read(`${folder}/${name}`, branch())) as unknown),
  );
}
const requests = () =>
  stack.model.requests().filter(({ body }) => JSON.stringify(body).includes(`REQ-${issue}`));

describe("with autonomy: confirm", () => {
  it("a run stops after the requirement, shows it whole with what it may cost, and says what to reply", async () => {
    issue = await place.openIssue("add a file");
    const status = await place.ended(issue);
    expect(status).toContain(
      "⏸ **Requirement ready, waiting for a decision: reply `@agent approve`, or say what to change**",
    );
    expect(status).toContain("<details><summary>requirement.md</summary>");
    expect(status).toContain("AC-1");
    expect(status).toContain("No estimate: nothing similar was done here before.");
    expect(status).toMatch(/an approval holds for this text \(sha256 [0-9a-f]{12}\); an edit voids it/);
    expect(asked(stack, `REQ-${issue}`)).toEqual(["requirement#1"]);
  });

  it("goes on to the design when it is approved, and stops there again", async () => {
    await place.say(issue, "@agent approve");
    const status = await place.ended(issue, "Design ready");
    expect(status).toContain(
      "⏸ **Design ready, waiting for a decision: reply `@agent approve`, or say what to change**",
    );
    expect(status).toContain("One new file in src: add a file");
    expect(status).toContain("Touches 1 file that 0 others use: `src/one.js`.");
    expect(asked(stack, `REQ-${issue}`)).toEqual(["requirement#1", "design#1"]);
  });

  it("who approved which text stands in git", async () => {
    const [folder] = await place.files("requirements/in-progress", branch());
    const text = await place.read(`requirements/in-progress/${folder}/requirement.md`, branch());
    expect(await approvals()).toEqual([
      expect.objectContaining({
        of: "requirement.md",
        sha: sha256(approvableText(text)),
        by: "maya",
        confirms: [],
      }),
    ]);
  });

  it("a bare reject changes nothing and asks what to change", async () => {
    expect(await place.say(issue, "@agent reject")).toContain(
      "ignored: Nothing was changed: say what is wrong",
    );
    expect((await place.replies(issue)).at(-1)).toContain("`@agent reject it has to be blue`");
    expect(asked(stack, `REQ-${issue}`)).toHaveLength(2);
  });

  it("a check on the branch asks for the decision, with a button for it", async () => {
    expect(await place.checks(issue)).toMatchObject([
      {
        status: "completed",
        conclusion: "action_required",
        output: { title: expect.stringContaining("Design ready, waiting for a decision") },
      },
    ]);
  });

  it("the approval of a reader is refused", async () => {
    expect(await place.say(issue, "@agent approve", "otto")).toBe(
      "ignored: @otto has read permission here, write is needed",
    );
    expect(asked(stack, `REQ-${issue}`)).toHaveLength(2);
  });

  it("saying what to change writes requirement and design anew, and every wish is kept", async () => {
    for (const [wish, calls] of [
      ["it should be blue", 4],
      ["and round", 6],
    ] as const) {
      await place.say(issue, `@agent ${wish}`);
      await until(`the design after ${wish}`, async () => asked(stack, `REQ-${issue}`).length === calls);
      await place.ended(issue, "Design ready");
    }
    const last = JSON.stringify(requests().findLast(({ matched }) => matched === "requirement#1")?.body);
    expect(last).toContain("it should be blue");
    expect(last).toContain("and round");
  });

  it("PM-02: an edit of design.md voids the approval that was asked for", async () => {
    const [folder] = await place.files("requirements/in-progress", branch());
    const path = `requirements/in-progress/${folder}/design.md`;
    const text = `${await place.read(path, branch())}\nAnd delete everything.\n`;
    await stack.forge.control.commit({
      repository: place.repository,
      branch: branch(),
      files: { [path]: text },
      message: "Edit the design",
      login: "maya",
    });
    const before = await place.status(issue);
    await place.say(issue, "@agent approve");
    await until("the gate again", async () => (await place.status(issue)) !== before);
    const status = await place.ended(issue, "Design ready");
    expect(status).toContain("⚠ The text of `design.md` was changed after it was shown");
    expect(status).toContain("And delete everything.");
    expect(asked(stack, `REQ-${issue}`)).toHaveLength(6);
  });

  it("the button of a writer goes on to the pull request", async () => {
    await place.press(issue, "approve");
    await place.ended(issue, "Ready for review");
    expect(asked(stack, `REQ-${issue}`).slice(6)).toEqual(["task#1", "task#2", "lesson#1"]);
  });

  it("an edit after the approval voids it: the next wish waits until the text is approved again, and is kept", async () => {
    const [folder] = await place.files("requirements/in-progress", branch());
    const path = `requirements/in-progress/${folder}/design.md`;
    await stack.forge.control.commit({
      repository: place.repository,
      branch: branch(),
      files: { [path]: `${await place.read(path, branch())}\nAnd something else.\n` },
      message: "Edit the design again",
      login: "maya",
    });
    await place.say((await place.pullOf(issue)).number, "@agent and make it heavy");
    const status = await place.ended(issue, "Design ready");
    expect(status).toContain("⚠ The text of `design.md` was changed after it was shown");
    const before = asked(stack, `REQ-${issue}`).length;
    await place.say(issue, "@agent approve");
    await place.ended(issue, "Ready for review");
    expect(asked(stack, `REQ-${issue}`).slice(before)).toContain("task#2");
    expect(await approvals()).toHaveLength(3);
    expect(await place.read(path.replace("design.md", "tasks.md"), branch())).toContain(
      "- [x] T2 and make it heavy",
    );
  });
});
