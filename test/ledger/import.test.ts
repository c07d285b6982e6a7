import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { BookedRun } from "../../src/ledger/index.js";
import { entry, type FileLedger, openCall, openFileLedger, repository } from "./entries.js";

let file: FileLedger;
let other: FileLedger;
beforeEach(() => {
  file = openFileLedger();
  other = openFileLedger();
});
afterEach(() => {
  file.close();
  other.close();
});

const of = { repository, requirement: "REQ-1", run: "run-1", at: "2026-11-29T12:00:00.000Z" };

describe("what git says of runs", () => {
  it("gives a ledger on an empty disk the same bill and the same spending, by the call", () => {
    file.ledger.record(entry({ id: "1", costNanoUsd: 1_234_567, phase: "design", callType: "plan" }));
    file.ledger.record(entry({ id: "2", costNanoUsd: 7 }));
    file.ledger.record(entry({ id: "3", costNanoUsd: 11, wasted: true }));
    file.ledger.record(entry({ id: "4", costNanoUsd: null }));
    const booked: BookedRun = { ...of, id: "01E", rows: file.ledger.costRows("run-1") };
    expect(other.ledger.import([booked])).toEqual({ runs: 1, entries: 4 });
    const [before, after] = [file.ledger.bill(of), other.ledger.bill(of)];
    expect(after.totals).toEqual({ ...before.totals, weightedTokens: after.totals.weightedTokens });
    expect(after.phases.map(({ key, calls, costNanoUsd }) => [key, calls, costNanoUsd])).toEqual(
      before.phases.map(({ key, calls, costNanoUsd }) => [key, calls, costNanoUsd]),
    );
    expect(after.wasted).toMatchObject({ calls: 1, costNanoUsd: 11 });
    expect(after.totals.unpricedCalls).toBe(1);
    const spent = file.ledger.spent(of);
    expect(other.ledger.spent(of).nanoUsd).toBe(spent.nanoUsd);
    expect(Math.abs(other.ledger.spent(of).weightedTokens - spent.weightedTokens)).toBeLessThan(2);
    expect(other.ledger.costRows("run-1").map(({ micro_usd }) => micro_usd)).toEqual(
      booked.rows.map(({ micro_usd }) => micro_usd),
    );
  });

  it("is taken over once, whatever else a run's later event says", () => {
    const [row] = rowsOf(3);
    const first: BookedRun = { ...of, id: "01A", rows: rowsOf(2) };
    expect(file.ledger.import([first, first])).toEqual({ runs: 1, entries: 2 });
    file.restart();
    expect(file.ledger.import([first])).toEqual({ runs: 0, entries: 0 });
    expect(file.ledger.import([{ ...of, id: "01B", rows: row ? [row] : [] }])).toEqual({
      runs: 1,
      entries: 1,
    });
    expect(file.ledger.bill(of).totals).toMatchObject({ calls: 9, costNanoUsd: 3_000_003 });
  });

  it("gives way to what the ledger saw itself, ended or going on, in that repository", () => {
    file.ledger.record(entry({ id: "1", run: "run-1" }));
    file.ledger.begin(openCall({ id: "2", run: "run-2" }));
    const booked = ["run-1", "run-2", "run-3"].map((run) => ({
      ...of,
      run,
      id: `e-${run}`,
      rows: rowsOf(1),
    }));
    expect(file.ledger.import(booked)).toEqual({ runs: 1, entries: 1 });
    const elsewhere = { ...of, id: "x", repository: { ...repository, name: "other" }, rows: rowsOf(1) };
    expect(file.ledger.import([elsewhere])).toEqual({ runs: 1, entries: 1 });
  });

  it("counts where a person or a later version wrote a kind of call that is not known", () => {
    const rows = rowsOf(1).map((row) => ({ ...row, call_type: "dream" }));
    file.ledger.import([{ ...of, id: "e", rows }]);
    expect(file.ledger.report({ by: "type" }).groups).toMatchObject([{ key: "generate", calls: 3 }]);
  });
});

function rowsOf(count: number): BookedRun["rows"] {
  return Array.from({ length: count }, () => ({
    phase: "implement",
    call_type: "generate",
    model: "m",
    calls: 3,
    micro_usd: 1000.001,
    input: 10,
    cache_read: 20,
    cache_write: 5,
    output: 2,
  }));
}
