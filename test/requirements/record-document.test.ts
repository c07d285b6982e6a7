import { describe, expect, it } from "vitest";
import { type RequirementEvent, formatRecord } from "../../src/requirements/index.js";

const base = { v: 1 as const, req: "REQ-12", run: "run-1", actor: "bot" };
const state = (at: string, from: string | null, to: string, evidence?: string) =>
  ({ ...base, id: at, type: "state", from, to, at: `2026-11-${at}T10:00:00Z`, evidence }) as RequirementEvent;
const EVENTS: RequirementEvent[] = [
  state("01", null, "opened", "#12"),
  state("02", "clarified", "designed"),
  state("03", "in-review", "changed", "@maya https://x/1: and in Chinese"),
  { ...base, id: "04", type: "failed", state: "s", at: "2026-11-03T11:00:00Z", reason: "2 of 9 tests fail" },
  {
    ...base,
    id: "05",
    type: "cost",
    at: "2026-11-03T12:00:00Z",
    rows: [{ ...costRow(), micro_usd: 420_000 }],
  },
  state("04", "verifying", "completed", "merged as abc in #13"),
];
function costRow() {
  const counts = { calls: 1, input: 1, cache_read: 0, cache_write: 0, output: 1 };
  return { phase: "design", call_type: "plan", model: "m", ...counts };
}
const task = { id: "T1", title: "Write it", criteria: ["AC-1"], files: [], after: [], done: true };
const INPUT = {
  id: "REQ-12",
  criteria: [
    { id: "AC-1", text: "WHEN asked THEN it says so" },
    { id: "AC-2", text: "WHEN empty THEN nothing" },
  ],
  tasks: [
    {
      ...task,
      kind: "feature" as const,
      evidence: [{ criterion: "AC-1", path: "test/a.test.ts", test: "says so" }],
    },
    { ...task, id: "T2", kind: "external" as const, evidence: [] },
  ],
  events: EVENTS,
  lessons: [{ id: "EXP-7K3M2P9Q", title: "Cells are quoted" }],
};

describe("the record of a completed requirement", () => {
  it("says from events and evidence how it came about, what changed, what tests found and what was learnt", () => {
    expect(formatRecord({ ...INPUT, language: "en" })).toBe(`# Record: REQ-12

## How it came about

- 1 run over 3 days, $0.42
- 2 tasks, 1 of them done by others
- 2026-11-01: opened — #12
- 2026-11-02: designed
- 2026-11-04: completed — merged as abc in #13

## What had to change

- 2026-11-03: @maya https://x/1: and in Chinese

## What tests found

- 2026-11-03: 2 of 9 tests fail

## What shows each criterion

- AC-1 WHEN asked THEN it says so: \`test/a.test.ts\` says so
- AC-2 WHEN empty THEN nothing: no test shows it

## What was learnt

- EXP-7K3M2P9Q Cells are quoted
`);
  });

  it("is in the requirement's language, also with nothing to tell", () => {
    const nothing = { ...INPUT, events: [], tasks: [], criteria: [], lessons: [], language: "zh" as const };
    expect(formatRecord(nothing)).toContain("## 测试发现的问题\n\n无。");
  });
});
