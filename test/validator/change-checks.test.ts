import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Command, type QueryRule, type Validation, observeBaseline } from "../../src/validator/index.js";
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

/** What the branch holds already, before the change that is judged. */
async function commit(files: Record<string, string>): Promise<void> {
  await write(files);
  await workspace.commit({ message: "Before" });
}

const check = (given: Given = {}) => checkChange(workspace, given, fixture.signal);

const command = (kind: Command["kind"], line: string, more: Partial<Command> = {}): Command => ({
  kind,
  name: kind,
  command: line,
  timeoutMs: 30_000,
  ...more,
});
const found = (result: Validation, name: string) =>
  named(result, name)?.failures.map(({ path, line, message }) => `${path}:${line} ${message}`);

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
    expect(named(result, "tests")?.outcome).toBe("not-run");
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
    expect(named(result, "syntax (JSON)")).toMatchObject({ outcome: "not-run" });
    await write({ "a.ts": "export const b = ;\nexport const c = ;\n" });
    const worse = await check({ commands: [command("tests", "true")] });
    expect(found(worse, "syntax (grammar)")).toHaveLength(1);
  });

  it("is none where the compiler of its language knows better", async () => {
    await write({ "a.ts": "export const b = ;\n" });
    const types = command("types", "true", { compiles: ["typescript"] });
    const result = await check({ commands: [types, command("tests", "true")] });
    expect(result).toMatchObject({ outcome: "passed" });
    expect(named(result, "syntax (grammar)")).toMatchObject({ outcome: "passed", failures: [] });
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
    expect(named(await check(), "imports")).toMatchObject({
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
    expect(named(result, "documented")).toMatchObject({
      outcome: "not-run",
      reason: expect.stringContaining("no_such_node"),
    });
    expect(named(result, "unknown")?.reason).toContain("cobol");
    expect(await check({ rules: [documented] })).toMatchObject({ outcome: "not-run" });
  });
});
