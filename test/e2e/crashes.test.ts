import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { booked, expectDoneOnce } from "../support/audit.js";
import { type CrashBench, startCrashBench } from "../support/crash-bench.js";

let bench: CrashBench;
beforeAll(async () => {
  bench = await startCrashBench();
});
afterAll(async () => {
  await bench.close();
});

describe("a requirement whose server and worker are killed", () => {
  it("goes on from setup, requirement, the first and the second task, and pays no finished turn twice", async () => {
    const { issue, paid } = await bench.runThrough([
      () => bench.answered("POST", /\/issues\/\d+\/comments$/),
      () => bench.gate.hold("Your job: the requirement"),
      () => bench.gate.hold("Do task T1 of"),
      () => bench.gate.hold("Do task T2 of"),
    ]);
    await expectDoneOnce(bench.stack, issue, bench.main);
    expect(booked(bench.stack, `REQ-${issue}`)).toMatchObject(paid);
  }, 120_000);

  it("goes on from design, validation, the pull request without its check, and the check without its bill", async () => {
    const { issue, paid } = await bench.runThrough([
      () => bench.gate.hold("Your job: the design", "answered"),
      () => bench.gate.hold("Your job: what was learnt"),
      () => bench.answered("POST", /\/pulls$/),
      () => bench.answered("PATCH", /\/check-runs\/\d+$/),
    ]);
    await expectDoneOnce(bench.stack, issue, bench.main);
    expect(booked(bench.stack, `REQ-${issue}`)).toMatchObject(paid);
  }, 120_000);
});
