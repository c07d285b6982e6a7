import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  FILES,
  FIXED,
  TINY_STEPS,
  asksFor,
  call,
  fixPull,
  names,
  rewrite,
  step,
  write,
} from "../support/fix-pull.js";
import { jobs, newPlace, startTinyStack } from "../support/place.js";
import { type Stack, until } from "../support/stack.js";

const test = (name: string, cents: string, euros: string) =>
  `import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { euros } from "../src/euros.js";\n\ntest("${name}", () => assert.equal(euros(${cents}), "${euros}"));\n`;
const TEST = "test/euros.test.js";
const SCENARIOS = [
  step(
    "test-right",
    ["write a regression test", "passes on the code before the change too"],
    [...rewrite(TEST, test("half a cent is rounded up", "150.5", "1.51"))],
  ),
  step("test-weak", [asksFor("write a regression test")], [write(TEST, test("a whole sum", "150", "1.50"))]),
  step(
    "test-unreal",
    [asksFor("给这个写一个回归测试"), "it does not fail for what is wrong there"],
    [...rewrite(TEST, test("一分半", "150.5", "1.51"))],
  ),
  step(
    "test-import",
    [asksFor("给这个写一个回归测试")],
    [write(TEST, test("一分半", "150.5", "1.51").replace("src/euros", "src/rounding"))],
  ),
  step(
    "test-never",
    [asksFor("add a regression test for it")],
    [{ call: [call("run", { command: `mkdir -p test && echo '// nothing' > ${TEST}` })] }],
  ),
  step(
    "test-open",
    [asksFor("write a failing regression test")],
    [write(TEST, test("half a cent is rounded up", "150.5", "1.51"))],
  ),
  ...TINY_STEPS,
];

let stack: Stack;
beforeAll(async () => {
  stack = await startTinyStack({ scenarios: JSON.stringify(SCENARIOS) });
}, 60_000);
afterAll(async () => {
  await stack.close();
});

describe("a regression test that a person asks for on their own pull request", () => {
  it("goes back while it proves nothing, and is pushed once it fails before the fix and passes after", async () => {
    const place = await newPlace(stack, { files: FILES });
    const { number, answer, log, check } = await fixPull(stack, place);
    expect(await place.say(number, "@agent write a regression test for this")).toContain("queued run");
    const said = await answer();
    expect(said).toContain("✅ **Regression test proved and pushed**");
    expect(said).toMatch(
      /\| before: `main` \([0-9a-f]{7}\) \| `npm test --silent -- test\/euros\.test\.js` \| 1 \| test\/euros\.test\.js:5 half a cent is rounded up: .*1\.50/,
    );
    expect(said).toMatch(/\| the branch \([0-9a-f]{7}\) \| `npm test .+` \| 0 \| 1 passed \|/);
    const tried = names(stack, place).filter((name) => name.startsWith("test-"));
    expect(new Set(tried.map((name) => name.split("#")[0]))).toEqual(new Set(["test-weak", "test-right"]));
    const commits = await log();
    expect(commits).toHaveLength(3);
    expect(commits[0]?.commit.message).toMatch(/^Regression test: test\/euros\.test\.js\n/);
    const { files } = (await place.as("maya", "GET", `/commits/${commits[0]?.sha}`)) as {
      files: { filename: string }[];
    };
    expect(files.map(({ filename }) => filename)).toEqual([TEST]);
    expect(await check()).toMatchObject({ conclusion: "success" });
    expect((await check())?.output.title).toMatch(/^Regression test proved · Passed: /);
    expect(names(stack, place)).not.toContain("requirement#1");
  });

  it("is not taken for one when it only fails because it cannot be loaded, in Chinese too", async () => {
    const place = await newPlace(stack, { files: FILES });
    const { number, answer, log } = await fixPull(stack, place, undefined, "半分钱要向上取整");
    await place.say(number, "@agent 给这个写一个回归测试");
    const said = await answer();
    expect(said).toContain("✅ **回归测试已验证并推送**");
    expect(said).toContain("一分半");
    expect(names(stack, place)).toContain("test-import#1");
    expect(names(stack, place)).toContain("test-unreal#1");
    expect(await log()).toHaveLength(3);
  });

  it("is not pushed where nothing was proved, and a person is told what was observed", async () => {
    const place = await newPlace(stack, {
      files: { ...FILES, ".github/agent.yml": "agent:\n  retry_limit: 1\n  reviewers: []\n" },
    });
    const { number, answer, log, check } = await fixPull(stack, place);
    await place.say(number, "@agent add a regression test for it");
    const said = await answer();
    expect(said).toMatch(/⚠ \*\*Regression test not proved, and not pushed\*\*: it does not fail/);
    expect(said).toContain("// test/euros.test.js\n// nothing\n");
    expect(names(stack, place).filter((name) => name === "test-never#1")).toHaveLength(2);
    expect(await log()).toHaveLength(2);
    expect(await check()).toBeUndefined();
  });

  it("is no proof where nothing on the branch makes it pass", async () => {
    const place = await newPlace(stack, { files: FILES });
    const { number, answer, log } = await fixPull(stack, place, {
      "docs/rounding.test.md": "It cuts off.\n",
    });
    await place.say(number, "@agent write a failing regression test for this");
    const said = await answer();
    expect(said).toContain("it fails now, and nothing in this pull request makes it pass");
    expect(said).toMatch(/\| the branch .+ \| 1 \| test\/euros\.test\.js:5 half a cent is rounded up/);
    expect(said).not.toContain("before:");
    expect(await log()).toHaveLength(2);
  });
});

describe("a test that somebody asks for where the branch is wrong itself", () => {
  it("fails on both sides, is left as it is, and is told as what it is", async () => {
    const place = await newPlace(stack, { files: FILES });
    const { number, answer, log } = await fixPull(stack, place, { "src/other.js": FIXED });
    const pull = (await place.as("maya", "GET", `/pulls/${number}`)) as { head: { sha: string } };
    await place.as("maya", "POST", `/pulls/${number}/comments`, {
      body: "@agent write a failing regression test for this",
      commit_id: pull.head.sha,
      path: "src/other.js",
      line: 1,
      side: "RIGHT",
    });
    const said = await answer();
    expect(said).toContain("it fails now, and nothing in this pull request makes it pass");
    expect(said).toMatch(/before: .+ \| 1 \| test\/euros\.test\.js:5 half a cent is rounded up/);
    expect(said).toMatch(/\| the branch .+ \| 1 \|/);
    expect(names(stack, place).filter((name) => name === "test-open#1")).toHaveLength(2);
    expect(JSON.stringify(stack.model.requests().at(-1)?.body)).toContain("Said of `src/other.js:1`");
    expect(await log()).toHaveLength(2);
  });
});

describe("a small request that cannot be done", () => {
  it("is declined where its branch is the default branch, or the pull request is closed", async () => {
    const place = await newPlace(stack, { files: FILES });
    const { number } = await fixPull(stack, place);
    await place.as("maya", "PATCH", `/pulls/${number}`, { state: "closed" });
    expect(await place.say(number, "@agent write a regression test for this")).toContain("is closed");
    const { control } = stack.forge;
    const { repository } = place;
    await control.commit({
      repository,
      branch: "old",
      from: "main",
      files: {},
      message: "Old",
      login: "maya",
    });
    await control.commit({ repository, branch: "main", files: { a: "1" }, message: "New", login: "maya" });
    const back = (await place.as("maya", "POST", "/pulls", { title: "Back", head: "main", base: "old" })) as {
      number: number;
    };
    const said = await place.say(back.number, "@agent write a regression test for this");
    expect(said).toContain("`main` is no branch that the app may push to");
  });
});

describe("a crash after the test was pushed", () => {
  it("makes neither a second test nor a second answer", async () => {
    const place = await newPlace(stack, { files: FILES });
    const { number, answer, log } = await fixPull(stack, place);
    await place.say(number, "@agent write a regression test for this");
    await until("the push", async () => (await log()).length === 3);
    await stack.kill();
    await stack.startServer();
    expect(await answer()).toContain("✅ **Regression test proved and pushed**");
    await until("an idle server", async () => jobs(stack).running === 0);
    expect(await place.replies(number)).toHaveLength(1);
    expect(await log()).toHaveLength(3);
  });
});

describe("a small request on the bot's own pull request", () => {
  it("leaves requirement and plan as they are, and books what it cost", async () => {
    const place = await newPlace(stack, { files: FILES });
    const issue = await place.openIssue("Say done");
    await place.ended(issue, "Ready for review");
    const pull = await place.pullOf(issue);
    const status = await place.status(issue);
    await stack.forge.control.commit({
      repository: place.repository,
      branch: pull.head.ref,
      files: { "src/euros.js": FIXED },
      message: "Round half a cent up",
      login: "maya",
    });
    const before = await place.files(`requirements/events/REQ-${issue}`, pull.head.ref);
    await place.say(pull.number, "@agent write a regression test for this");
    const said = await until("the answer", async () => (await place.replies(pull.number)).at(-1) ?? null);
    expect(said).toContain("✅ **Regression test proved and pushed**");
    expect(await place.status(issue)).toBe(status);
    const after = await place.files(`requirements/events/REQ-${issue}`, pull.head.ref);
    expect(after.filter((name) => !before.includes(name))).toEqual([expect.stringMatching(/-cost\.json$/)]);
    expect((await place.checks(issue)).at(-1)).toMatchObject({ conclusion: "success" });
  });
});
