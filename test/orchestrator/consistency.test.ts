import { describe, expect, it } from "vitest";
import { inconsistencies } from "../../src/orchestrator/consistency.js";
import type { PlannedTask } from "../../src/requirements/index.js";

const task = (id: string, criteria: string[], more: Partial<PlannedTask> = {}): PlannedTask => ({
  id,
  title: id,
  kind: "feature",
  criteria,
  files: [],
  after: [],
  done: true,
  evidence: criteria.map((criterion) => ({ criterion, path: "test/a.test.ts", test: criterion })),
  ...more,
});
const criteria = ["AC-1", "AC-2"].map((id) => ({ id, text: id }));

describe("criteria and plan", () => {
  it("fit where each criterion has a task and a test, and each feature a criterion", () => {
    const tasks = [task("T1", ["AC-1"]), task("T2", ["AC-2"]), task("T3", [], { kind: "docs" })];
    expect(inconsistencies(criteria, tasks, "en")).toEqual([]);
  });

  it("do not fit where one is missing, and each gap is named", () => {
    const tasks = [task("T1", ["AC-1", "AC-9"], { evidence: [] }), task("T2", [])];
    expect(inconsistencies(criteria, tasks, "en")).toEqual([
      "AC-2 has no task",
      "AC-1 has no test",
      "T2 serves no criterion",
      "T1 serves AC-9, which does not exist",
    ]);
    expect(inconsistencies(criteria, [], "zh")).toEqual(["AC-1 没有对应的任务", "AC-2 没有对应的任务"]);
  });
});
