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
  it("vitest, with colours", async () => {
    const output = `
 \u001b[31m❯\u001b[39m test/a.test.ts (3 tests | 2 failed) 7ms
 FAIL  test/b.test.ts [ test/b.test.ts ]
Error: Cannot find module './nowhere.js' imported from /workspace/test/b.test.ts
 ❯ test/b.test.ts:1:1

\u001b[41m FAIL \u001b[49m test/a.test.ts > cart > has a total
AssertionError: expected 1 to be 2 // Object.is equality

- Expected
+ Received

 ❯ test/a.test.ts:2:62

 FAIL  test/a.test.ts > throws
TypeError: no good
 ❯ thrower node_modules/x/index.js:1:1
 ❯ test/a.test.ts:3:28

 Test Files  2 failed (2)
      Tests  2 failed | 1 passed (3)
`;
    expect(await read(output)).toEqual({
      passed: 1,
      failed: 3,
      failures: [
        [
          "test/b.test.ts",
          "test/b.test.ts",
          1,
          "Error: Cannot find module './nowhere.js' imported from /workspace/test/b.test.ts",
        ],
        [
          "cart > has a total",
          "test/a.test.ts",
          2,
          "AssertionError: expected 1 to be 2 // Object.is equality",
        ],
        ["throws", "test/a.test.ts", 3, "TypeError: no good"],
      ],
    });
  });

  it("jest", async () => {
    const output = `FAIL test/a.test.js
  cart
    ✕ has a total (3 ms)
    ✓ empties

  ● cart › has a total

    expect(received).toBe(expected) // Object.is equality

    Expected: 2
      at Object.<anonymous> (test/a.test.js:5:13)

Test Suites: 1 failed, 1 total
Tests:       1 failed, 3 passed, 4 total
`;
    expect(await read(output)).toEqual({
      passed: 3,
      failed: 1,
      failures: [
        ["cart > has a total", "test/a.test.js", 5, "expect(received).toBe(expected) // Object.is equality"],
      ],
    });
  });

  it("mocha", async () => {
    const output = `
  3 passing (5ms)
  1 failing

  1) cart
       has a total:
     AssertionError [ERR_ASSERTION]: 1 == 2
      at Context.<anonymous> (test/a.test.js:5:13)
      at process.processImmediate (node:internal/timers:476:21)
`;
    expect(await read(output)).toEqual({
      passed: 3,
      failed: 1,
      failures: [["cart > has a total", "test/a.test.js", 5, "AssertionError [ERR_ASSERTION]: 1 == 2"]],
    });
  });

  it("node --test for people", async () => {
    const output = `✖ has a #total (0.8ms)
ℹ tests 3
ℹ pass 1
ℹ fail 2

✖ failing tests:

test at test/a.test.js:3:26
✖ has a #total (0.82377ms)
  AssertionError [ERR_ASSERTION]: 1 == 2

test at test/a.test.js:2:1
✖ cart (1.2ms)
  '1 subtest failed'
`;
    expect(await read(output)).toEqual({
      passed: 1,
      failed: 1,
      failures: [["has a #total", "test/a.test.js", 3, "AssertionError [ERR_ASSERTION]: 1 == 2"]],
    });
  });

  it("pytest", async () => {
    const output = `F.E                                                                      [100%]
=================================== FAILURES ===================================
_________________________________ test_total ___________________________________

    def test_total():
>       assert 1 == 2
E       assert 1 == 2

tests/test_a.py:5: AssertionError
=========================== short test summary info ============================
FAILED tests/test_a.py::test_total - assert 1 == 2
FAILED tests/test_a.py::TestCart::test_x[a b]
2 failed, 1 passed, 1 warning in 0.03s
`;
    expect(await read(output)).toEqual({
      passed: 1,
      failed: 2,
      failures: [
        ["test_total", "tests/test_a.py", 5, "assert 1 == 2"],
        ["TestCart::test_x[a b]", "tests/test_a.py", 5, ""],
      ],
    });
  });

  it("unittest", async () => {
    const line = "=".repeat(70);
    const dashes = "-".repeat(70);
    const output = `test_total (test_a.CartTest.test_total) ... FAIL
${line}
ERROR: test_error (test_a.CartTest.test_error)
${dashes}
Traceback (most recent call last):
  File "/workspace/tests/test_a.py", line 7, in test_error
    raise TypeError("no good")
TypeError: no good

${line}
FAIL: test_total (test_a.CartTest.test_total)
${dashes}
Traceback (most recent call last):
  File "/workspace/tests/test_a.py", line 4, in test_total
    self.assertEqual(1, 2)
AssertionError: 1 != 2

${dashes}
Ran 4 tests in 0.000s

FAILED (failures=1, errors=1, skipped=1)
`;
    expect(await read(output)).toEqual({
      passed: 1,
      failed: 2,
      failures: [
        ["test_a.CartTest.test_error", "tests/test_a.py", 7, "TypeError: no good"],
        ["test_a.CartTest.test_total", "tests/test_a.py", 4, "AssertionError: 1 != 2"],
      ],
    });
  });

  it("go test", async () => {
    const output = `=== RUN   TestTotal
=== RUN   TestTotal/empty
    cart_test.go:12: want 1, got 2
--- FAIL: TestTotal (0.00s)
    --- FAIL: TestTotal/empty (0.00s)
=== RUN   TestFine
--- PASS: TestFine (0.00s)
FAIL
FAIL	example.org/shop	0.003s
`;
    expect(await read(output)).toEqual({
      passed: 1,
      failed: 1,
      failures: [["TestTotal/empty", "cart_test.go", 12, "want 1, got 2"]],
    });
    expect(
      await read("./cart_test.go:3:5: undefined: nope\nFAIL\texample.org/shop [build failed]\n"),
    ).toMatchObject({
      failures: [["build", "cart_test.go", 3, "undefined: nope"]],
    });
  });

  it("cargo test", async () => {
    const output = `running 2 tests
test tests::fine ... ok
test tests::total ... FAILED

---- tests::total stdout ----
thread 'tests::total' panicked at src/lib.rs:10:9:
assertion \`left == right\` failed

test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out
`;
    expect(await read(output)).toEqual({
      passed: 1,
      failed: 1,
      failures: [["tests::total", "src/lib.rs", 10, "assertion `left == right` failed"]],
    });
  });

  it("tsc, in both of its forms", async () => {
    const expected = {
      passed: null,
      failed: 1,
      failures: [["TS2322", "src/x.ts", 1, "Type 'string' is not assignable to type 'number'."]],
    };
    const message = "error TS2322: Type 'string' is not assignable to type 'number'.";
    expect(await read(`src/x.ts(1,7): ${message}\n`, "types")).toEqual(expected);
    expect(await read(`src/x.ts:1:7 - ${message}\n`, "types")).toEqual(expected);
  });

  it("a tool nobody knows: nothing is invented, and paths outside the repository are not named", async () => {
    expect(await read("everything is terrible\n")).toEqual({ passed: null, failed: null, failures: [] });
    const tap = "not ok 1 - x\n  ---\n  location: '/usr/lib/other.js:3:1'\n  ...\n1..1\n";
    expect(await read(tap)).toEqual({ passed: 0, failed: 1, failures: [["x", null, null, ""]] });
  });
});
