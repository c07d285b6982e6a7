import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ModelGate, startModelGate } from "../support/model-gate.js";
import { type Place, jobs, newPlace, startTinyStack } from "../support/place.js";
import { type Stack, until } from "../support/stack.js";
import { gitIn } from "../support/story-audit.js";

const TINY = JSON.parse(
  readFileSync(new URL("../fixtures/scenarios/tiny.json", import.meta.url), "utf8"),
) as object[];
const SCENARIO = {
  name: "ask",
  when: { systemContains: "Your job: one question", taskContains: "A person asks something" },
  turns: [
    { call: [{ tool: "read_file", input: { path: "src/greet.js" } }] },
    {
      call: [
        {
          tool: "complete_task",
          input: { answer: "It greets.", citations: [{ source: "src/greet.js:1", shows: "the text" }] },
        },
      ],
    },
  ],
};

let stack: Stack;
let gate: ModelGate;
let place: Place;
beforeAll(async () => {
  const env: Record<string, string> = {};
  stack = await startTinyStack({ scenarios: JSON.stringify([SCENARIO, ...TINY]), env, start: false });
  gate = await startModelGate(stack.model.url);
  env["ANTHROPIC_BASE_URL"] = gate.url;
  await stack.startServer();
  place = await newPlace(stack);
});
afterAll(async () => {
  await stack.close();
  await gate.close();
});

const posted = (issue: number): Promise<void> =>
  new Promise((resolve) => {
    const end = stack.forge.control.watch(({ method, path }) => {
      if (method !== "POST" || !path.endsWith(`/issues/${issue}/comments`)) return;
      end();
      resolve();
    });
  });
/** The answer that holds some words, once it is there. */
const answer = (number: number, words: string) =>
  until(`an answer with ${words}`, async () =>
    (await place.replies(number)).find((text) => text.includes(words)),
  );
const isIdle = () =>
  until("the end of all jobs", async () => {
    const { waiting, running } = jobs(stack);
    return waiting + running === 0;
  });

describe("a question", () => {
  it("is answered once, whenever the server dies, and what was found out is not paid again", async () => {
    const issue = await place.openIssue("about greetings", null, null);
    const moments = [() => gate.hold("what does it do", "asked"), () => gate.hold("tool_result", "answered")];
    const [first, second] = moments.map((moment) => ({ moment }));
    let reached = first?.moment();
    await place.say(issue, "@agent ask what does it do?");
    await reached;
    await stack.kill();
    reached = second?.moment();
    await stack.startServer();
    await reached;
    await stack.kill();
    const written = posted(issue);
    await stack.startServer();
    await written;
    await stack.kill();
    await stack.startServer();
    await isIdle();
    const replies = await place.replies(issue);
    expect(replies).toHaveLength(1);
    expect(replies[0]).toContain("It greets.");
    // The first call, and the second one twice: nobody was there to read its answer.
    expect(stack.model.requests().map(({ matched }) => matched)).toEqual(["ask#1", "ask#2", "ask#2"]);
    await place.say(issue, "@agent bill");
    expect((await place.replies(issue)).at(-1)).toMatch(/\| ask \| 2 \|/);
  }, 120_000);
});

describe("a question about what is merged", () => {
  it("is answered from the base, although the requirement's branch is still there", async () => {
    const issue = await place.openIssue("add what is merged soon");
    await place.ended(issue, "Ready for review");
    const { number, head } = await place.pullOf(issue);
    await place.say(issue, "@agent ask what was that?");
    expect(await answer(issue, "> what was that?")).toContain(`read on [\`${head.ref}\`]`);
    await place.merge(number);
    await until("the completion", async () => (await place.status(issue)).includes("**Completed**"));
    await place.say(issue, "@agent ask what is it now?");
    expect(await answer(issue, "> what is it now?")).toContain("read on [`main`]");
    expect(gitIn(stack, place, "for-each-ref", "--format=%(refname)")).toContain(`refs/heads/${head.ref}`);
  });
});
