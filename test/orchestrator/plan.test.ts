import { describe, expect, it } from "vitest";
import { checkPlan, expandPlan, openExternals, readyTasks } from "../../src/orchestrator/plan.js";
import type { PlannedStep } from "../../src/orchestrator/outputs.js";

const step = (id: string, more: Partial<PlannedStep> = {}): PlannedStep => ({
  id,
  title: `Step ${id}`,
  kind: "feature",
  criteria: [],
  files: [],
  after: [],
  accompanying: [],
  ...more,
});
const part = (kind: "test" | "docs" | "errors", title: string) => ({ kind, title, criteria: [], files: [] });
const wallet = { who: "wallet team", proof: "GET /v2 answers", mock: "" };

describe("a plan", () => {
  it.each([
    [[step("T1"), step("T1")], "task T1 is there twice"],
    [[step("T1", { after: ["T9"] })], "task T1 comes after T9, which does not exist"],
    [
      [step("T1", { after: ["T2"] }), step("T2", { after: ["T3"] }), step("T3", { after: ["T1"] })],
      "tasks T1, T2, T3 wait for each other",
    ],
    [[step("T1", { kind: "external" })], "task T1 is external: say who does it and what proves it"],
    [[step("T1", { external: wallet })], "task T1 says who else does it: its kind has to be external"],
    [
      [step("T1", { kind: "external", external: wallet, accompanying: [part("test", "Test it")] })],
      "task T1 is done by others: nothing accompanies it",
    ],
  ])("that cannot be executed is refused with the reason (%#)", (steps, problem) => {
    expect(checkPlan(steps, 4)).toContain(problem);
  });

  it.each([
    [
      step("T1", { service: "walet" }),
      "task T1 names the service walet, which is not configured: there is wallet",
    ],
    [
      step("T1", { accompanying: [{ ...part("test", "Test it"), service: "goods" }] }),
      "task T1 names the service goods, which is not configured: there is wallet",
    ],
    [
      step("T1", { service: "wallet", files: ["pay/a.ts", "src/b.ts"] }),
      "task T1 changes src/b.ts, which is not among the paths of wallet: pay/**",
    ],
    [
      step("T1", { kind: "external", external: wallet, service: "wallet" }),
      "task T1 is done by others: it names no service",
    ],
  ])("that names a service wrongly is refused with the reason (%#)", (wrong, problem) => {
    const services = { wallet: { repository: "acme/wallet", base: "", paths: ["pay/**"] } };
    expect(checkPlan([wrong], 4, services)).toEqual([problem]);
    expect(checkPlan([step("T1", { service: "wallet", files: ["pay/a.ts"] })], 4, services)).toEqual([]);
  });

  it("has what accompanies a step in the same service, where it names no other", () => {
    const steps = [
      step("T1", {
        service: "wallet",
        accompanying: [part("test", "Test it"), { ...part("docs", "Describe it"), service: "goods" }],
      }),
      step("T2", { service: null }),
    ];
    const tasks = expandPlan(steps, { testFirst: false });
    expect(tasks.map(({ id, service }) => [id, service])).toEqual([
      ["T1", "wallet"],
      ["T3", "wallet"],
      ["T4", "goods"],
      ["T2", undefined],
    ]);
  });

  it("of ten tasks for one criterion is refused, for four criteria it is not (KN-28, KN-31)", () => {
    const ten = Array.from({ length: 10 }, (_, at) => step(`T${at + 1}`));
    expect(checkPlan(ten, 1)).toEqual([
      "10 tasks for 1 acceptance criterion: at most 5, so join what belongs together",
    ]);
    expect(checkPlan(ten, 4)).toEqual([]);
    expect(checkPlan([step("T1")], 1)).toEqual([]);
  });

  it("has each feature step, then what accompanies it", () => {
    const steps = [
      step("T1", { accompanying: [part("test", "Test it"), part("docs", "Describe it")] }),
      step("T2", { after: ["T1"], accompanying: [part("errors", "Say what is wrong")] }),
    ];
    const tasks = expandPlan(steps, { testFirst: false });
    expect(tasks.map(({ id, kind, after }) => [id, kind, after.join()])).toEqual([
      ["T1", "feature", ""],
      ["T3", "test", "T1"],
      ["T4", "docs", "T1"],
      ["T2", "feature", "T1"],
      ["T5", "errors", "T2"],
    ]);
    const first = expandPlan(steps, { testFirst: true });
    expect(first.map(({ id, kind, after }) => [id, kind, after.join()])).toEqual([
      ["T3", "test", ""],
      ["T1", "feature", "T3"],
      ["T4", "docs", "T1"],
      ["T2", "feature", "T1"],
      ["T5", "errors", "T2"],
    ]);
  });
});

describe("what can be done now", () => {
  const tasks = expandPlan(
    [
      step("T1", { kind: "external", external: wallet }),
      step("T2", { after: ["T1"] }),
      step("T3"),
      step("T4", { kind: "external", external: { ...wallet, mock: "a fixed answer" } }),
      step("T5", { after: ["T4"] }),
    ],
    { testFirst: false },
  );

  it("is what needs nothing of others, or has an agreed stand-in", () => {
    expect(readyTasks(tasks).map(({ id }) => id)).toEqual(["T3", "T5"]);
    expect(openExternals(tasks).map(({ id }) => id)).toEqual(["T1", "T4"]);
  });

  it("grows when somebody outside has done his part, or took it off the list", () => {
    const ticked = tasks.map((task) => (task.id === "T1" ? { ...task, done: true } : task));
    expect(readyTasks(ticked).map(({ id }) => id)).toEqual(["T2", "T3", "T5"]);
    expect(readyTasks(tasks.filter(({ id }) => id !== "T1")).map(({ id }) => id)).toEqual(["T2", "T3", "T5"]);
  });
});
