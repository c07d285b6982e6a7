import { describe, expect, it } from "vitest";
import { formatDeposit, parseDeposit, readMemories } from "../../src/knowledge/index.js";
import { eventDeposit } from "../../src/orchestrator/event-deposit.js";
import { type FixedFailure, createFailureLog } from "../../src/orchestrator/failure-log.js";

const OUTPUT = "TypeError: Cannot read properties of undefined (reading 'id')\n    at /tmp/a.js:3:1";
const check = (outcome: "passed" | "failed", message = "", title = "adds") => ({
  command: "npm test",
  outcome,
  output: "",
  failures: outcome === "failed" ? [{ title, path: null, line: null, message }] : [],
});
const said = (log: ReturnType<typeof createFailureLog>) =>
  log.fixed().map(({ tries, cause, files }) => ({ tries, cause, files }));

describe("a failure is fixed", () => {
  it("when the same check passes later: the last try is the cause, those before did not help", () => {
    const log = createFailureLog();
    log.checked(check("failed", "TypeError: x is not a function"));
    log.worked("renamed it", ["a.ts"]);
    log.checked(check("failed", "TypeError: x is not a function"));
    log.worked("called the right one", ["a.ts", "b.ts"]);
    expect(log.fixed()).toEqual([]);
    log.checked(check("passed"));
    expect(said(log)).toEqual([
      { tries: ["renamed it"], cause: "called the right one", files: ["a.ts", "b.ts"] },
    ]);
    expect(log.isOpen()).toBe(false);
  });

  it("when an agent's command passes, once the agent has said what it did", () => {
    const log = createFailureLog();
    log.worked("an earlier task", ["old.ts"]);
    log.ran("npx  tsc", false, OUTPUT);
    log.ran("npx tsc", true, "");
    expect(log.fixed()).toEqual([]);
    expect(log.isOpen()).toBe(true);
    log.worked("loads the row first", ["src/a.ts"]);
    expect(said(log)).toEqual([{ tries: [], cause: "loads the row first", files: ["src/a.ts"] }]);
  });

  it("not when another command passes, nothing names an error, or it fails to the end", () => {
    const log = createFailureLog();
    log.ran("npm test", false, OUTPUT);
    log.ran("grep x y", false, "");
    log.ran("npm run lint", true, "");
    log.ran("grep x y", true, "z");
    log.worked("tried", []);
    log.checked(check("failed", "TypeError: x"));
    expect(log.fixed()).toEqual([]);
  });

  it("once, however often it comes back, and with its test only where that is part of what failed", () => {
    const log = createFailureLog();
    for (let round = 0; round < 3; round++) {
      log.checked(check("failed", "TypeError: x is not a function", `test ${round}`));
      log.worked("again", []);
      log.checked(check("passed"));
    }
    expect(log.fixed()).toHaveLength(1);
    log.checked(check("failed", "AssertionError: 1 !== 2", "adds"));
    log.checked(check("failed", "AssertionError: 3 !== 4", "subtracts"));
    log.worked("sums", []);
    log.checked(check("passed"));
    expect(log.fixed()).toHaveLength(3);
  });
});

const learnt = {
  run: "01JAAAAAAAAAAAAAAAAAAAAA00",
  by: "accrue[bot]",
  source: "https://example.org/1",
  requirement: "REQ-1",
  at: "2026-11-30T10:00:00.000Z",
  language: "en" as const,
};

function fixed(more: Partial<FixedFailure> = {}): FixedFailure {
  const log = createFailureLog();
  log.ran("npm test", false, OUTPUT);
  log.ran("npm test", true, "");
  log.worked("The row is loaded first, in `loadRow`.", ["src/row.ts"]);
  const [one] = log.fixed();
  if (!one) throw new Error("nothing was fixed");
  return { ...one, tries: ["Checked for null."], ...more };
}

describe("the event of a fixed failure", () => {
  it("is a memory of type event that a run learnt from a bug, found by its signature in the validation only", () => {
    const deposit = eventDeposit(fixed(), learnt);
    if (!deposit) throw new Error("nothing is learnt");
    const path = `context/deposits/${deposit.id}.md`;
    const { problems } = parseDeposit(path, formatDeposit(deposit));
    expect(problems).toEqual([]);
    const [memory] = readMemories(new Map([[path, formatDeposit(deposit)]])).memories;
    expect(memory).toMatchObject({ type: "event", source: "bug", isPending: true });
    expect(memory?.files).toEqual(["src/row.ts"]);
    expect(memory?.symbols).toContain("loadRow");
    expect(memory?.tags).toEqual([fixed().signature.id]);
    expect(memory?.text).toContain("What did not help before: Checked for null.");
    expect(deposit.note.triggers.phases).toEqual(["validate"]);
    expect(deposit.note.verification).toBe("`npm test` failed before and passed after.");
  });

  it("has the same id each time, so that a crash makes no second one", () => {
    expect(eventDeposit(fixed(), learnt)?.id).toBe(eventDeposit(fixed(), learnt)?.id);
  });

  it.each<[string, Partial<FixedFailure>]>([
    ["its command", { command: "TOKEN=ghp_abcdefghijklmnopqrstuvwxyz0123456789 npm test" }],
    ["what the agent said", { cause: "The password is hunter2-Hunter9!x now." }],
    ["a try", { tries: ["curl https://maya:s3cr3tPassw0rd@example.org"] }],
  ])("is not kept with a secret in %s", (_, more) => {
    expect(eventDeposit(fixed(more), learnt)).toBeNull();
  });

  it("holds nothing that speaks to a person or closes an issue", () => {
    const deposit = eventDeposit(fixed({ cause: "Fixes #12, ask @maya <!-- hidden -->" }), learnt);
    expect(deposit?.note.solution).not.toMatch(/(?<!`)@maya|Fixes #12|<!--/);
  });
});
