import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { detectLint, observeBaseline, rulesIn } from "../../src/validator/index.js";
import type { Workspace } from "../../src/workspace/index.js";
import { type Fixture, makeFixture } from "../workspace/fixture.js";
import { source } from "./change.js";

let fixture: Fixture;
let workspace: Workspace;
let run = 0;
beforeAll(() => {
  fixture = makeFixture();
});
afterAll(() => fixture.close());
beforeEach(async () => {
  run += 1;
  workspace = await fixture.open({ run: `01LINT${run}`, branch: `agent/REQ-${run}` });
});
afterEach(() => workspace.close());

describe("the linter of a repository", () => {
  it.each([
    [{ "package.json": '{"scripts":{"lint":"eslint src"}}' }, "npm run --silent lint"],
    [{ "package.json": "{}", "eslint.config.js": "" }, "npx --no-install eslint ."],
    [{ "ruff.toml": "" }, "ruff check --output-format=concise ."],
    [{ ".golangci.yml": "" }, "golangci-lint run"],
    [{ "package.json": '{"scripts":{"test":"node --test"}}' }, undefined],
  ])("is found in %j", async (files, command) => {
    for (const [path, content] of Object.entries(files)) await workspace.files.write(path, content);
    const found = await detectLint(workspace.files, { commands: {}, custom: [] });
    expect(found?.command).toBe(command);
  });

  it("is what its configuration calls so, before anything that is detected", async () => {
    await workspace.files.write("package.json", '{"scripts":{"lint":"eslint src"}}');
    const found = await detectLint(workspace.files, { commands: { lint: "make lint" }, custom: [] });
    expect(found?.command).toBe("make lint");
  });

  it("names each finding with its rule, as ESLint prints it", async () => {
    await workspace.files.write("src/a.js", "");
    await workspace.files.write(
      "output",
      `\n${workspace.path}/src/a.js\n  3:5   error    Unexpected use of eval  no-eval\n  4:1   warning  Too long                max-len\n\n✖ 2 problems (1 error, 1 warning)\n`,
    );
    const { box, files } = workspace;
    const command = { kind: "custom", name: "lint", command: "cat output; exit 1", timeoutMs: 9000 } as const;
    const { checks } = await observeBaseline(
      { box, files, commands: [command], source, rules: [] },
      fixture.signal,
    );
    expect(checks).toMatchObject([
      {
        exitCode: 1,
        failures: [{ title: "no-eval", path: "src/a.js", line: 3, message: "Unexpected use of eval" }],
      },
    ]);
  });
});

describe("the rules in a configuration's text", () => {
  it("are read apart from everything else that stands there", () => {
    const rules = rulesIn("label: bot\nvalidate:\n  custom:\n    - name: a\n      command: make a\n");
    expect(rules).toEqual([{ name: "a", command: "make a" }]);
    expect(rulesIn("")).toEqual([]);
  });

  it("are a sentence where it cannot be read", () => {
    expect(rulesIn("validate: [")).toMatch(/^\.github\/agent\.yml cannot be read: /);
    expect(rulesIn("validate:\n  custom:\n    - query: x\n")).toMatch(/cannot be read: validate\.custom/);
  });
});
