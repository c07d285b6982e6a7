import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Validation, detectCommands, observeBaseline, validate } from "../../src/validator/index.js";
import type { Workspace } from "../../src/workspace/index.js";
import { type Fixture, makeFixture } from "../workspace/fixture.js";
import { knowledgeOf, source } from "./change.js";

let fixture: Fixture;
let workspace: Workspace;

beforeEach(() => {
  fixture = makeFixture();
});
afterEach(async () => {
  await workspace.close();
  fixture.close();
});

interface Project {
  /** What has to be there; without it the test is skipped, and says so. */
  needs: string;
  base: Record<string, string>;
  broken: Record<string, string>;
  right: Record<string, string>;
  commands?: Record<string, string>;
}

async function judge(
  { commands = {} }: Project,
  files: Record<string, string>,
  baseline: Validation | null,
): Promise<Validation> {
  for (const [path, text] of Object.entries(files)) await workspace.files.write(path, text);
  const { box } = workspace;
  const changed = await workspace.changes();
  return validate(
    {
      box,
      files: workspace.files,
      commands: await detectCommands(workspace.files, { commands, custom: [] }),
      changed,
      known: await knowledgeOf(workspace, { reached: Object.keys(files) }),
      baseline,
      isFinal: true,
    },
    fixture.signal,
  );
}

/** Takes a small project through a baseline, a change that breaks a test, and one that is right. */
async function takeThrough(project: Project, skip: (reason: string) => never, setUp: () => void = () => {}) {
  fixture.commit(project.base, "main");
  workspace = await fixture.open();
  setUp();
  const { box, files } = workspace;
  const { exitCode } = await box.run({ command: project.needs, timeoutMs: 60_000 }, fixture.signal);
  if (exitCode !== 0) {
    const reason = `\`${project.needs}\` does not work here`;
    process.stderr.write(`A toolchain is not tested: ${reason}\n`);
    skip(reason);
  }
  const commands = await detectCommands(files, { commands: project.commands ?? {}, custom: [] });
  const baseline = await observeBaseline({ box, files, commands, source, rules: [] }, fixture.signal);
  const broken = await judge(project, project.broken, baseline);
  const right = await judge(project, project.right, baseline);
  return { baseline, broken, right };
}

const outcomes = ({ checks }: Validation) => checks.map(({ name, outcome }) => `${name} ${outcome}`);
const failures = ({ checks }: Validation) =>
  checks.flatMap((check) => check.failures.map(({ path, line }) => `${path}:${line}`));

describe("a small project goes through validation for real", { timeout: 240_000 }, () => {
  it("in TypeScript, with its compiler", async ({ skip }) => {
    const module = (type: string) => `export const add = (a: number, b: number): ${type} => a + b;\n`;
    const project: Project = {
      needs: "node --version",
      base: {
        ".gitignore": "node_modules\n",
        "package.json": JSON.stringify({ type: "module", devDependencies: { typescript: "*" } }),
        "tsconfig.json": '{ "compilerOptions": { "types": [] }, "include": ["src"] }',
        "src/add.ts": module("number"),
      },
      broken: { "src/add.ts": module("string") },
      right: { "src/add.ts": `// Sums.\n${module("number")}` },
    };
    const result = await takeThrough(project, skip, () => {
      const modules = join(workspace.path, "node_modules");
      cpSync("node_modules/typescript", join(modules, "typescript"), { recursive: true });
      mkdirSync(join(modules, ".bin"));
      symlinkSync("../typescript/bin/tsc", join(modules, ".bin/tsc"));
    });
    expect(result.baseline).toMatchObject({ outcome: "passed" });
    expect(result.broken).toMatchObject({ outcome: "failed", reason: "types: 1 type error" });
    expect(failures(result.broken)).toEqual(["src/add.ts:1"]);
    expect(result.right).toMatchObject({ outcome: "passed" });
  });

  it("in JavaScript, with the tests of Node", async ({ skip }) => {
    const module = (sign: string) => `export const add = (a, b) => a ${sign} b;\n`;
    const test = `import { test } from "node:test";\nimport { equal } from "node:assert";\nimport { add } from "../add.mjs";\ntest("adds", () => equal(add(1, 2), 3));\n`;
    const result = await takeThrough(
      {
        needs: "node --version",
        base: { "add.mjs": module("+"), "test/add.test.mjs": test, "package.json": "{}" },
        broken: { "add.mjs": module("-") },
        right: { "add.mjs": `// Sums.\n${module("+")}` },
      },
      skip,
    );
    expect(result.baseline.outcome).toBe("passed");
    expect(failures(result.broken)).toEqual(["test/add.test.mjs:4"]);
    expect(result.right).toMatchObject({ outcome: "passed", reason: "2 checks passed" });
    expect(result.right.checks.at(-1)?.ran).toEqual(["adds"]);
  });

  it("in Python, with unittest", async ({ skip }) => {
    const module = (sign: string) => `def add(a, b):\n    return a ${sign} b\n`;
    const result = await takeThrough(
      {
        needs: "python3 --version",
        base: {
          "add.py": module("+"),
          "tests/__init__.py": "",
          "tests/test_add.py":
            "import unittest\nfrom add import add\n\nclass Add(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual(add(1, 2), 3)\n",
        },
        broken: { "add.py": module("-") },
        right: { "add.py": `"""Sums."""\n${module("+")}` },
      },
      skip,
    );
    expect(failures(result.broken)).toEqual(["tests/test_add.py:6"]);
    expect(result.right.outcome).toBe("passed");
    expect(result.right.checks.at(-1)?.ran).toEqual(["tests.test_add.Add.test_adds"]);
  });

  it("in Go, with go vet and go test", async ({ skip }) => {
    const module = (sign: string) =>
      `package add\n\n// Add sums.\nfunc Add(a, b int) int {\n\treturn a ${sign} b\n}\n`;
    const result = await takeThrough(
      {
        needs: "go version",
        base: {
          "go.mod": "module example.org/add\n\ngo 1.19\n",
          "add.go": module("+"),
          "add_test.go":
            'package add\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\tif Add(1, 2) != 3 {\n\t\tt.Errorf("got %d", Add(1, 2))\n\t}\n}\n',
        },
        broken: { "add.go": module("-") },
        right: { "add.go": module("+").replace("return a", "return 0 + a") },
      },
      skip,
    );
    expect(outcomes(result.broken)).toEqual(["syntax (grammar) passed", "types passed", "tests failed"]);
    expect(failures(result.broken)).toEqual(["add_test.go:7"]);
    expect(result.right.outcome).toBe("passed");
    expect(result.right.checks.at(-1)?.ran).toEqual(["TestAdd"]);
    const vet = await judge(
      { needs: "", base: {}, broken: {}, right: {} },
      { "add.go": 'package add\n\nfunc Add(a, b int) int { return "" }\n' },
      null,
    );
    expect(vet.checks.find(({ kind }) => kind === "types")).toMatchObject({
      outcome: "failed",
      failures: [{ path: "add.go", line: 3 }],
    });
  });

  it("in Rust, with cargo check and cargo test", async ({ skip }) => {
    const module = (sign: string) => `/// Sums.\npub fn add(a: i32, b: i32) -> i32 {\n    a ${sign} b\n}\n`;
    const result = await takeThrough(
      {
        needs: "cargo --version && rustc --version",
        base: {
          "Cargo.toml": '[package]\nname = "adds"\nversion = "0.1.0"\nedition = "2021"\n',
          ".gitignore": "target\nCargo.lock\n",
          "src/lib.rs": module("+"),
          "tests/adds.rs": "#[test]\nfn adds_up() {\n    assert_eq!(adds::add(1, 2), 3);\n}\n",
          "tests/other.rs": "#[test]\nfn other() {}\n",
        },
        broken: { "src/lib.rs": module("-") },
        right: { "src/lib.rs": module("+").replace("a +", "0 + a +") },
      },
      skip,
    );
    expect(outcomes(result.broken)).toEqual(["syntax (grammar) passed", "types passed", "tests failed"]);
    expect(failures(result.broken)).toEqual(["tests/adds.rs:3"]);
    expect(result.right).toMatchObject({ outcome: "passed" });
    expect(result.right.checks.at(-1)?.ran).toEqual(["adds_up", "other"]);
    const wrong = await judge(
      { needs: "", base: {}, broken: {}, right: {} },
      { "src/lib.rs": 'pub fn add(a: i32, b: i32) -> i32 {\n    "" \n}\n' },
      null,
    );
    expect(wrong.checks.find(({ kind }) => kind === "types")).toMatchObject({
      outcome: "failed",
      failures: [{ title: "E0308", path: "src/lib.rs", line: 2 }],
    });
  });

  it("in Java, by commands of its own", async ({ skip }) => {
    const module = (sign: string) =>
      `class Add {\n    static int add(int a, int b) {\n        return a ${sign} b;\n    }\n}\n`;
    const project: Project = {
      needs: "javac -version && java -version",
      base: {
        ".gitignore": "out\n",
        "src/Add.java": module("+"),
        "src/AddTest.java":
          'class AddTest {\n    public static void main(String[] words) {\n        if (Add.add(1, 2) != 3) throw new AssertionError("adds");\n        System.out.println("TAP version 13\\nok 1 - adds\\n1..1");\n    }\n}\n',
      },
      broken: { "src/Add.java": module("-") },
      right: { "src/Add.java": module("+").replace("a +", "0 + a +") },
      commands: { types: "javac -d out src/*.java", tests: "java -cp out AddTest" },
    };
    const result = await takeThrough(project, skip);
    expect(result.broken).toMatchObject({ outcome: "failed" });
    expect(result.broken.checks.at(-1)?.output).toContain("AssertionError: adds");
    expect(result.right).toMatchObject({ outcome: "passed" });
    expect(result.right.checks.at(-1)?.ran).toEqual(["adds"]);
    const wrong = await judge(
      project,
      { "src/Add.java": module("+").replace("return a", 'return "" + a') },
      null,
    );
    expect(failures(wrong)).toEqual(["src/Add.java:3"]);
  });
});
