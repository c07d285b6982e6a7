import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { detectCommands } from "../../src/validator/index.js";
import type { Workspace } from "../../src/workspace/index.js";
import { type Fixture, makeFixture } from "../workspace/fixture.js";

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

async function write(files: Record<string, string>): Promise<void> {
  for (const [path, content] of Object.entries(files)) await workspace.files.write(path, content);
}

describe("commands are found", () => {
  const detect = async (files: Record<string, string>, overrides: Record<string, string> = {}) => {
    await write(files);
    return (await detectCommands(workspace.files, { commands: overrides, custom: [] })).map((command) => [
      command.kind,
      command.name,
      command.command,
    ]);
  };
  const project = (content: object) => ({ "package.json": JSON.stringify(content) });

  it("in package.json's scripts", async () => {
    expect(await detect(project({ scripts: { test: "vitest run", typecheck: "tsc" } }))).toEqual([
      ["types", "types", "npm run --silent typecheck"],
      ["tests", "tests", "npm test --silent"],
    ]);
  });

  it("not in the script that npm init writes", async () => {
    const scripts = { test: 'echo "Error: no test specified" && exit 1' };
    expect(await detect(project({ scripts }))).toEqual([]);
    expect(await detect({ "test/a.test.mjs": "" })).toEqual([
      ["tests", "tests", "node --test --test-reporter=tap"],
    ]);
  });

  it("for TypeScript only where its compiler is a dependency", async () => {
    expect(await detect({ ...project({}), "tsconfig.json": "{}" })).toEqual([]);
    expect(await detect(project({ devDependencies: { typescript: "6" } }))).toEqual([
      ["types", "types", "npx --no-install tsc --noEmit -p tsconfig.json"],
    ]);
  });

  it("for Python, Go and Rust", async () => {
    expect(await detect({ "tests/test_a.py": "import unittest" })).toEqual([
      ["tests", "tests", "python3 -m unittest discover -v -s tests"],
    ]);
    expect(await detect({ "conftest.py": "", "go.mod": "module x", "Cargo.toml": "" })).toEqual([
      ["types", "types", "go vet ./..."],
      ["types", "types (rust)", "cargo check --all-targets"],
      ["tests", "tests", "python3 -m pytest -q -rpfE"],
      ["tests", "tests (go)", "go test -v ./..."],
      ["tests", "tests (rust)", "cargo test --no-fail-fast"],
    ]);
  });

  it("for what Python's settings name, for Maven and Gradle, and with the package manager of the lockfile", async () => {
    const settings = "[tool.mypy]\nstrict = true\n[tool.ruff.lint]\n";
    expect(await detect({ "pyproject.toml": settings, "pyrightconfig.json": "{}", "pom.xml": "" })).toEqual([
      ["types", "types", "python3 -m mypy ."],
      ["types", "types (pyright)", "pyright"],
      ["tests", "tests", "mvn -B -ntp test"],
      ["custom", "ruff", "ruff check --output-format=concise ."],
    ]);
    await workspace.reset();
    expect(
      await detect({
        ...project({ scripts: { test: "a && b", tsc: "tsc" } }),
        "yarn.lock": "",
        "build.gradle": "",
        gradlew: "",
      }),
    ).toEqual([
      ["types", "types", "yarn run tsc"],
      ["tests", "tests", "yarn run test"],
      ["tests", "tests (gradle)", "sh ./gradlew --console=plain test"],
    ]);
  });

  it("and replaced, switched off or added by configuration", async () => {
    const files = project({ scripts: { test: "x", types: "y" } });
    expect(await detect(files, { tests: "make test", types: "", lint: "make lint" })).toEqual([
      ["tests", "tests", "make test"],
      ["custom", "lint", "make lint"],
    ]);
  });

  it("and a broken package.json names none", async () => {
    expect(await detect({ "package.json": "{", "test/a.js": "" })).toEqual([
      ["tests", "tests", "node --test --test-reporter=tap"],
    ]);
  });
});
