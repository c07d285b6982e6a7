import { describe, expect, it } from "vitest";
import { judge } from "../../src/orchestrator/proof/judge.js";
import type { Check, Failure } from "../../src/validator/index.js";

const PATH = "test/a.test.js";
const failure = (message: string, part: Partial<Failure> = {}): Failure => ({
  title: "rounds up",
  path: PATH,
  line: 3,
  message,
  ...part,
});
function check(failures: Failure[], part: Partial<Check> = {}): Check {
  const outcome = failures.length > 0 ? "failed" : "passed";
  const ran = failures.length > 0 ? [] : ["rounds up"];
  const counts = { passed: ran.length, failed: failures.length, failures, ran };
  return {
    kind: "tests",
    name: "tests",
    command: "npm test",
    outcome,
    reason: "",
    durationMs: 1,
    output: "",
    ...counts,
    ...part,
  };
}
const all = ({ failures }: Check) => failures;
const verdictOf = (bad: Check | null, good: Check, before: Check[] = []) =>
  judge({ before, bad: bad && [bad], good: [good] }, all).verdict;
const ASSERTED = failure("AssertionError: expected 1 to be 2");
const PASSED = check([]);

describe("a test that was asked for", () => {
  it("is proved when it fails on the bad code and runs and passes on the branch", () => {
    expect(verdictOf(check([ASSERTED]), PASSED)).toBe("proved");
    expect(verdictOf(check([failure("TypeError: cannot read properties of null")]), PASSED)).toBe("proved");
  });

  it("is not proved when it is skipped on the branch", () => {
    expect(verdictOf(check([ASSERTED]), check([], { ran: ["another"] }))).toBe("fails");
  });

  it.each([
    failure("Cannot find module '../src/b.js'"),
    failure("The requested module '../src/a.js' does not provide an export named 'b'"),
    failure("ModuleNotFoundError: No module named 'b'"),
    failure("SyntaxError: Unexpected token"),
    failure("undefined: Round", { title: "build" }),
    failure("cannot find function `round` in this scope", { title: "E0425" }),
    failure("TypeError: (0 , __vi_import_0__.round) is not a function"),
    failure("test failed", { title: PATH }),
  ])("is not proved by what only says that it cannot run: %j", (why) => {
    expect(verdictOf(check([why]), PASSED)).toBe("unreal");
  });

  it("is not proved by a command that breaks without naming a test", () => {
    const broken = check([], { outcome: "failed", output: "\nsh: vitest: command not found\n" });
    const { verdict, detail } = judge({ before: [], bad: [broken], good: [PASSED] }, all);
    expect([verdict, detail]).toEqual(["unreal", "sh: vitest: command not found"]);
  });

  it("may quote such words in what it asserts", () => {
    const quoted = failure('Got unwanted exception.\nActual message: "x is not defined"');
    expect(verdictOf(check([quoted]), PASSED)).toBe("proved");
  });

  it("is not shown by a test that failed there before it was written", () => {
    expect(verdictOf(check([ASSERTED]), PASSED, [check([ASSERTED])])).toBe("passes");
  });

  it("shows nothing when it passes, or did not run", () => {
    expect(verdictOf(PASSED, PASSED)).toBe("passes");
    expect(verdictOf(check([], { outcome: "not-run", ran: null, reason: "no" }), PASSED)).toBe("not-run");
    expect(judge({ before: [], bad: [], good: [] }, all).verdict).toBe("not-run");
  });

  it("fails where the branch is wrong too, and is open where there is no fix", () => {
    expect(verdictOf(check([ASSERTED]), check([ASSERTED]))).toBe("fails");
    expect(verdictOf(check([ASSERTED]), check([failure("test failed", { title: PATH })]))).toBe("fails");
    expect(verdictOf(null, check([ASSERTED]))).toBe("open");
    expect(verdictOf(null, PASSED)).toBe("passes");
  });

  it("passes among others that fail on the branch for reasons of their own", () => {
    const others = check([failure("no", { title: "another" })], { ran: null });
    expect(verdictOf(check([ASSERTED], { ran: null }), others)).toBe("proved");
  });
});
