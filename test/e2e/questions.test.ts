import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Place, asked, newPlace, outcomeOf, startTinyStack } from "../support/place.js";
import { type Stack, until } from "../support/stack.js";
import { gitIn } from "../support/story-audit.js";

const HOLD_MS = 60_000;
const TINY = JSON.parse(
  readFileSync(new URL("../fixtures/scenarios/tiny.json", import.meta.url), "utf8"),
) as object[];
const citation = (source: string, shows: string) => ({ source, shows });
const answering = (name: string, words: string, answer: string, citations: object[]) => ({
  name,
  when: {
    systemContains: "Your job: one question",
    taskMatches: `A person asks something.+\\n\\n<comment>\\n.*${words}`,
  },
  turns: [
    { call: [{ tool: "read_file", input: { path: "src/greet.js" } }] },
    { call: [{ tool: "complete_task", input: { answer, citations } }] },
  ],
});
const SCENARIOS = [
  answering(
    "ask-arrow",
    "arrow function",
    "It has no state, says @maya in `src/lost.js:7`; see `src/greet.js:1`.",
    [
      citation("src/greet.js:1", "it is one expression"),
      citation("src/gone.js:3", "it was longer"),
      citation("src/greet.js:99", "its end"),
      citation("{{task.match:^- ([0-9a-f]{7}) }}", "when it came in"),
      citation("0123456789abcdef0123456789abcdef01234567", "made up"),
      citation("EXP-7K3M2P9Q", "greetings are short"),
      citation("EXP-ZZZZZZZZ", "made up as well"),
    ],
  ),
  answering("ask-zh", "为什么用箭头函数", "因为它没有状态。", [
    citation("src/greet.js#greet", "只有一个表达式"),
  ]),
  answering("ask-nothing", "who likes it", "Nobody knows.", []),
  answering("ask-why", "why these words", "So that people smile.", [
    citation("REQ-{{task.match:REQ-(\\d+)-}}", "says so"),
  ]),
  answering("ask-line", "what is this for", "For the test.", [
    citation("test/greet.test.js:1", "it imports it"),
  ]),
  answering("ask-any", "", "It greets.", [citation("src/greet.js:1", "the text")]),
  {
    name: "route-question",
    when: { systemContains: "Your job: what a comment wants", taskContains: ["does it handle empty names"] },
    turns: [{ say: JSON.stringify({ wants: "question", reason: "It asks." }) }],
  },
  ...TINY,
];
const NOTE = `---
id: EXP-7K3M2P9Q
title: Greetings are short
type: fact
---

## Problem
Greetings got long.

## Triggers
- paths: \`src/greet.js\`

## Solution
Keep greetings short.
`;

let stack: Stack;
let place: Place;
beforeAll(async () => {
  // With one place for runs a question would wait for whichever run there is.
  stack = await startTinyStack({ scenarios: JSON.stringify(SCENARIOS), env: { ACCRUE_WORKERS: "1" } });
  place = await newPlace(stack, { config: "agent:\n  reviewers: []\n" });
  await stack.forge.control.commit({
    repository: place.repository,
    branch: "main",
    files: { "context/experience/short-greetings-EXP-7K3M2P9Q.md": NOTE },
    message: "Say how greetings are",
    login: "maya",
  });
});
afterAll(async () => {
  await stack.close();
});

/** The answer that holds some words, once it is there. */
const answer = (number: number, words: string, at = place) =>
  until(`an answer with ${words}`, async () =>
    (await at.replies(number)).find((text) => text.includes(words)),
  );
const branches = () => gitIn(stack, place, "for-each-ref", "--format=%(refname) %(objectname)");

describe("a question", () => {
  let issue = 0;

  it("on an issue that is no requirement is answered from the base, and nothing is changed", async () => {
    issue = await place.openIssue("about greetings", "They are short.", null);
    const before = branches();
    expect(await place.say(issue, "@agent ask why is greet an arrow function?")).toContain("queued question");
    const text = await answer(issue, "It has no state");
    expect(text).toContain("> why is greet an arrow function?\n\nIt has no state");
    expect(text).toMatch(
      /<sub>read on \[`main`\]\(.+\/tree\/main\) at `[0-9a-f]{7}` · <?\$0\.\d\d, 2 model calls<\/sub>/,
    );
    expect(branches()).toBe(before);
    expect(await place.status(issue)).toBe("");
    expect(await place.pulls("all")).toEqual([]);
  });

  it("shows what its answer rests on, and drops what is not there", async () => {
    const text = await answer(issue, "It has no state");
    const { sha } = (await place.as("maya", "GET", "/commits/main")) as { sha: string };
    expect(text).toContain(`/blob/${sha}/src/greet.js#L1) — it is one expression`);
    expect(text).toMatch(/- \[`[0-9a-f]{7}`\]\(.+\/commit\/[0-9a-f]{40}\) — when it came in/);
    expect(text).toMatch(/- \[`EXP-7K3M2P9Q`\]\(.+\/context\/experience\/short-greetings-EXP-7K3M2P9Q\.md\)/);
    expect(text).toContain("says `@maya` in […]; see `src/greet.js:1`.");
    expect(text).toContain("5 citations led nowhere and were left out.");
    expect(text).not.toMatch(/gone\.js|lost\.js|greet\.js:99|0123456|EXP-ZZZZZZZZ/);
  });

  it("shows the agent the thread, what is known, and the commits", async () => {
    const request = stack.model.requests().find(({ matched }) => matched === "ask-arrow#1");
    const body = JSON.stringify(request?.body);
    for (const words of [
      "on issue #1",
      "They are short.",
      "Keep greetings short.",
      '<excerpt path=\\"src/greet.js',
    ])
      expect(body).toContain(words);
  });

  it("is answered in its own language, and says so where nothing is cited", async () => {
    await place.say(issue, "@agent 问 为什么用箭头函数？");
    const text = await answer(issue, "因为它没有状态");
    expect(text).toContain("**依据**\n- [`src/greet.js#greet`]");
    await place.say(issue, "@agent ask who likes it?");
    expect(await answer(issue, "Nobody knows.")).toContain("take it as a guess");
  });

  it("of nobody who may not ask is answered, and none that asks nothing", async () => {
    const before = (await place.replies(issue)).length;
    expect(await place.say(issue, "@agent ask why?", "otto")).toContain("@otto has read permission here");
    expect(await place.replies(issue)).toHaveLength(before);
    await place.say(issue, "@agent ask");
    expect((await place.replies(issue)).at(-1)).toContain("write the question behind the word");
  });

  it("is on the bill of its thread", async () => {
    await place.say(issue, "@agent bill");
    expect((await place.replies(issue)).at(-1)).toMatch(/\| ask \| 6 \|/);
  });

  it("whose model fails is given up with words, and can be asked again", async () => {
    stack.model.fault({ kind: "status", status: 400, message: "this is not liked" });
    await place.say(issue, "@agent ask what fails?");
    expect(await answer(issue, "> what fails?")).toMatch(
      /❌ \*\*Not answered\*\*: .*this is not liked.* Ask again/,
    );
  });

  it("on somebody's pull request is answered from its branch", async () => {
    await stack.forge.control.commit({
      repository: place.repository,
      branch: "mine",
      from: "main",
      files: { "mine.txt": "1\n" },
      message: "Mine",
      login: "maya",
    });
    const pull = { title: "mine", head: "mine", base: "main" };
    const { number } = (await place.as("maya", "POST", "/pulls", pull)) as { number: number };
    await place.say(number, "@agent ask what does it do?");
    expect(await answer(number, "It greets.")).toContain("read on [`mine`]");
  });

  it("on a closed issue is answered too", async () => {
    await place.as("maya", "PATCH", `/issues/${issue}`, { state: "closed" });
    await place.say(issue, "@agent ask what does it do?");
    expect(await answer(issue, "It greets.")).toContain("src/greet.js");
  });
});

describe("a question about a requirement", () => {
  let issue = 0;

  it("is answered while its run goes on, from its branch, where that run has the only place for runs", async () => {
    for (let calls = 0; calls < 2; calls++) stack.model.fault({ kind: "delay", ms: 0 });
    stack.model.fault({ kind: "delay", ms: HOLD_MS });
    issue = await place.openIssue("add kind words");
    const held = () =>
      stack.model.requests().filter(({ body }) => JSON.stringify(body).includes(`REQ-${issue}`));
    await until("the third call", async () => held().length > 2);
    await place.say(issue, "@agent ask why these words?");
    const text = await answer(issue, "So that people smile.");
    expect(text).toMatch(new RegExp(`read on \\[\`agent/REQ-${issue}-add-kind-words\``));
    expect(text).toMatch(new RegExp(`\\[\`REQ-${issue}\`\\]\\(.+/requirement\\.md\\)`));
    expect(await place.status(issue)).toContain("⏳");
    const request = stack.model.requests().find(({ matched }) => matched === "ask-why#1");
    expect(JSON.stringify(request?.body)).toContain(
      `requirements/in-progress/REQ-${issue}-add-kind-words/requirement.md`,
    );
  });

  it("is stopped with the run by a person who says stop, and says that it was", async () => {
    stack.model.fault({ kind: "delay", ms: HOLD_MS });
    await place.say(issue, "@agent ask is it slow?");
    await until("the question", async () =>
      stack.model.requests().some(({ body }) => JSON.stringify(body).includes("is it slow?")),
    );
    await place.say(issue, "@agent stop");
    await place.ended(issue, "Stopped");
    await answer(issue, "⏸ **Stopped by `@maya`**");
    expect((await place.replies(issue)).filter((text) => text.includes("> is it slow?"))).toEqual([]);
  });

  it("leaves it where it stands, and is on its bill", async () => {
    await place.say(issue, "@agent retry");
    await place.ended(issue, "Ready for review");
    expect(asked(stack, `REQ-${issue}`).filter((turn) => /^(requirement|design)#/.test(turn))).toEqual([
      "requirement#1",
      "design#1",
    ]);
    const bill = (await place.comments(issue)).find(({ body }) => body.includes("<!-- accrue:bill"))?.body;
    expect(bill).toMatch(/\| ask \| \d \|/);
  });

  it("that a comment only reads as is one where the router says so", async () => {
    const { number, head } = await place.pullOf(issue);
    expect(await place.say(number, "@agent does it handle empty names")).toContain("queued question");
    expect(await answer(number, "> does it handle empty names")).toContain("It greets.");
    expect((await place.pullOf(issue)).head.sha).toBe(head.sha);
  });

  it("at a line of the diff is about that line", async () => {
    const pull = await place.pullOf(issue);
    const path = `src/REQ-${issue}-T1.js`;
    await place.as("maya", "POST", `/pulls/${pull.number}/comments`, {
      body: "@agent ask what is this for?",
      commit_id: pull.head.sha,
      path,
      line: 1,
      side: "RIGHT",
    });
    expect(await outcomeOf(stack, ({ event }) => event === "pull_request_review_comment")).toContain(
      "question",
    );
    await answer(pull.number, "For the test.");
    const body = JSON.stringify(stack.model.requests().find(({ matched }) => matched === "ask-line#1")?.body);
    expect(body).toContain(`of \`${path}:1\``);
    expect(body).toContain("+export const done = true;");
  });
});

describe("a question where nothing may be spent", () => {
  it("is not looked up, and the answer says how to go on", async () => {
    const poor = await newPlace(stack, { config: "budget:\n  requirement: { usd: 0.000001 }\n" });
    const issue = await poor.openIssue("about money", null, null);
    await poor.say(issue, "@agent ask what does it do?");
    await answer(issue, "⏸ **Not answered: the budget of REQ-1 is used up**", poor);
    const calls = stack.model.requests().length;
    await poor.say(issue, "@agent ask and again?");
    expect(await answer(issue, "> and again?", poor)).toContain("`@agent budget +$5`, and ask again.");
    expect(stack.model.requests()).toHaveLength(calls);
    await poor.say(issue, "@agent budget $5");
    await poor.say(issue, "@agent ask what does it greet?");
    expect(await answer(issue, "> what does it greet?", poor)).toContain("It greets.");
  });
});
