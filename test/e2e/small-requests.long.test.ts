import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CheckRun, type Place, jobs, newPlace, startTinyStack } from "../support/place.js";
import { type Stack, readFolder, until } from "../support/stack.js";

const call = (tool: string, input: object) => ({ tool, input });
const end = { call: [call("complete_task", { summary: "It is written.", evidence: [] })] };
const write = (path: string, content: string) => ({ call: [call("write_file", { path, content })] });
const rewrite = (path: string, content: string) => [
  { call: [call("read_file", { path })] },
  write(path, content),
];

const test = (name: string, cents: string, euros: string) =>
  `import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { euros } from "../src/euros.js";\n\ntest("${name}", () => assert.equal(euros(${cents}), "${euros}"));\n`;
const rule = (query: string) =>
  `agent:\n  reviewers: []\nvalidate:\n  custom:\n    - name: rounds\n      language: javascript\n      query: '${query}'\n      message: Cents are rounded, never cut off.\n`;
const TEST = "test/euros.test.js";
const NEEDS = "Your job: one task";
const OF_TESTS = `${NEEDS}, of tests`;
const asksFor = (words: string) => `<comment>\n${words}`;
const step = (name: string, taskContains: string[], turns: object[]) => ({
  name,
  when: { systemContains: name.startsWith("test") ? OF_TESTS : NEEDS, taskContains },
  turns: [...turns, end],
});

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
  step(
    "rule-right",
    [asksFor("write a lint rule for this"), "passes on the code before the change too"],
    [
      ...rewrite(
        ".github/agent.yml",
        rule('((identifier) @finding (#eq? @finding "trunc"))'.replace("identifier", "property_identifier")),
      ),
    ],
  ),
  step(
    "rule-blind",
    [asksFor("write a lint rule for this")],
    [...rewrite(".github/agent.yml", rule('((property_identifier) @finding (#eq? @finding "floor"))'))],
  ),
  step("linter", [asksFor("写一条 lint 规则")], [write("lint-rules/trunc.txt", "Math.trunc\n")]),
  ...(JSON.parse(
    readFileSync(new URL("../fixtures/scenarios/tiny.json", import.meta.url), "utf8"),
  ) as object[]),
];

const BAD = "export const euros = (cents) => (Math.trunc(cents) / 100).toFixed(2);\n";
const FIXED = "export const euros = (cents) => (Math.round(cents) / 100).toFixed(2);\n";
const LINT = `import { existsSync, readFileSync, readdirSync } from "node:fs";
const rules = existsSync("lint-rules") ? readdirSync("lint-rules") : [];
let found = 0;
for (const rule of rules) for (const file of readdirSync("src")) {
  const word = readFileSync("lint-rules/" + rule, "utf8").trim();
  readFileSync("src/" + file, "utf8").split("\\n").forEach((text, i) => {
    if (text.includes(word)) console.log(\`src/\${file}:\${i + 1}: \${word} is not used here\`, (found += 1));
  });
}
process.exitCode = found > 0 ? 1 : 0;
`;
const FILES: Record<string, string> = {
  ...readFolder("test/fixtures/tiny/"),
  "src/euros.js": BAD,
  ".github/agent.yml": "agent:\n  reviewers: []\n",
};

let stack: Stack;
beforeAll(async () => {
  stack = await startTinyStack({ scenarios: JSON.stringify(SCENARIOS) });
}, 60_000);
afterAll(async () => {
  await stack.close();
});

/** Model requests of one place that were answered, by scenario and turn. */
const names = ({ repository }: Place) =>
  stack.model
    .requests()
    .filter(({ body }) => JSON.stringify(body).includes(`\`${repository}\``))
    .map(({ matched }) => matched ?? "");

/** A person's pull request that puts the rounding right, and what was said on it. */
async function pullRequest(
  place: Place,
  files: Record<string, string> = {
    "src/euros.js": FIXED,
    "test/rounding.test.js": "import 'node:test';\n",
    "src/rounding.js": FIXED,
  },
  title = "Round half a cent up",
) {
  await stack.forge.control.commit({
    repository: place.repository,
    branch: "round",
    from: "main",
    files,
    message: "Round half a cent up",
    login: "maya",
  });
  const { number } = (await place.as("maya", "POST", "/pulls", {
    title,
    head: "round",
    base: "main",
  })) as { number: number };
  const answer = (count = 1) =>
    until("the answer", async () => {
      const replies = await place.replies(number);
      return replies.length >= count ? replies.at(-1) : null;
    });
  const log = async () =>
    (await place.as("maya", "GET", "/commits?sha=round")) as { sha: string; commit: { message: string } }[];
  const check = async () => {
    const [{ sha } = { sha: "" }] = await log();
    const path = `/commits/${sha}/check-runs`;
    return ((await place.as("maya", "GET", path)) as { check_runs: CheckRun[] }).check_runs[0];
  };
  return { number, answer, log, check };
}

describe("a regression test that a person asks for on their own pull request", () => {
  it("goes back while it proves nothing, and is pushed once it fails before the fix and passes after", async () => {
    const place = await newPlace(stack, { files: FILES });
    const { number, answer, log, check } = await pullRequest(place);
    expect(await place.say(number, "@agent write a regression test for this")).toContain("queued run");
    const said = await answer();
    expect(said).toContain("✅ **Regression test proved and pushed**");
    expect(said).toMatch(
      /\| before: `main` \([0-9a-f]{7}\) \| `npm test --silent -- test\/euros\.test\.js` \| 1 \| test\/euros\.test\.js:5 half a cent is rounded up: .*1\.50/,
    );
    expect(said).toMatch(/\| the branch \([0-9a-f]{7}\) \| `npm test .+` \| 0 \| 1 passed \|/);
    const tried = names(place).filter((name) => name.startsWith("test-"));
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
    expect(names(place)).not.toContain("requirement#1");
  });

  it("is not taken for one when it only fails because it cannot be loaded, in Chinese too", async () => {
    const place = await newPlace(stack, { files: FILES });
    const { number, answer, log } = await pullRequest(place, undefined, "半分钱要向上取整");
    await place.say(number, "@agent 给这个写一个回归测试");
    const said = await answer();
    expect(said).toContain("✅ **回归测试已验证并推送**");
    expect(said).toContain("一分半");
    expect(names(place)).toContain("test-import#1");
    expect(names(place)).toContain("test-unreal#1");
    expect(await log()).toHaveLength(3);
  });

  it("is not pushed where nothing was proved, and a person is told what was observed", async () => {
    const place = await newPlace(stack, {
      files: { ...FILES, ".github/agent.yml": "agent:\n  retry_limit: 1\n  reviewers: []\n" },
    });
    const { number, answer, log, check } = await pullRequest(place);
    await place.say(number, "@agent add a regression test for it");
    const said = await answer();
    expect(said).toMatch(/⚠ \*\*Regression test not proved, and not pushed\*\*: it does not fail/);
    expect(said).toContain("// test/euros.test.js\n// nothing\n");
    expect(names(place).filter((name) => name === "test-never#1")).toHaveLength(2);
    expect(await log()).toHaveLength(2);
    expect(await check()).toBeUndefined();
  });

  it("is no proof where nothing on the branch makes it pass", async () => {
    const place = await newPlace(stack, { files: FILES });
    const { number, answer, log } = await pullRequest(place, { "docs/rounding.test.md": "It cuts off.\n" });
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
    const { number, answer, log } = await pullRequest(place, { "src/other.js": FIXED });
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
    expect(names(place).filter((name) => name === "test-open#1")).toHaveLength(2);
    expect(JSON.stringify(stack.model.requests().at(-1)?.body)).toContain("Said of `src/other.js:1`");
    expect(await log()).toHaveLength(2);
  });
});

describe("a small request that cannot be done", () => {
  it("is declined where its branch is the default branch, or the pull request is closed", async () => {
    const place = await newPlace(stack, { files: FILES });
    const { number } = await pullRequest(place);
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
    const { number, answer, log } = await pullRequest(place);
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

describe("a lint rule that a person asks for", () => {
  it("is a query of the repository's configuration where there is no linter, and is proved like a test", async () => {
    const place = await newPlace(stack, { files: FILES });
    const { number, answer, check } = await pullRequest(place);
    await place.say(number, "@agent write a lint rule for this");
    const said = await answer();
    expect(said).toContain("✅ **Lint rule proved and pushed**");
    expect(said).toMatch(/before: .+ \| src\/euros\.js:1 rounds: Cents are rounded, never cut off\. \|/);
    expect(names(place)).toContain("rule-blind#1");
    expect(await place.read(".github/agent.yml", "round")).toContain('"trunc"');
    expect((await check())?.output.title).toMatch(/^Lint rule proved · /);
  });

  it("is one of the repository's own linter where it has one", async () => {
    const manifest = JSON.parse(FILES["package.json"] ?? "{}") as { scripts: object };
    const place = await newPlace(stack, {
      files: {
        ...FILES,
        "lint.js": LINT,
        "package.json": JSON.stringify({
          ...manifest,
          scripts: { ...manifest.scripts, lint: "node lint.js" },
        }),
      },
    });
    const { number, answer } = await pullRequest(place, undefined, "半分钱要向上取整");
    await place.say(number, "@agent 写一条 lint 规则");
    const said = await answer();
    expect(said).toContain("✅ **lint 规则已验证并推送**");
    expect(said).toMatch(
      /`npm run --silent lint` \| 1 \| src\/euros\.js:1 lint: .*Math\.trunc is not used here/,
    );
    expect(await place.files("lint-rules", "round")).toEqual(["trunc.txt"]);
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
