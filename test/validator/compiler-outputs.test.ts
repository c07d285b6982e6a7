import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Command, observeBaseline } from "../../src/validator/index.js";
import type { Workspace } from "../../src/workspace/index.js";
import { type Fixture, makeFixture } from "../workspace/fixture.js";
import { source } from "./change.js";

let fixture: Fixture;
let workspace: Workspace;

beforeAll(async () => {
  fixture = makeFixture();
  fixture.commit({
    "test/a.test.ts": "",
    "test/b.test.ts": "",
    "test/a.test.js": "",
    "tests/test_a.py": "",
    "cart_test.go": "",
    "src/test/java/x/CartTest.java": "",
    "src/lib.rs": "",
    "src/x.ts": "",
  });
  workspace = await fixture.open();
});
afterAll(() => fixture.close());

/** What a run of the tool is understood as, when it prints this and exits with 1. */
async function read(output: string, kind: Command["kind"] = "tests") {
  await workspace.files.write("output", output);
  const command: Command = { kind, name: kind, command: "cat output; exit 1", timeoutMs: 10_000 };
  const { box, files } = workspace;
  const { checks } = await observeBaseline(
    { box, files, commands: [command], source, rules: [] },
    fixture.signal,
  );
  const [check] = checks;
  return {
    passed: check?.passed,
    failed: check?.failed,
    failures: check?.failures.map((f) => [f.title, f.path, f.line, f.message]),
  };
}

describe("the output of", () => {
  it("Maven and Gradle, which name a class without its folder", async () => {
    const maven = `[INFO] Running x.CartTest
[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 1, Time elapsed: 0.05 s <<< FAILURE! -- in x.CartTest
[ERROR] x.CartTest.total -- Time elapsed: 0.01 s <<< FAILURE!
org.opentest4j.AssertionFailedError: expected: <3> but was: <1>
	at x.CartTest.total(CartTest.java:9)

[ERROR] Failures: 
[ERROR]   CartTest.total:9 expected: <3> but was: <1>
[INFO] 
[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 1
`;
    expect(await read(maven)).toEqual({
      passed: 1,
      failed: 1,
      failures: [["CartTest.total", "src/test/java/x/CartTest.java", 9, "expected: <3> but was: <1>"]],
    });
    const gradle = `> Task :test FAILED

CartTest > total() FAILED
    org.opentest4j.AssertionFailedError at CartTest.java:9

2 tests completed, 1 failed
`;
    expect(await read(gradle)).toEqual({
      passed: 1,
      failed: 1,
      failures: [
        ["CartTest.total", "src/test/java/x/CartTest.java", 9, "org.opentest4j.AssertionFailedError"],
      ],
    });
  });

  it.each([
    [
      "tests/test_a.py:3: error: Bad return  [return-value]",
      ["return-value", "tests/test_a.py", 3, "Bad return"],
    ],
    ["  /work/tests/test_a.py:3:5 - error: Bad (reportX)", ["reportX", "tests/test_a.py", 3, "Bad"]],
    ["tests/test_a.py:3:1: F401 [*] `os` unused", ["F401", "tests/test_a.py", 3, "[*] `os` unused"]],
    ["# x\nvet: ./cart_test.go:3:2: undefined: a", ["error", "cart_test.go", 3, "undefined: a"]],
    [
      "src/test/java/x/CartTest.java:3: error: ';' expected",
      ["error", "src/test/java/x/CartTest.java", 3, "';' expected"],
    ],
    [
      "[ERROR] /work/src/test/java/x/CartTest.java:[3,5] ';' expected",
      ["error", "src/test/java/x/CartTest.java", 3, "';' expected"],
    ],
    ["error[E0308]: mismatched types\n --> src/lib.rs:3:5\n", ["E0308", "src/lib.rs", 3, "mismatched types"]],
  ])("compilers and checkers, by line: %s", async (output, failure) => {
    expect(await read(output, "types")).toEqual({ passed: null, failed: 1, failures: [failure] });
  });

  it("a build that cannot fetch what it needs is not run, and no failure of the change", async () => {
    await workspace.files.write("output", "[ERROR] Could not resolve dependencies for project x:x:jar:1\n");
    const command: Command = {
      kind: "tests",
      name: "tests",
      command: "cat output; exit 1",
      timeoutMs: 10_000,
    };
    const { box, files } = workspace;
    const result = await observeBaseline(
      { box, files, commands: [command], source, rules: [] },
      fixture.signal,
    );
    expect(result).toMatchObject({ outcome: "not-run", reason: expect.stringContaining("neither here") });
  });
});
