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

describe("a requirement whose server and worker are killed at every other boundary", () => {
  it.each<[string, (() => Promise<void>)[]]>([
    [
      "the requirement, the first task, validation, the check without its bill",
      [
        () => bench.gate.hold("Your job: the requirement"),
        () => bench.gate.hold("Do task T1 of"),
        () => bench.gate.hold("Your job: what was learnt"),
        () => bench.answered("PATCH", /\/check-runs\/\d+$/),
      ],
    ],
    [
      "the reaction, the middle of the design, a task's first turn answered, a later turn asked",
      [
        () => bench.answered("POST", /\/issues\/\d+\/reactions$/),
        () => bench.gate.hold("src/http/content-types.js"),
        () => bench.gate.hold("Do task T1 of", "answered"),
        () => bench.gate.hold("Do task T3 of"),
      ],
    ],
    [
      "the requirement's last answer, the second task's first answer, the lesson's answer, the check's start",
      [
        () => bench.gate.hold("Your job: the requirement", "answered"),
        () => bench.gate.hold("Do task T2 of", "answered"),
        () => bench.gate.hold("Your job: what was learnt", "answered"),
        () => bench.answered("POST", /\/check-runs$/),
      ],
    ],
    [
      "the push, the search for the pull request, its body, its bill",
      [
        () => bench.answered("GET", /\/commits\/\w+\/check-runs$/),
        () => bench.answered("GET", /\/pulls$/),
        () => bench.answered("GET", /\/pulls\/\d+$/),
        () => bench.answered("PATCH", /\/check-runs\/\d+$/),
      ],
    ],
  ])(
    "goes on after %s",
    async (_, moments) => {
      const { issue, paid } = await bench.runThrough(moments);
      await expectDoneOnce(bench.stack, issue, bench.main);
      expectBilled(bench.stack, `REQ-${issue}`, paid);
    },
    120_000,
  );
});
