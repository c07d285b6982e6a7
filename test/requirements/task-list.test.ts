import { describe, expect, it } from "vitest";
import { type PlannedTask, approvablePlan, formatTasks, parseTasks } from "../../src/requirements/index.js";

describe("the task list", () => {
  it("list tasks as checkboxes, and are read back as they were written", () => {
    const tasks: PlannedTask[] = [
      {
        id: "T1",
        title: "Write\nthe format",
        kind: "feature",
        criteria: ["AC-1", "AC-2"],
        files: ["src/export/csv.ts"],
        after: [],
        done: true,
        evidence: [{ criterion: "AC-1", path: "test/csv.test.ts", test: "a header row comes first" }],
      },
      {
        id: "T2",
        title: "Docs",
        kind: "docs",
        criteria: [],
        files: [],
        service: "wallet",
        after: ["T1"],
        done: false,
        evidence: [],
      },
    ];
    const text = formatTasks({ id: "REQ-12", title: "导出", language: "zh", tasks });
    expect(text).toBe(
      [
        "# 任务: REQ-12 导出",
        "",
        "- [x] T1 [AC-1] [AC-2] Write the format `src/export/csv.ts`",
        "  - kind: feature",
        "  - AC-1: `test/csv.test.ts` a header row comes first",
        "- [ ] T2 Docs",
        "  - kind: docs",
        "  - service: wallet",
        "  - after: T1",
        "",
      ].join("\n"),
    );
    expect(parseTasks(text)).toEqual([{ ...tasks[0], title: "Write the format" }, tasks[1]]);
  });

  it("are understood as people write them by hand, with Chinese marks too: no order and no task gets lost", () => {
    const text =
      "- [x] T1: 写\r\n+ [ ] T2：测 [AC-1，AC-2]\r\n  - kind：test\r\n  - after：T1、T3\r\n- [ ] T3. c\r\n  - after: T1 T4,T5\r\n";
    expect(parseTasks(text)).toMatchObject([
      { id: "T1", title: "写", done: true, after: [] },
      { id: "T2", title: "测", kind: "test", criteria: ["AC-1", "AC-2"], after: ["T1", "T3"] },
      { id: "T3", title: "c", after: ["T1", "T4", "T5"] },
    ]);
  });

  it("tell the tasks that a person ticked by hand", () => {
    expect(parseTasks("- [X] T1 Docs\nsomething else\n- [ ] no task\n")).toMatchObject([
      { id: "T1", title: "Docs", done: true },
    ]);
  });

  it("is approved as the steps that it has, whatever is ticked of them", () => {
    const plan =
      "- [ ] T1 [AC-1] Write `src/a.ts`\n  - kind: feature\n- [ ] T2 Docs\n  - kind: docs\n  - after: T1\n";
    const hashed = (text: string) => approvablePlan(parseTasks(text));
    const ticked = plan
      .replace("[ ] T1", "[x] T1")
      .replace("feature\n", "feature\n  - AC-1: `test/a.ts` it writes\n");
    expect(hashed(ticked)).toBe(hashed(plan));
    for (const [from, to] of [
      ["Write", "Delete"],
      ["src/a.ts", "src/b.ts"],
      ["[AC-1] ", ""],
      ["feature", "test"],
      ["  - after: T1\n", ""],
      ["- [ ] T2 Docs\n", "- [ ] T3 Docs\n"],
      ["  - kind: docs\n", "  - kind: docs\n  - service: wallet\n"],
    ] as const)
      expect(hashed(plan.replace(from, to)), `${from} → ${to}`).not.toBe(hashed(plan));
  });

  it("has each task once: a second one with the same id gets the next that is free", () => {
    const tasks = parseTasks(
      "- [x] T1 Write\n- [ ] T7 Docs\n- [ ] T1 Copied\n  - after: T7\n- [ ] T1 Again\n",
    );
    expect(tasks.map(({ id, title, done }) => [id, title, done])).toEqual([
      ["T1", "Write", true],
      ["T7", "Docs", false],
      ["T8", "Copied", false],
      ["T9", "Again", false],
    ]);
    expect(tasks[2]?.after).toEqual(["T7"]);
  });
});
