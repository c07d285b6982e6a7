import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { approvableText } from "../../src/requirements/index.js";
import { sha256 } from "../../src/shared/index.js";
import { type Place, asked, newPlace, placeOf, startTinyStack } from "../support/place.js";
import { type Stack, until } from "../support/stack.js";

const TINY = JSON.parse(
  readFileSync(new URL("../fixtures/scenarios/tiny.json", import.meta.url), "utf8"),
) as object[];
/** A task that leaves a test behind which shows its criterion. */
const SHOWN = {
  name: "shown",
  when: { systemContains: "Your job: one task", taskContains: ["Do task ", "a shown file"] },
  turns: [
    {
      call: [
        {
          tool: "write_file",
          input: {
            path: "test/shown.test.js",
            content: 'import test from "node:test";\ntest("says done", () => {});\n',
          },
        },
      ],
    },
    {
      call: [
        {
          tool: "complete_task",
          input: {
            summary: "It is shown.",
            evidence: [{ criterion: "AC-1", path: "test/shown.test.js", test: "says done" }],
          },
        },
      ],
    },
  ],
};

let stack: Stack;
let place: Place;
let issue: number;
beforeAll(async () => {
  stack = await startTinyStack({
    env: { ACCRUE_WATCH_MS: "200" },
    scenarios: JSON.stringify([SHOWN, ...TINY]),
  });
  place = await newPlace(stack, { config: "autonomy: confirm\n" });
});
afterAll(async () => {
  await stack.close();
});

type Event = { type: string; of?: string; sha?: string; by?: string; level?: string };
async function events(type: string): Promise<Event[]> {
  const branch = `agent/REQ-${issue}-add-a-file`;
  const folder = `requirements/events/REQ-${issue}`;
  const names = (await place.files(folder, branch)).filter((name) => name.endsWith(`-${type}.json`));
  return Promise.all(
    names.map(async (name) => JSON.parse(await place.read(`${folder}/${name}`, branch)) as Event),
  );
}
async function documentOf(name: string): Promise<{ path: string; text: string }> {
  const branch = `agent/REQ-${issue}-add-a-file`;
  const [folder] = await place.files("requirements/in-progress", branch);
  const path = `requirements/in-progress/${folder}/${name}`;
  return { path, text: await place.read(path, branch) };
}
/** Gives a 👍 to the status comment; gives its id. */
async function like(person: "maya" | "otto"): Promise<{ comment: number; reaction: number }> {
  const { id: comment } =
    (await place.comments(issue)).find(({ body }) => body.includes("<!-- accrue:status")) ?? {};
  const path = `/issues/comments/${comment}/reactions`;
  const { id } = (await place.as(person, "POST", path, { content: "+1" })) as { id: number };
  return { comment: comment ?? 0, reaction: id };
}
/** Longer than a look takes, so that one that does nothing had its chance. */
const aFewLooks = () => new Promise((resolve) => setTimeout(resolve, 1500));
const calls = () => asked(stack, `REQ-${issue}`);

describe("a gate and the 👍 of people", () => {
  let given: { comment: number; reaction: number };

  it("is not passed by who may only read", async () => {
    issue = await place.openIssue("add a file");
    const status = await place.ended(issue, "Requirement ready");
    expect(status).toContain("👍 on this comment approves it too.");
    await like("otto");
    await aFewLooks();
    expect(calls()).toEqual(["requirement#1"]);
  });

  it("survives a stop of the server: a 👍 that was given meanwhile approves exactly the text shown", async () => {
    await stack.kill();
    given = await like("maya");
    await stack.startServer();
    await place.ended(issue, "Design ready");
    const { text } = await documentOf("requirement.md");
    expect(await events("approval")).toEqual([
      expect.objectContaining({ of: "requirement.md", sha: sha256(approvableText(text)), by: "maya" }),
    ]);
    expect(calls()).toEqual(["requirement#1", "design#1"]);
  });

  it("a 👍 from before the text was shown approves nothing", async () => {
    await aFewLooks();
    expect(calls()).toHaveLength(2);
    expect(await place.status(issue)).toContain("⏸ **Design ready");
  });

  it("an edit after the text was shown voids the 👍 for it, which is said", async () => {
    const { path, text } = await documentOf("design.md");
    const before = (await place.status(issue)).split("sha256 ")[1];
    await stack.forge.control.commit({
      repository: place.repository,
      branch: `agent/REQ-${issue}-add-a-file`,
      files: { [path]: `${text}\nOne more sentence.\n` },
      message: "Edit the design",
      login: "maya",
    });
    const { comment, reaction } = given;
    await place.as("maya", "DELETE", `/issues/comments/${comment}/reactions/${reaction}`);
    given = await like("maya");
    await until("the new text", async () => (await place.status(issue)).split("sha256 ")[1] !== before);
    const status = await place.ended(issue, "Design ready");
    expect(status).toContain("⚠ The text of `design.md` was changed after it was shown");
    expect(await events("approval")).toHaveLength(1);
    expect(calls()).toHaveLength(2);
  });

  it("an edit of the plan after it was shown voids an approval too", async () => {
    const { path, text } = await documentOf("tasks.md");
    const edit = (content: string) =>
      stack.forge.control.commit({
        repository: place.repository,
        branch: `agent/REQ-${issue}-add-a-file`,
        files: { [path]: content },
        message: "Edit the plan",
        login: "maya",
      });
    await edit(text.replace(/^(- \[ \] T1 .*)$/m, "$1 `src/secret.js`"));
    await place.say(issue, "@agent approve");
    await until("the new plan", async () =>
      (await place.status(issue)).includes("The text of `tasks.md` was changed"),
    );
    const status = await place.ended(issue, "Design ready");
    expect(status).toContain("an approval holds for this text and the tasks in `tasks.md`");
    expect(status).toContain("`src/secret.js`");
    expect(await events("approval")).toHaveLength(1);
    expect(calls()).toHaveLength(2);
    await edit(text);
  });

  it("`autonomy auto` is recorded on the branch at once, and what waited goes on without a task of its own", async () => {
    expect(await place.say(issue, "@agent autonomy auto")).toMatch(/^queued run/);
    expect((await place.replies(issue)).at(-1)).toContain("From now on: autonomy `auto`. What waited");
    const status = await place.ended(issue, "Ready for review");
    expect(await events("autonomy")).toEqual([expect.objectContaining({ level: "auto", by: "maya" })]);
    expect(calls().filter((call) => call === "task#1")).toHaveLength(1);
    expect(status).toContain("autonomy: auto, and the pull request stays a draft: AC-1 is not verified");
    expect((await place.pullOf(issue)).draft).toBe(true);
  });
});

describe("autonomy: auto", () => {
  it("marks the pull request as ready once a test shows each criterion, and not again after a person made it a draft", async () => {
    const automatic = await newPlace(stack, { config: "autonomy: auto\n" });
    const own = await automatic.openIssue("a shown file");
    expect(await automatic.ended(own, "Ready for review")).not.toContain("stays a draft");
    const { node_id: id, number, draft } = await automatic.pullOf(own);
    expect(draft).toBe(false);
    await fetch(`${stack.forge.url}/api/graphql`, {
      method: "POST",
      headers: { authorization: `Bearer ${stack.tokens.maya}`, "user-agent": "test" },
      body: JSON.stringify({
        query: `mutation { convertPullRequestToDraft(input: { pullRequestId: "${id}" }) { clientMutationId } }`,
      }),
    });
    expect((await automatic.pullOf(own)).draft).toBe(true);
    const { head } = await automatic.pullOf(own);
    await automatic.say(number, "@agent and a second one");
    await until("the second result", async () => (await automatic.pullOf(own)).head.sha !== head.sha);
    await automatic.ended(own, "Ready for review");
    expect((await automatic.pullOf(own)).draft).toBe(true);
  });
});

describe("a requirement that is named", () => {
  let other: number;

  it("goes on from any thread, and where it goes on is said there", async () => {
    place = placeOf(stack, place.repository);
    issue = await place.openIssue("add a file");
    await place.ended(issue, "Requirement ready");
    await place.say(issue, "@agent autonomy review");
    await place.ended(issue, "Ready for review");
    other = await place.openIssue("talk about it", null, null);
    expect(await place.say(other, `@agent and in REQ-${issue} make it blue`)).toContain(`#req-${issue}`);
    expect((await place.replies(other)).at(-1)).toContain(`REQ-${issue} (#${issue}) goes on.`);
    await until("the wish", async () => calls().filter((call) => call === "task#2").length === 2);
    await place.ended(issue, "Ready for review");
  });

  it("finds its phase by its events, in Chinese too: there is nothing left to do", async () => {
    expect(await place.say(other, `@agent 继续做 REQ-${issue}`)).toContain(`#req-${issue}`);
    await place.ended(issue, "is in review already");
    expect(calls().filter((call) => call === "task#2")).toHaveLength(2);
  });

  it("takes what follows the id for a wish, on its own thread too", async () => {
    await place.say(issue, `@agent continue REQ-${issue}, but make it green`);
    await until("the wish", async () => calls().filter((call) => call === "task#2").length === 3);
    await place.ended(issue, "Ready for review");
  });

  it("is said not to exist where there is none, and nothing is started", async () => {
    expect(await place.say(other, "@agent continue REQ-4711")).toMatch(/^ignored: Nothing was started/);
    expect((await place.replies(other)).at(-1)).toContain("REQ-4711 does not exist in this repository");
    expect(await place.status(other)).toBe("");
  });
});
