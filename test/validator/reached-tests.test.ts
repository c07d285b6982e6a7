import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { detectCommands, observeBaseline } from "../../src/validator/index.js";
import type { Workspace } from "../../src/workspace/index.js";
import { type Fixture, makeFixture } from "../workspace/fixture.js";
import { type Given, checkChange, named, source } from "./change.js";

let fixture: Fixture;
let workspace: Workspace;

beforeAll(() => {
  fixture = makeFixture();
});
afterAll(() => fixture.close());
let run = 0;
beforeEach(async () => {
  run += 1;
  workspace = await fixture.open({ run: `01RUN${run}`, branch: `agent/REQ-${run}` });
});
afterEach(() => workspace.close());

async function write(files: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(files)) await workspace.files.write(path, text);
}

const check = (given: Given = {}) => checkChange(workspace, given, fixture.signal);

describe("the tests that the change can reach", () => {
  const test = (name: string, body: string) => `require("node:test").test("${name}", () => { ${body} });\n`;
  const suite = {
    "test/near.test.js": test("near", 'throw new Error("no")'),
    "test/far.test.js": test("far", ""),
    "test/other.test.js": test("other", ""),
  };

  it("run first, and when they fail the others wait until the end", async () => {
    await write(suite);
    const commands = await detectCommands(workspace.files, {
      commands: {},
      custom: [{ name: "lint", command: "true" }],
    });
    const given = { commands, reached: ["test/near.test.js"] };
    const workspaceOnly = { ...given, isFinal: false };
    await workspace.commit({ message: "All" });
    await write({ "src/a.js": "1;\n" });
    const early = await check(workspaceOnly);
    expect(early.checks.map(({ name, outcome, partOf }) => [name, outcome, partOf !== undefined])).toEqual([
      ["syntax (JavaScript)", "passed", false],
      ["tests", "failed", true],
      ["tests", "not-run", false],
      ["lint", "not-run", false],
    ]);
    expect(named(early, "tests")).toMatchObject({
      command: "node --test --test-reporter=tap test/near.test.js",
      failures: [{ title: "near", path: "test/near.test.js" }],
    });
    const last = await check({ ...given, isFinal: true });
    expect(last).toMatchObject({ outcome: "failed", reason: "tests: 1 of 3 tests fails" });
    expect(last.checks.slice(-2).map(({ name, outcome }) => [name, outcome])).toEqual([
      ["tests", "failed"],
      ["lint", "passed"],
    ]);
  });

  it("are followed by all tests when they pass, and count once", async () => {
    await write({ ...suite, "test/near.test.js": test("near", "") });
    await workspace.commit({ message: "All" });
    await write({ "src/a.js": "1;\n" });
    const commands = await detectCommands(workspace.files, { commands: {}, custom: [] });
    const result = await check({ commands, reached: ["test/near.test.js"], isFinal: false });
    expect(result).toMatchObject({ outcome: "passed", reason: "4 checks passed" });
  });

  it("that fail on the base too do not stop the others", async () => {
    await write(suite);
    await workspace.commit({ message: "All" });
    const { box, files } = workspace;
    const commands = await detectCommands(files, { commands: {}, custom: [] });
    const baseline = await observeBaseline({ box, files, commands, source, rules: [] }, fixture.signal);
    await write({ "src/a.js": "1;\n" });
    const result = await check({ commands, baseline, reached: ["test/near.test.js"], isFinal: false });
    expect(result).toMatchObject({ outcome: "passed", known: [{ title: "near" }] });
  });

  it.each([
    [
      { "package.json": '{"scripts":{"test":"vitest run --coverage"}}' },
      "npm test --silent -- test/a.test.js",
    ],
    [{ "package.json": '{"scripts":{"test":"jest"}}', "yarn.lock": "" }, "yarn run test test/a.test.js"],
    [
      { "package.json": '{"scripts":{"test":"mocha"}}', "pnpm-lock.yaml": "" },
      "pnpm --silent run test test/a.test.js",
    ],
    [{ "conftest.py": "" }, "python3 -m pytest -q -rpfE tests/test_a.py"],
    [{ "go.mod": "", "b/b_test.go": "" }, "go test -v ./a"],
    [{ "Cargo.toml": "", "tests/b.rs": "", "src/lib.rs": "" }, "cargo test --no-fail-fast --lib --test a"],
    [
      { "pom.xml": "", mvnw: "", "src/test/java/x/BTest.java": "" },
      "sh ./mvnw -B -ntp test -DfailIfNoTests=false -Dsurefire.failIfNoSpecifiedTests=false -Dtest=ATest",
    ],
    [
      { "build.gradle.kts": "", "src/test/java/x/BTest.java": "" },
      "gradle --console=plain test --tests x.ATest",
    ],
  ])("are given to the runner as it takes them: %j", async (project, line) => {
    const reached = [
      "test/a.test.js",
      "tests/test_a.py",
      "a/a_test.go",
      "tests/a.rs",
      "src/test/java/x/ATest.java",
    ];
    const more = ["test/b.test.js", "tests/test_b.py"];
    await write(Object.fromEntries([...reached, ...more].map((path) => [path, ""])));
    await write(project);
    await workspace.commit({ message: "All" });
    await write({ README: "x" });
    const commands = (await detectCommands(workspace.files, { commands: {}, custom: [] })).map((each) => {
      const start = each.part && `echo '--- FAIL: Test (0.00s)' '(${each.part.start}'; false #`;
      return { ...each, ...(each.part && start && { part: { ...each.part, start } }) };
    });
    const result = await check({ commands: commands.filter(({ part }) => part), reached, isFinal: false });
    const ran = result.checks.flatMap(({ command: said, partOf }) =>
      partOf === undefined ? [] : said.replace(/^.*'\((.*)'; false #/, "$1"),
    );
    expect(ran).toContain(line);
  });
});
