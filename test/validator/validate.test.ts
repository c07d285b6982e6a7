import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, it } from "vitest";
import { checkSyntax, type Command, observeBaseline, validate } from "../../src/validator/index.js";
import type { Workspace } from "../../src/workspace/index.js";
import { type Fixture, makeFixture } from "../workspace/fixture.js";
import { knowledgeOf, source } from "./change.js";

let fixture: Fixture;
let workspace: Workspace;
let run = 0;

beforeAll(() => {
  fixture = makeFixture();
});
afterAll(() => fixture.close());
beforeEach(async () => {
  run += 1;
  workspace = await fixture.open({ run: `01RUN${run}`, branch: `agent/REQ-${run}` });
});
afterEach(() => workspace.close());

const NODE_TESTS: Command = {
  kind: "tests",
  name: "tests",
  command: "node --test --test-reporter=tap",
  timeoutMs: 30_000,
};

async function write(files: Record<string, string>): Promise<void> {
  for (const [path, content] of Object.entries(files)) await workspace.files.write(path, content);
}

async function check(
  commands: readonly Command[],
  baseline: Parameters<typeof validate>[0]["baseline"] = null,
) {
  const { box, files } = workspace;
  const [changed, known] = [await workspace.changes(), await knowledgeOf(workspace)];
  return validate({ box, files, commands, changed, known, baseline, isFinal: true }, fixture.signal);
}

const observe = (commands: readonly Command[]) =>
  observeBaseline(
    { box: workspace.box, files: workspace.files, commands, source, rules: [] },
    fixture.signal,
  );

describe("a rule that fits only what changed", () => {
  const RULE: Command = { kind: "custom", name: "R-1", command: "cat said; exit 1", timeoutMs: 9000 };
  const PASSING = { "test/a.test.js": 'require("node:test").test("adds up", () => {});' };
  /** The result where the rule says this now, and said that on the base. */
  async function judged(now: string, before: string | null) {
    await write({ ...PASSING, said: now });
    const { box, files } = workspace;
    const [changed, known] = [await workspace.changes(), await knowledgeOf(workspace)];
    const onBase = async (failed: readonly Command[]) => {
      expect(failed).toEqual([RULE]);
      await write({ said: before ?? "" });
      const passing = failed.map((command) => ({ ...command, command: "true" }));
      return (await observe(before === null ? passing : failed)).checks;
    };
    const commands = [NODE_TESTS, RULE];
    const base = { outcome: "passed" as const, reason: "", checks: [], known: [] };
    return validate(
      { box, files, commands, changed, known, baseline: base, isFinal: true, onBase },
      fixture.signal,
    );
  }

  it("is looked at on the base when it fails, and is known where it says the same there", async () => {
    expect(await judged("src/old.js is too long\n", "src/old.js is too long\n")).toMatchObject({
      outcome: "passed",
      known: [{ title: "R-1" }],
    });
  });

  it.each([
    ["src/new.js is too long\n", "src/old.js is too long\n"],
    ["src/new.js is too long\n", null],
    ["", ""],
  ])("is held against the change where it says %j now and %j there", async (now, before) => {
    expect((await judged(now, before)).outcome).toBe("failed");
  });
});

describe("a validation", () => {
  it("passes when the tests ran and passed", async () => {
    await write({ "test/a.test.js": 'require("node:test").test("adds up", () => {});' });
    const result = await check([NODE_TESTS]);
    expect(result).toMatchObject({ outcome: "passed", reason: "2 checks passed", known: [] });
    expect(result.checks.map((each) => [each.name, each.outcome])).toEqual([
      ["syntax (JavaScript)", "passed"],
      ["imports", "passed"],
      ["tests", "passed"],
    ]);
  });

  it("fails with each failing test, its file and its line", async () => {
    await write({
      "test/a.test.js": `const { describe, it } = require("node:test");
describe("cart", () => {
  it("has a #total", () => require("node:assert").equal(1, 2));
  it("empties", () => {});
});`,
    });
    const result = await check([NODE_TESTS]);
    expect(result).toMatchObject({ outcome: "failed", reason: "tests: 1 of 2 tests fails" });
    expect(result.checks.at(-1)).toMatchObject({
      passed: 1,
      failed: 1,
      failures: [{ title: "has a #total", path: "test/a.test.js", line: 3, message: "1 == 2" }],
    });
  });

  it("is not run, never passed, when there is no command or the command runs no test", async () => {
    await write({ "src/a.js": "1;" });
    expect(await check([])).toMatchObject({ outcome: "not-run", reason: "no test command found" });
    const nothing = await check([
      { ...NODE_TESTS, command: "node --test --test-name-pattern=nothing src/a.js; exit 0" },
    ]);
    expect(nothing.outcome).not.toBe("failed");
    const idle = { ...NODE_TESTS, command: "echo 'TAP version 13'; echo '1..0'" };
    expect(await check([idle])).toMatchObject({
      outcome: "not-run",
      reason: "tests: It found no test to run",
    });
    const pytest = { ...NODE_TESTS, command: "echo 'no tests ran in 0.01s'; exit 5" };
    expect(await check([pytest])).toMatchObject({ outcome: "not-run" });
  });

  it("is not run when the tool is not installed, even if the types are fine", async () => {
    const types: Command = { kind: "types", name: "types", command: "true", timeoutMs: 10_000 };
    const result = await check([types, { ...NODE_TESTS, command: "no-such-runner" }]);
    expect(result).toMatchObject({ outcome: "not-run", reason: expect.stringContaining("not installed") });
    const python = { ...NODE_TESTS, command: "echo '/usr/bin/python3: No module named pytest'; exit 1" };
    expect((await check([python])).outcome).toBe("not-run");
  });

  it("passes on the exit code alone where the output tells nothing", async () => {
    const silent = { ...NODE_TESTS, command: "true" };
    const result = await check([silent]);
    expect(result).toMatchObject({ outcome: "passed" });
    expect(result.checks.at(-1)).toMatchObject({ passed: null, failed: null });
    expect(await check([{ ...NODE_TESTS, command: "exit 9" }])).toMatchObject({
      outcome: "failed",
      reason: "tests: `exit 9` exited with 9",
    });
  });

  it("SE-80 fails when the time is up", async () => {
    const slow = { ...NODE_TESTS, command: "sleep 60", timeoutMs: 1000 };
    expect(await check([slow])).toMatchObject({
      outcome: "failed",
      reason: expect.stringContaining("after 1 s"),
    });
  });

  it("does not run the tests when a changed file cannot be parsed", async () => {
    await write({ "a.js": "const a = ;" });
    const result = await check([NODE_TESTS]);
    expect(result).toMatchObject({
      outcome: "failed",
      reason: expect.stringContaining("a.js cannot be parsed"),
    });
    expect(result.checks.at(-1)).toMatchObject({ name: "tests", outcome: "not-run" });
  });
});

describe("failures that the base had too", () => {
  const failing = 'const { test } = require("node:test");\ntest("old", () => { throw new Error("old"); });\n';
  const passing = 'require("node:test").test("fine", () => {});\n';

  it("are said and not blamed", async () => {
    await write({ "test/old.test.js": failing, "test/fine.test.js": passing });
    const baseline = await observe([NODE_TESTS]);
    expect(baseline).toMatchObject({ outcome: "failed", known: [] });
    await write({ "test/old.test.js": `\n\n${failing}`, "test/new.test.js": passing });
    const result = await check([NODE_TESTS], baseline);
    expect(result).toMatchObject({
      outcome: "passed",
      reason: expect.stringContaining("1 failure that the base has too"),
    });
    expect(result.known).toMatchObject([{ title: "old", path: "test/old.test.js" }]);
    expect(result.checks.at(-1)).toMatchObject({
      outcome: "failed",
      reason: expect.stringContaining("on the base too"),
    });
  });

  it("do not hide a new one, not even one of the same name", async () => {
    await write({ "test/old.test.js": failing, "test/fine.test.js": passing });
    const baseline = await observe([NODE_TESTS]);
    await write({ "test/old.test.js": `${failing}test("old", () => { throw new Error("new"); });` });
    const result = await check([NODE_TESTS], baseline);
    expect(result.outcome).toBe("failed");
    expect(result.known).toHaveLength(1);
  });

  it("are proof of nothing when nothing else passed", async () => {
    await write({ "test/old.test.js": failing });
    const baseline = await observe([NODE_TESTS]);
    expect(await check([NODE_TESTS], baseline)).toMatchObject({
      outcome: "not-run",
      reason: expect.stringContaining("fails on the base already"),
    });
  });

  it("without details cannot be told from new ones, and that is said", async () => {
    const broken = { ...NODE_TESTS, command: "echo broken; exit 2" };
    const baseline = await observe([broken]);
    expect(await check([broken], baseline)).toMatchObject({
      outcome: "not-run",
      reason: expect.stringContaining("base"),
    });
    const fixed = await observe([{ ...NODE_TESTS, command: "true" }]);
    expect(await check([broken], fixed)).toMatchObject({ outcome: "failed" });
  });
});

describe("the syntax check", () => {
  const syntax = async () =>
    checkSyntax(
      { files: workspace.files, box: workspace.box, changed: await workspace.changes() },
      fixture.signal,
    );

  it("names file, line and message for each language", async () => {
    await write({
      "it's/第一.mjs": "export const a = 1;\nconst b = ;\n",
      "ok.cjs": "module.exports = 1;\n",
      "a.py": "def f(:\n  pass\n",
      "b.json": '{"a": }',
      "c.json": '\ufeff{"a": 1}',
    });
    const checks = await syntax();
    const found = checks.flatMap((each) => each.failures.map((f) => [each.name, f.path, f.line, f.message]));
    expect(found).toEqual([
      ["syntax (JavaScript)", "it's/第一.mjs", 2, "SyntaxError: Unexpected token ';'"],
      ["syntax (Python)", "a.py", 1, expect.stringContaining("SyntaxError")],
      ["syntax (JSON)", "b.json", null, expect.stringContaining("Unexpected token")],
    ]);
    expect(checks.map((each) => each.passed)).toEqual([1, 0, 1]);
    expect((await workspace.changes()).filter((change) => change.path.includes("pycache"))).toEqual([]);
  });

  it("leaves alone what it cannot judge", async () => {
    await write({ "a.ts": "const a = ;", "tsconfig.json": "{ /* comment */ }", "README.md": "changed" });
    await workspace.files.remove("src/a.txt");
    expect(await syntax()).toMatchObject([
      { outcome: "not-run", reason: expect.stringContaining("No changed file") },
    ]);
  });

  it("FI-16 checks many files in few commands", async () => {
    for (let i = 0; i < 60; i++) await workspace.files.write(`many/${i}.js`, i === 59 ? "(" : "1;");
    const [result] = await syntax();
    expect(result).toMatchObject({ outcome: "failed", passed: 59, failed: 1 });
    expect(result?.failures[0]?.path).toBe("many/59.js");
  });
});
