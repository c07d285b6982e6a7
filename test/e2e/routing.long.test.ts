import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Place, asked, newPlace, startTinyStack } from "../support/place.js";
import { type Stack, until } from "../support/stack.js";

const route = (words: string, answer: string) => ({
  name: `route-${words
    .replace(/[^a-z]+/gi, "-")
    .toLowerCase()
    .replace(/-$/, "")}`,
  when: { systemContains: "Your job: what a comment wants", taskContains: [words] },
  turns: [{ say: answer }],
});
const wants = (kind: string) => JSON.stringify({ wants: kind, reason: "It says so." });
const SCENARIOS = [
  route("does this handle empty names", wants("question")),
  route("LGTM", wants("nothing")),
  route("we always write in lower case", wants("remember")),
  route("can you write the second file?", wants("change")),
  route("could we have a third one?", JSON.stringify({ wants: "deploy", reason: "x" })),
  ...(JSON.parse(
    readFileSync(new URL("../fixtures/scenarios/tiny.json", import.meta.url), "utf8"),
  ) as object[]),
];

let stack: Stack;
let place: Place;
let issue: number;
let pull: number;
beforeAll(async () => {
  stack = await startTinyStack({ scenarios: JSON.stringify(SCENARIOS) });
  place = await newPlace(stack, { config: "knowledge:\n  depositor: rules\nagent:\n  reviewers: []\n" });
  issue = await place.openIssue("Say one", null, null);
  await place.say(issue, "@agent can we have a file that says one?");
  await place.ended(issue, "Ready for review");
  pull = (await place.pullOf(issue)).number;
}, 120_000);
afterAll(async () => {
  await stack.close();
});

const routes = () => asked(stack, `REQ-${issue}`).filter((name) => name.startsWith("route")).length;
const lastReply = async () => (await place.replies(pull)).at(-1) ?? "";

describe("what a comment wants", () => {
  it("is decided without a model on a fresh issue, where it is the work itself", () => {
    expect(routes()).toBe(0);
  });

  it("is decided without a model where its words are a command or say what to do", async () => {
    for (const words of ["thanks!", "bill", "budget $15", "help", "add this to AGENTS.md: run npm test"])
      await place.say(pull, `@agent ${words}`);
    const { sha } = (await place.pullOf(issue)).head;
    await place.say(pull, "@agent also write another file");
    await until("the new head", async () => (await place.pullOf(issue)).head.sha !== sha);
    await place.ended(issue, "Ready for review");
    expect(routes()).toBe(0);
  });

  it("is a question or nothing where a model says so: then nothing is changed", async () => {
    const { sha } = (await place.pullOf(issue)).head;
    expect(await place.say(pull, "@agent does this handle empty names")).toContain("queued question");
    await until("the answer", async () => (await lastReply()).includes("does this handle empty names"));
    expect(await place.say(pull, "@agent LGTM")).toContain("nothing is asked for");
    expect(await lastReply()).toContain("`@agent approve` goes on");
    expect((await place.pullOf(issue)).head.sha).toBe(sha);
    expect(routes()).toBe(2);
  });

  it("is something to remember where a model says so", async () => {
    expect(await place.say(pull, "@agent we always write in lower case")).toBe("answered remember");
    expect(routes()).toBe(3);
  });

  it("is a change where a model says so, or says something that there is not, and each is asked about once", async () => {
    for (const words of ["can you write the second file?", "could we have a third one?"]) {
      const { sha } = (await place.pullOf(issue)).head;
      expect(await place.say(pull, `@agent ${words}`)).toContain("queued run");
      await until("the new head", async () => (await place.pullOf(issue)).head.sha !== sha);
      await place.ended(issue, "Ready for review");
    }
    expect(routes()).toBe(5);
  });

  it("is asked of the cheapest model, for a short answer", () => {
    const calls = stack.model.requests().filter(({ matched }) => matched?.startsWith("route-"));
    const body = JSON.stringify(calls[0]?.body);
    expect(calls[0]?.body).toMatchObject({ model: "claude-haiku-5-5", max_tokens: 300 });
    expect(body).toContain(`Requirement REQ-${issue}`);
  });
});
