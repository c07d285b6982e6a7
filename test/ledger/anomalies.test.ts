import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { LedgerEntry, Usage } from "../../src/ledger/index.js";
import { entry, type FileLedger, openFileLedger, repository, unanswered } from "./entries.js";

let file: FileLedger;
beforeEach(() => (file = openFileLedger()));
afterEach(() => file.close());

/** Nano-dollars per token of a cheap model: input 1 $, cache read 0.1 $, cache write 1.25 $, output 5 $ per million. */
const cost = ({ input, cacheRead, cacheWrite, output }: Usage, times = 1) =>
  (input * 1000 + cacheRead * 100 + cacheWrite * 1250 + output * 5000) * times;

function call(usage: Usage, part: Partial<LedgerEntry> = {}, times = 1): Partial<LedgerEntry> {
  return { usage, costNanoUsd: cost(usage, times), inputPriceNanoUsd: 1000 * times, ...part };
}
function reportOn(parts: Partial<LedgerEntry>[]) {
  for (const [index, part] of parts.entries()) {
    file.ledger.record(entry({ id: String(index).padStart(3, "0"), ...part }));
  }
  return file.ledger.report({ by: "task" });
}
const turns = (count: number, of: (index: number) => Partial<LedgerEntry>) =>
  Array.from({ length: count }, (_, index) => of(index));

const small: Usage = { input: 500, cacheRead: 2000, cacheWrite: 300, output: 400 };
const medium: Usage = { input: 2000, cacheRead: 18_000, cacheWrite: 1000, output: 600 };

describe("spending that stands out", () => {
  it("repetition: the same request answered three times or more in one run", () => {
    const { anomalies } = reportOn([
      call(medium, { requestHash: "a" }),
      ...turns(3, () => call(medium, { requestHash: "b" })),
      call(medium, { requestHash: "a" }),
    ]);
    expect(anomalies).toEqual([
      {
        name: "repetition",
        message: expect.stringMatching(
          /^implementation-executor on T1 of REQ-1, run run-1: asked exactly the same 3 times.*\(about \$0\.0\d\)$/,
        ),
        requirement: "REQ-1",
        run: "run-1",
        task: "T1",
        agent: "implementation-executor",
        nanoUsd: 2 * cost(medium),
      },
    ]);
  });

  it("growing-context: a prompt that grows four times over ten turns to 100,000 tokens", () => {
    const grow = (last: number) =>
      turns(12, (index) =>
        call({
          input: 1000,
          cacheRead: 20_000 + ((last - 20_000) / 11) * index,
          cacheWrite: 0,
          output: 300,
        }),
      ).map((part) => ({ ...part, costNanoUsd: Math.round(part.costNanoUsd ?? 0) }));
    const whole = (part: Partial<LedgerEntry>) => {
      const cacheRead = Math.round(part.usage?.cacheRead ?? 0);
      return { ...part, usage: { input: 1000, cacheRead, cacheWrite: 0, output: 300 } };
    };
    const { anomalies } = reportOn(grow(120_000).map(whole));
    expect(anomalies).toMatchObject([
      {
        name: "growing-context",
        message: expect.stringContaining("from 21 k to 121 k tokens in 12 turns") as string,
      },
    ]);
    expect(anomalies[0]?.nanoUsd).toBeGreaterThan(40_000_000);
    file.db.exec("delete from ledger_entries");
    expect(reportOn(grow(75_000).map(whole)).anomalies).toEqual([]);
  });

  it("overlong-output: an answer at the limit of its type of call", () => {
    const long = (output: number, callType: LedgerEntry["callType"]) =>
      call({ ...medium, output }, { callType });
    expect(reportOn([long(7900, "generate"), long(1900, "validate")]).anomalies).toEqual([]);
    file.db.exec("delete from ledger_entries");
    const { anomalies } = reportOn([long(8000, "generate"), long(12_000, "generate")]);
    expect(anomalies).toMatchObject([
      {
        name: "overlong-output",
        message: expect.stringContaining("2 answers of up to 12 k tokens") as string,
      },
    ]);
  });

  it("dear-model: few short turns with a model three times as dear as another", () => {
    const cheap = call(medium, { task: "T2" });
    const dear = { model: "claude-opus-5-5", task: "T1" };
    const { anomalies } = reportOn([cheap, call(small, dear, 4), call(small, dear, 4)]);
    expect(anomalies).toMatchObject([{ name: "dear-model", task: "T1", nanoUsd: cost(small) * 6 }]);
    expect(anomalies[0]?.message).toContain("claude-opus-5-5 for 2 short turns; a cheaper model may do");
    file.db.exec("delete from ledger_entries");
    const fine = [
      cheap,
      call(small, { ...dear, callType: "plan" }, 4),
      call(small, { ...dear, task: "T3" }, 2),
      ...turns(4, () => call(small, { ...dear, task: "T4" }, 4)),
      call({ ...small, input: 9000 }, { ...dear, task: "T5" }, 4),
    ];
    expect(reportOn(fine).anomalies).toEqual([]);
  });

  it("cache-miss: less than half of the input from the cache after the third turn", () => {
    const cold: Usage = { input: 15_000, cacheRead: 1000, cacheWrite: 2000, output: 200 };
    const { anomalies } = reportOn([...turns(3, () => call(cold)), ...turns(3, () => call(cold))]);
    expect(anomalies).toMatchObject([{ name: "cache-miss", nanoUsd: 3 * 17_000 * 900 }]);
    expect(anomalies[0]?.message).toContain("only 6 % of the input came from the cache in 3 turns");
    file.db.exec("delete from ledger_entries");
    expect(reportOn([...turns(3, () => call(cold)), ...turns(9, () => call(medium))]).anomalies).toEqual([]);
  });

  it("is nothing in runs that go well, in small sums, failed tries and sums from git", () => {
    const failed = { wasted: true, stopReason: "failed", requestHash: "a" };
    const { anomalies } = reportOn([
      ...turns(20, (index) => call(medium, { requestHash: `h${index}` })),
      ...turns(3, () => call(small, { task: "T2", requestHash: "same" })),
      ...turns(5, () => call({ ...medium, output: 9000 }, failed)),
      ...turns(3, () => ({ ...unanswered, requestHash: "a" })),
    ]);
    expect(anomalies).toEqual([]);
    const rows = [
      {
        phase: "implement",
        call_type: "generate",
        model: "m",
        calls: 40,
        micro_usd: 900_000,
        input: 900_000,
        cache_read: 0,
        cache_write: 0,
        output: 90_000,
      },
    ];
    file.ledger.import([
      { id: "e", repository, requirement: "REQ-7", run: "r7", at: "2026-11-29T12:00:00.000Z", rows },
    ]);
    expect(file.ledger.report({ by: "task" }).anomalies).toEqual([]);
  });

  it("is shown dearest first, and a call without a price counts whatever it cost", () => {
    const loop = (task: string, part: Partial<LedgerEntry>) =>
      turns(3, () => call(medium, { task, requestHash: task, ...part }));
    const { anomalies } = reportOn([
      ...loop("T1", { costNanoUsd: null }),
      ...loop("T2", {}),
      ...loop("T3", { costNanoUsd: 50_000_000 }),
    ]);
    expect(anomalies.map(({ task }) => task)).toEqual(["T3", "T2", "T1"]);
    expect(anomalies[2]?.message).toContain("(cost unknown)");
  });
});

describe("what was for nothing", () => {
  it("is told apart by kind, each call once", () => {
    const { wasted } = reportOn([
      call(medium, { requestHash: "a" }),
      call(medium, { wasted: true, stopReason: "failed", requestHash: "a" }),
      call(small, { wasted: true, stopReason: "failed" }),
      call(small, { wasted: true, stopReason: "cancelled" }),
      call(small, { wasted: true, stopReason: "interrupted" }),
      unanswered,
      call(medium, { requestHash: "a" }),
      call(medium, { run: "run-2", requestHash: "a" }),
      call(medium, { stopReason: "max_tokens", requestHash: "a" }),
      call(small, { stopReason: "refusal" }),
      call(small, { wasted: true, stopReason: "failed", requestHash: "b" }),
      call(small, { requestHash: "b" }),
    ]);
    const byKind = Object.fromEntries(
      wasted.map(({ key, calls, costNanoUsd }) => [key, [calls, costNanoUsd]]),
    );
    expect(byKind).toEqual({
      failed: [3, cost(medium) + 2 * cost(small)],
      stopped: [1, cost(small)],
      interrupted: [1, cost(small)],
      unanswered: [0, 0],
      repeated: [1, cost(medium)],
      discarded: [2, cost(medium) + cost(small)],
    });
  });
});
