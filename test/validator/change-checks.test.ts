import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  type Command,
  type QueryRule,
  type Validation,
  detectCommands,
  observeBaseline,
  validate,
} from "../../src/validator/index.js";
import type { Workspace } from "../../src/workspace/index.js";
import { type Fixture, makeFixture } from "../workspace/fixture.js";
import { knowledgeOf, source } from "./change.js";

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

/** What the branch holds already, before the change that is judged. */
async function commit(files: Record<string, string>): Promise<void> {
  await write(files);
  await workspace.commit({ message: "Before" });
}

interface Given {
  rules?: QueryRule[];
  reached?: string[];
  commands?: Command[];
  isFinal?: boolean;
  baseline?: Validation | null;
}

async function check(given: Given = {}): Promise<Validation> {
  const { box, files } = workspace;
  const { rules = [], reached = [], baseline = null, isFinal = true } = given;
  const known = await knowledgeOf(workspace, { rules, reached });
  const commands = given.commands ?? [];
  return validate(
    { box, files, commands, changed: await workspace.changes(), known, baseline, isFinal },
    fixture.signal,
  );
}

const command = (kind: Command["kind"], line: string, more: Partial<Command> = {}): Command => ({
  kind,
  name: kind,
  command: line,
  timeoutMs: 30_000,
  ...more,
});
const of = ({ checks }: Validation, name: string) => checks.find((each) => each.name === name);
const found = (result: Validation, name: string) =>
  of(result, name)?.failures.map(({ path, line, message }) => `${path}:${line} ${message}`);

describe("a changed file that cannot be parsed any more", () => {
  it("is a finding with its line in every language that the code map reads", async () => {
    await write({
      "a.ts": "export const a = 1;\nexport const b = ;\n",
      "a.go": "package a\n\nfunc f( {\n}\n",
      "A.java": "class A {\n  int a( { }\n}\n",
      "a.rs": "fn a() {\n  let = 1;\n}\n",
      "a.rb": "def a\n  1\n",
      "fine.tsx": "export const a = <b>c</b>;\n",
    });
    const result = await check({ commands: [command("tests", "true")] });
    expect(result.outcome).toBe("failed");
    const places = found(result, "syntax (grammar)") ?? [];
    expect(places).toContain("a.ts:2 This cannot be parsed as typescript: export const b = ;");
    const paths = new Set(places.map((place) => place.replace(/:.*/, "")));
    expect([...paths].sort()).toEqual(["A.java", "a.go", "a.rb", "a.rs", "a.ts"]);
    expect(of(result, "tests")?.outcome).toBe("not-run");
  });

  it("is none where it could not be parsed before either", async () => {
    await commit({ "a.ts": "export const b = ;\n", "b.py": "{{ name }} = \n", "c.json": "{{ all }}" });
    await write({
      "a.ts": "export const a = 1;\nexport const b = ;\n",
      "b.py": "{{ name }} = \na = 1\n",
      "c.json": "{{ all }} ",
    });
    const result = await check({ commands: [command("tests", "true")] });
    expect(result.outcome).toBe("passed");
    expect(of(result, "syntax (JSON)")).toMatchObject({ outcome: "not-run" });
    await write({ "a.ts": "export const b = ;\nexport const c = ;\n" });
    const worse = await check({ commands: [command("tests", "true")] });
    expect(found(worse, "syntax (grammar)")).toHaveLength(1);
  });

  it("is none where the compiler of its language knows better", async () => {
    await write({ "a.ts": "export const b = ;\n" });
    const types = command("types", "true", { compiles: ["typescript"] });
    const result = await check({ commands: [types, command("tests", "true")] });
    expect(result).toMatchObject({ outcome: "passed" });
    expect(of(result, "syntax (grammar)")).toMatchObject({ outcome: "passed", failures: [] });
    const other = await check({ commands: [command("types", "true"), command("tests", "true")] });
    expect(other.outcome).toBe("failed");
  });

  it("is none for markup in a script, which Node alone does not read", async () => {
    await write({ "view.js": "export const view = () => <p>hello</p>;\n" });
    expect(await check({ commands: [command("tests", "true")] })).toMatchObject({ outcome: "passed" });
  });
});

describe("an import that the change adds", () => {
  it("of a package that package.json does not declare is a finding", async () => {
    await commit({
      "package.json": JSON.stringify({ name: "root", dependencies: { zod: "4" } }),
      "packages/own/package.json": JSON.stringify({
        name: "@acme/own",
        devDependencies: { "@types/koa": "3" },
      }),
      "tsconfig.json":
        '{ "compilerOptions": { "paths": { "lib/*": ["./src/*"], }, "baseUrl": "." } } // comment',
      "src/old.ts": 'import old from "undeclared-before";\n',
    });
    await write({
      "src/old.ts": 'import old from "undeclared-before";\nimport x from "left-pad";\n',
      "src/a.ts": [
        'import { z } from "zod/v4";',
        'import { readFile } from "node:fs/promises";',
        'import path from "path";',
        'import own from "@acme/own/deep";',
        'import alias from "lib/b";',
        'import based from "src/old";',
        'import view from "@/view";',
        'import made from "virtual:made";',
        'import inner from "#inner";',
        'const scoped = require("@scope/missing/x");',
      ].join("\n"),
      "packages/own/b.ts": 'import type Koa from "koa";\nimport { z } from "zod";\n',
    });
    expect(found(await check(), "imports")).toEqual([
      "src/a.ts:10 `@scope/missing/x` needs @scope/missing, which package.json does not declare: declare it, or do without.",
      "src/old.ts:2 `left-pad` needs left-pad, which package.json does not declare: declare it, or do without.",
    ]);
  });

  it("of a package that no Python file declares is a finding", async () => {
    await commit({
      "pyproject.toml": '[project]\nname = "shop"\ndependencies = ["PyYAML>=6", "google-cloud-storage"]\n',
      "requirements-dev.txt": "pytest\nscikit_learn==1 # flask\n",
      "src/shop/cart.py": "",
    });
    await write({
      "src/shop/a.py":
        "import os.path, yaml\nfrom sklearn import svm\nfrom shop.cart import x\nfrom . import b\nimport google.cloud.storage\nimport requests\nimport flask.views\n",
    });
    expect(found(await check(), "imports")).toEqual([
      "src/shop/a.py:6 `requests` needs requests, which pyproject.toml does not declare: declare it, or do without.",
      "src/shop/a.py:7 `flask.views` needs flask, which pyproject.toml does not declare: declare it, or do without.",
    ]);
  });

  it("of a module that go.mod, or a crate that Cargo.toml does not name is a finding", async () => {
    await commit({
      "go.mod": "module example.org/shop\n\nrequire (\n\tgithub.com/a/b v1.0.0 // indirect\n)\n",
      "Cargo.toml":
        '[package]\nname = "my-shop"\n[dependencies]\nserde = "1"\n[target."cfg(unix)".dependencies]\nnix-x = "1"\n',
      "src/cart.rs": "",
    });
    await write({
      "a.go":
        'package a\n\nimport (\n\t"fmt"\n\t"example.org/shop/x"\n\t"github.com/a/b/c"\n\t"github.com/c/d"\n)\n',
      "src/main.rs":
        "mod inner { }\nuse serde::Serialize;\nuse std::fmt;\nuse fmt::Display;\nuse my_shop::x;\nuse nix_x::y;\nuse inner::z;\nuse cart::w;\nuse crate::q;\nuse rand::Rng;\n",
    });
    expect(found(await check(), "imports")).toEqual([
      "a.go:7 `github.com/c/d` needs github.com/c/d, which go.mod does not declare: declare it, or do without.",
      "src/main.rs:10 `rand` needs rand, which Cargo.toml does not declare: declare it, or do without.",
    ]);
  });

  it("is not judged, and that is said, where imports do not name packages or no manifest is there", async () => {
    await write({ "A.java": "import org.junit.Test;\nclass A { }\n", "a.py": "import requests\n" });
    expect(of(await check(), "imports")).toMatchObject({
      outcome: "not-run",
      reason: "An import does not say which artifact it comes from. No file declares Python packages.",
    });
  });
});

describe("a rule of the repository's own as a query", () => {
  const documented: QueryRule = {
    name: "documented",
    language: "typescript",
    query: "(export_statement declaration: (function_declaration name: (identifier) @finding))",
    unless:
      "((comment) . (export_statement declaration: (function_declaration name: (identifier) @finding)))",
    message: "Every exported function has a doc comment.",
    only: "changed",
  };
  const before = "export function old() {}\n\n/** Said. */\nexport function said() {}\n";

  it("finds what the changed lines break, with its line", async () => {
    await commit({ "src/a.ts": before });
    await write({
      "src/a.ts": `${before}export function fresh() {}\n`,
      "src/b.tsx": "export function View() {}\n",
    });
    const result = await check({ rules: [documented], commands: [command("tests", "true")] });
    expect(result).toMatchObject({ outcome: "failed", reason: "documented: 2 places break the rule" });
    expect(found(result, "documented")).toEqual([
      "src/a.ts:5 Every exported function has a doc comment.",
      "src/b.tsx:1 Every exported function has a doc comment.",
    ]);
  });

  it("of all files does not blame a change for what the base has", async () => {
    const all: QueryRule = { ...documented, only: "all" };
    await commit({ "src/a.ts": before });
    const { box, files } = workspace;
    const commands = [command("tests", "true")];
    const baseline = await observeBaseline({ box, files, commands, source, rules: [all] }, fixture.signal);
    await write({ "src/a.ts": `const first = 1;\n${before}` });
    expect(await check({ rules: [all], commands, baseline })).toMatchObject({
      outcome: "passed",
      known: [{ path: "src/a.ts" }],
    });
    await write({ "src/c.ts": "export function more() {}\n" });
    expect((await check({ rules: [all], commands, baseline })).outcome).toBe("failed");
  });

  it("that is wrong is said and holds nothing up; alone it proves nothing", async () => {
    await write({ "src/a.ts": "export const a = 1;\n" });
    const wrong: QueryRule = { ...documented, query: "(no_such_node) @finding" };
    const unknown: QueryRule = { ...documented, name: "unknown", language: "cobol" };
    const result = await check({ rules: [wrong, unknown], commands: [command("tests", "true")] });
    expect(result.outcome).toBe("passed");
    expect(of(result, "documented")).toMatchObject({
      outcome: "not-run",
      reason: expect.stringContaining("no_such_node"),
    });
    expect(of(result, "unknown")?.reason).toContain("cobol");
    expect(await check({ rules: [documented] })).toMatchObject({ outcome: "not-run" });
  });
});

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
    expect(of(early, "tests")).toMatchObject({
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
