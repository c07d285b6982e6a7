import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isOfChange, planBehind, revisePlan } from "../../src/orchestrator/revision.js";
import { diffRequirement, type PlannedTask } from "../../src/requirements/index.js";

const task = (id: string, criteria: string[], more: Partial<PlannedTask> = {}): PlannedTask => ({
  id,
  title: `Do ${id}`,
  kind: "feature",
  criteria,
  files: [],
  after: [],
  done: false,
  evidence: [],
  ...more,
});
const ac = (number: number, text: string) => ({ id: `AC-${number}`, text });
const NOTHING = { same: [], changed: [], added: [], removed: [] };
const lines = (tasks: readonly PlannedTask[]) =>
  tasks.map(({ id, title, done, criteria }) => `${done ? "x" : "-"} ${id} ${title} [${criteria.join(" ")}]`);

describe("a plan whose criteria change", () => {
  const plan = [
    task("T1", ["AC-1"], { done: true }),
    task("T2", ["AC-1", "AC-2"], { done: true, files: ["src/two.ts"] }),
    task("T3", ["AC-2"], { done: true, kind: "test", after: ["T2"] }),
    task("T4", ["AC-2"]),
    task("T5", ["AC-3"]),
  ];

  it("keeps what is done, adapts what the change touches, and leaves what is not done", () => {
    const diff = diffRequirement(
      [ac(1, "one"), ac(2, "two"), ac(3, "three")],
      [ac(1, "one"), ac(2, "within 9 s"), ac(4, "four")],
    );
    const { tasks, added, dropped } = revisePlan(plan, diff, "en");
    expect(lines(tasks)).toEqual([
      "x T1 Do T1 [AC-1]",
      "x T2 Do T2 [AC-1 AC-2]",
      "x T3 Do T3 [AC-2]",
      "- T4 Do T4 [AC-2]",
      "- T6 Adapt T2 to the changed AC-2 [AC-2]",
      "- T7 Adapt T3 to the changed AC-2 [AC-2]",
      "- T8 Meet AC-4: four [AC-4]",
    ]);
    expect(tasks.find(({ id }) => id === "T7")).toMatchObject({ kind: "test", after: ["T6"] });
    expect(added).toEqual([
      { id: "T6", of: "T2" },
      { id: "T7", of: "T3" },
      { id: "T8", of: null },
    ]);
    expect(dropped).toEqual(["T5"]);
    expect(tasks.filter(isOfChange).map(({ id }) => id)).toEqual(["T6", "T7", "T8"]);
  });

  it("does not adapt twice what is adapted already, and again once that is done", () => {
    const change = { ...NOTHING, changed: [{ id: "AC-1", before: "a", after: "b" }] };
    const first = revisePlan([task("T1", ["AC-1"], { done: true })], change, "zh").tasks;
    expect(lines(first)).toEqual(["x T1 Do T1 [AC-1]", "- T2 改写 T1：AC-1 已改动 [AC-1]"]);
    expect(revisePlan(first, change, "zh").tasks).toEqual(first);
    const done = first.map((one) => ({ ...one, done: true }));
    expect(revisePlan(done, change, "zh").added).toEqual([{ id: "T3", of: "T1" }]);
  });

  it("never loses a done task or its evidence, and gives no id twice", () => {
    const tasks = fc
      .array(fc.tuple(fc.subarray(["AC-1", "AC-2", "AC-3"]), fc.boolean()), { maxLength: 6 })
      .map((list) =>
        list.map(([criteria, done], index) =>
          task(`T${index + 1}`, criteria, {
            done,
            evidence: done ? [{ criterion: "AC-1", path: "a.test.ts", test: `t${index}` }] : [],
          }),
        ),
      );
    const criteria = fc.subarray([ac(1, "one"), ac(2, "two"), ac(3, "three")]);
    const changed = fc.subarray([ac(1, "1"), ac(2, "two"), ac(3, "3"), ac(4, "four")]);
    fc.assert(
      fc.property(tasks, criteria, changed, (before, old, now) => {
        const { tasks: after } = revisePlan(before, diffRequirement(old, now), "en");
        expect(after.filter(({ done }) => done)).toEqual(before.filter(({ done }) => done));
        expect(new Set(after.map(({ id }) => id)).size).toBe(after.length);
        const diff = diffRequirement(old, now);
        const open = after.filter(({ done }) => !done).flatMap((one) => one.criteria);
        for (const { id } of [...diff.changed, ...diff.added]) expect(open).toContain(id);
      }),
    );
  });
});

describe("a plan that is made anew", () => {
  it("stands behind what was done, with ids that none had", () => {
    const old = [task("T1", [], { done: true }), task("T2", []), task("T3", [], { kind: "external" })];
    const now = [task("T1", []), task("T2", [], { after: ["T1"] })];
    expect(planBehind(old, now).map(({ id, after }) => `${id} < ${after.join()}`)).toEqual([
      "T1 < ",
      "T3 < ",
      "T4 < ",
      "T5 < T4",
    ]);
    expect(planBehind([task("T1", [])], now)).toEqual(now);
  });
});
