import { afterAll, beforeAll, describe, it } from "vitest";
import { expectBilled, expectDoneOnce } from "../support/audit.js";
import { type CrashBench, startCrashBench } from "../support/crash-bench.js";

let bench: CrashBench;
beforeAll(async () => {
  bench = await startCrashBench();
});
afterAll(async () => {
  await bench.close();
});

describe("a requirement whose server and worker are killed", () => {
  it("goes on from setup, the design's answer, the second task and the pull request without its check, and pays no finished turn twice", async () => {
    const { issue, paid } = await bench.runThrough([
      () => bench.answered("POST", /\/issues\/\d+\/comments$/),
      () => bench.gate.hold("Your job: the design", "answered"),
      () => bench.gate.hold("Do task T2 of"),
      () => bench.answered("POST", /\/pulls$/),
    ]);
    await expectDoneOnce(bench.stack, issue, bench.main);
    expectBilled(bench.stack, `REQ-${issue}`, paid);
  }, 120_000);
});
