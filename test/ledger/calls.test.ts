import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Ledger, LedgerEntry, Usage } from "../../src/ledger/index.js";
import { entry, type FileLedger, openCall, openFileLedger, repository } from "./entries.js";

let file: FileLedger;
beforeEach(() => (file = openFileLedger()));
afterEach(() => file.close());

const RUN = { repository, requirement: "REQ-1", run: "run-1" };
const usage = (input: number, output = 0): Usage => ({ input, cacheRead: 0, cacheWrite: 0, output });
const openCalls = () => file.db.prepare("select count(*) from open_calls").pluck().get();

describe("a call that has begun", () => {
  it("is no entry, and counts as spent with what is known of it", () => {
    file.ledger.begin(openCall({ id: "1", usage: usage(1000, 10) }));
    file.ledger.begin(openCall({ id: "2", usage: usage(7), inputPriceNanoUsd: null }));
    expect(file.ledger.entries({})).toEqual([]);
    expect(file.ledger.spentNanoUsd(RUN)).toBe(0);
    expect(file.ledger.spent(RUN)).toEqual({ nanoUsd: 1_050_000, weightedTokens: 1057 });
    file.ledger.progress("1", { input: 10, cacheRead: 900, cacheWrite: 90, output: 1 }, 200_000);
    expect(file.ledger.spent(RUN)).toEqual({ nanoUsd: 200_000, weightedTokens: 207 });
  });

  it("becomes its entry when it ends, and nothing of it is left open", () => {
    const ended = entry({ id: "1", requestHash: "abc" });
    file.ledger.begin(openCall({ id: "1" }));
    file.ledger.record(ended);
    file.ledger.begin(openCall({ id: "1" }));
    expect(file.ledger.entries({})).toEqual([ended]);
    expect(openCalls()).toBe(0);
    expect(file.ledger.recover({ run: "run-1" })).toBe(0);
    expect(file.ledger.spent(RUN).nanoUsd).toBe(500_000);
  });
});

describe("a call whose process died", () => {
  it("is booked as wasted at what the provider had said, else at a guess that is called one", () => {
    file.ledger.begin(openCall({ id: "1", usage: usage(9), task: "T2", requestHash: "h" }));
    file.ledger.begin(openCall({ id: "2", usage: usage(4) }));
    file.ledger.progress("1", { input: 10, cacheRead: 900, cacheWrite: 90, output: 1 }, 123_457);
    file.restart();
    expect(file.ledger.recover(RUN)).toBe(2);
    expect(file.ledger.entries({})).toMatchObject([
      {
        id: "1",
        task: "T2",
        usage: { input: 10, cacheRead: 900, cacheWrite: 90, output: 1 },
        costNanoUsd: 123_457,
        stopReason: "interrupted",
        wasted: true,
        requestHash: "h",
      },
      { id: "2", usage: usage(4), costNanoUsd: 4000, wasted: true, isEstimate: true },
    ]);
    const bill = file.ledger.bill(RUN);
    expect(bill.totals).toMatchObject({
      calls: 1,
      attempts: 2,
      costNanoUsd: 123_457,
      estimatedCalls: 1,
      estimatedNanoUsd: 4000,
    });
    expect(bill.waste).toMatchObject([{ key: "interrupted", calls: 1, costNanoUsd: 123_457 }]);
    expect(file.ledger.recover(RUN)).toBe(0);
  });

  it("is left alone while its own run or requirement is not meant", () => {
    file.ledger.begin(openCall({ id: "1", run: "run-2" }));
    file.ledger.begin(openCall({ id: "2", requirement: "REQ-2" }));
    expect(file.ledger.recover({ run: "run-9" })).toBe(0);
    expect(file.ledger.recover({ repository, requirement: "REQ-2" })).toBe(1);
    expect(openCalls()).toBe(1);
  });
});

describe("sums kept for budgets", () => {
  it("take in entries of before there were sums", () => {
    file.ledger.record(entry({ id: "1" }));
    file.ledger.record(entry({ id: "2", costNanoUsd: null, inputPriceNanoUsd: null }));
    const before = file.ledger.spent(RUN);
    file.db.exec(`drop table ledger_sums; drop table open_calls; drop trigger ledger_entries_sum;
      alter table ledger_entries drop column calls; alter table ledger_entries drop column request_hash;
      alter table ledger_entries drop column estimated; drop table stated_budgets; drop table budget_alerts;
      drop table uses; drop table packs; delete from migrations where version > 1`);
    file.restart();
    expect(before).toEqual({ nanoUsd: 500_000, weightedTokens: 1460 });
    expect(file.ledger.spent(RUN)).toEqual(before);
    expect(file.ledger.entries({})).toMatchObject([{ id: "1" }, { id: "2" }]);
  });
});

/** One step of a life with crashes; `size` makes the usage. */
const step = fc.record({
  what: fc.constantFrom("answered", "failed", "died early", "died late", "restart", "move"),
  size: fc.nat(5000),
  phase: fc.constantFrom("design", "implement"),
  hasPrice: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

describe("a bill, whatever happened", () => {
  it("is the sum of what the provider reported, to the nano-dollar, over crashes, restarts and disks", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const other = openFileLedger();
        try {
          const life = liveThrough(steps, other);
          const { totals, phases, wasted, models, tasks, days } = life.ledger.bill(RUN);
          expect(totals.costNanoUsd).toBe(life.reported);
          expect(totals.calls).toBe(life.calls);
          for (const rows of [[...phases, ...(wasted ? [wasted] : [])], models, tasks, days]) {
            expect(rows.reduce((sum, row) => sum + row.costNanoUsd, 0)).toBe(life.reported);
            expect(rows.reduce((sum, row) => sum + row.calls, 0)).toBe(life.calls);
          }
          expect(life.ledger.spentNanoUsd({ repository, requirement: "REQ-1" })).toBe(life.reported);
          // A budget is held by guesses too.
          expect(life.ledger.spent({ repository }).nanoUsd).toBeGreaterThanOrEqual(life.reported);
          expect(totals.unpricedCalls).toBe(life.unpriced);
        } finally {
          other.close();
        }
      }),
      { numRuns: 25 },
    );
  });
});

/** Makes calls, dies in some, and at times goes on with an empty disk and what git says. */
function liveThrough(steps: readonly Step[], at: FileLedger) {
  let [run, reported, calls, unpriced] = [0, 0, 0, 0];
  const booked: Parameters<Ledger["import"]>[0][number][] = [];
  for (const [index, { what, size, phase, hasPrice }] of steps.entries()) {
    const id = String(index).padStart(4, "0");
    const of = { ...RUN, run: `run-${run}`, id, phase };
    const cost = size * 1001;
    if (what === "restart") at.restart();
    if (what === "move") {
      at.ledger.recover({ run: of.run });
      booked.push({ ...of, at: "2026-11-29T12:00:00.000Z", rows: at.ledger.costRows(of.run) });
      run++;
      // The same file is emptied: another disk, without opening one each time.
      at.db.exec("delete from ledger_entries; delete from ledger_sums; delete from open_calls");
      at.ledger.import(booked);
      at.ledger.import(booked);
    }
    if (what === "answered" || what === "failed") {
      at.ledger.begin(openCall({ ...of, usage: usage(size) }));
      const ended: Partial<LedgerEntry> = {
        ...of,
        usage: usage(size, 1),
        costNanoUsd: hasPrice ? cost : null,
        wasted: what === "failed",
        stopReason: what,
      };
      at.ledger.record(entry(ended));
      at.ledger.record(entry(ended));
      calls++;
      if (hasPrice) reported += cost;
      else unpriced++;
    }
    if (what === "died late" || what === "died early") {
      at.ledger.begin(openCall({ ...of, usage: usage(size + 1), inputPriceNanoUsd: 1001 }));
      if (what === "died late") at.ledger.progress(id, usage(size + 1), cost + 1001);
      at.restart();
      at.ledger.recover({ run: of.run });
      if (what === "died early") continue;
      calls++;
      reported += cost + 1001;
    }
  }
  return { ledger: at.ledger, reported, calls, unpriced };
}
