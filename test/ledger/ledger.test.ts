import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Database, openDatabase } from "../../src/db/index.js";
import { createLedger, type Ledger, weightedTokens } from "../../src/ledger/index.js";
import { entry, repository, unanswered } from "./entries.js";

let folder: string;
let db: Database;
let ledger: Ledger;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "accrue-ledger-"));
  db = openDatabase(join(folder, "l.db"), { synchronous: "normal" });
  ledger = createLedger(db);
});
afterEach(() => {
  db.close();
  rmSync(folder, { recursive: true });
});

describe("entries", () => {
  it("come back as they were recorded, oldest first", () => {
    const second = entry({ id: "02", wasted: true, costNanoUsd: null, inputPriceNanoUsd: null });
    const first = entry({ id: "01" });
    ledger.record(second);
    ledger.record(first);
    expect(ledger.entries({})).toEqual([first, second]);
  });

  it("recorded twice count once, and the first stays", () => {
    ledger.record(entry({ id: "01", model: "first" }));
    ledger.record(entry({ id: "01", model: "second" }));
    expect(ledger.entries({}).map(({ model }) => model)).toEqual(["first"]);
  });

  it("outlive the process", () => {
    ledger.record(entry({ id: "01" }));
    db.close();
    db = openDatabase(join(folder, "l.db"));
    expect(createLedger(db).entries({})).toHaveLength(1);
  });

  it("are refused when a count is no whole number", () => {
    const usage = { input: 1.5, cacheRead: 0, cacheWrite: 0, output: 0 };
    expect(() => ledger.record(entry({ usage }))).toThrow(
      expect.objectContaining({ code: "DATABASE_FAILED" }),
    );
  });

  it.each([
    ["requirement", { requirement: "REQ-2" }, ["b"]],
    ["run", { run: "run-2" }, ["b"]],
    ["task", { task: "T9" }, ["c"]],
    ["phase", { phase: "validate" }, ["d"]],
    ["day", { day: "2026-11-30" }, ["e"]],
    ["days", { since: "2026-11-30", until: "2026-11-30" }, ["e"]],
    ["a last day", { until: "2026-11-29" }, ["a", "b", "c", "d", "f", "g"]],
    ["agent, with its subagents", { agent: "lead" }, ["f", "g"]],
    ["repository", { repository: { ...repository, name: "other" } }, ["f"]],
    ["two things", { repository, requirement: "REQ-1", run: "run-1", phase: "implement" }, ["a", "c", "e"]],
  ])("are narrowed by %s", (_, filter, ids) => {
    ledger.record(entry({ id: "a" }));
    ledger.record(entry({ id: "b", requirement: "REQ-2", run: "run-2" }));
    ledger.record(entry({ id: "c", task: "T9" }));
    ledger.record(entry({ id: "d", phase: "validate" }));
    ledger.record(entry({ id: "e", at: "2026-11-30T00:00:00.000Z" }));
    ledger.record(entry({ id: "f", repository: { ...repository, name: "other" }, agent: "lead" }));
    ledger.record(entry({ id: "g", requirement: "REQ-9", agent: "lead/搜索#2" }));
    const found = ledger.entries(filter);
    expect(found.map(({ id }) => id).sort()).toEqual(ids);
    const cost = found.reduce((sum, { costNanoUsd }) => sum + (costNanoUsd ?? 0), 0);
    expect(ledger.spentNanoUsd(filter)).toBe(cost);
  });
});

describe("a bill", () => {
  it("adds up the entries of its own requirement in its own repository only", () => {
    ledger.record(entry({ id: "1", costNanoUsd: 7 }));
    ledger.record(entry({ id: "2", costNanoUsd: 11 }));
    ledger.record(entry({ id: "3", requirement: "REQ-2" }));
    ledger.record(entry({ id: "4", repository: { ...repository, name: "other" } }));
    const { totals } = ledger.bill({ repository, requirement: "REQ-1" });
    expect(totals).toMatchObject({ calls: 2, costNanoUsd: 18, unpricedCalls: 0 });
  });

  it("keeps wasted calls apart from the phases, and both add up to the total", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            costNanoUsd: fc.option(fc.integer({ min: 0, max: 10 ** 12 })),
            wasted: fc.boolean(),
            phase: fc.constantFrom("requirement", "design", "implement"),
          }),
        ),
        (parts) => {
          db.exec("delete from ledger_entries");
          for (const [index, part] of parts.entries()) ledger.record(entry({ id: String(index), ...part }));
          const bill = ledger.bill({ repository, requirement: "REQ-1" });
          const rows = [...bill.phases, ...(bill.wasted ? [bill.wasted] : [])];
          for (const key of ["calls", "input", "cacheRead", "output", "costNanoUsd"] as const) {
            expect(rows.reduce((sum, row) => sum + row[key], 0)).toBe(bill.totals[key]);
            expect(bill.models.reduce((sum, row) => sum + row[key], 0)).toBe(bill.totals[key]);
          }
          expect(bill.wasted?.calls ?? 0).toBe(parts.filter((part) => part.wasted).length);
          expect(bill.totals.unpricedCalls).toBe(parts.filter((part) => part.costNanoUsd === null).length);
        },
      ),
      { numRuns: 40 },
    );
  });

  it("RT-53: counts all four classes of tokens", () => {
    const usage = { input: 3, cacheRead: 0, cacheWrite: 109_075, output: 81 };
    const price = { input: 3000, cacheWrite: 3750, output: 15_000 };
    const costNanoUsd = 3 * price.input + 109_075 * price.cacheWrite + 81 * price.output;
    ledger.record(entry({ id: "1", usage, costNanoUsd, inputPriceNanoUsd: price.input }));
    const { totals } = ledger.bill({ repository, requirement: "REQ-1" });
    expect(totals.input + totals.cacheRead + totals.cacheWrite + totals.output).toBe(109_159);
    expect(totals).toMatchObject({ costNanoUsd, weightedTokens: 136_752 });
  });

  it("counts a try that failed before an answer as an attempt and no call", () => {
    ledger.record(entry({ id: "1", phase: "design", ...unanswered }));
    ledger.record(entry({ id: "2", costNanoUsd: 9 }));
    const bill = ledger.bill({ repository, requirement: "REQ-1" });
    expect(bill.totals).toMatchObject({ calls: 1, attempts: 2, wastedCalls: 0, costNanoUsd: 9 });
    expect(bill).toMatchObject({ wasted: null, waste: [], phases: [{ key: "implement", calls: 1 }] });
    expect(ledger.report({ by: "phase" }).wasted).toMatchObject([
      { key: "unanswered", calls: 0, attempts: 1 },
    ]);
  });

  it("is empty for a requirement without calls", () => {
    expect(ledger.bill({ repository, requirement: "REQ-9" })).toMatchObject({
      totals: { calls: 0, costNanoUsd: 0 },
      phases: [],
      wasted: null,
    });
  });
});

describe("a report", () => {
  beforeEach(() => {
    ledger.record(entry({ id: "1", task: "T1", model: "m1", phase: "design", callType: "plan" }));
    ledger.record(entry({ id: "2", task: "T2", model: "m1", at: "2026-11-30T10:00:00.000Z" }));
    ledger.record(entry({ id: "3", task: "T1", model: "m2", requirement: "REQ-2" }));
  });

  it.each([
    ["task", ["T1", "T2"]],
    ["type", ["plan", "generate"]],
    ["model", ["m1", "m2"]],
    ["day", ["2026-11-29", "2026-11-30"]],
    ["phase", ["design", "implement"]],
    ["requirement", ["REQ-1", "REQ-2"]],
    ["agent", ["implementation-executor"]],
  ] as const)("groups by %s", (by, keys) => {
    const report = ledger.report({ by });
    expect(report.groups.map(({ key }) => key)).toEqual(keys);
    expect(report.groups.reduce((sum, group) => sum + group.costNanoUsd, 0)).toBe(report.totals.costNanoUsd);
    expect(report.entries).toHaveLength(3);
    expect(report.anomalies).toEqual([]);
  });

  it("is narrowed to a task or a requirement", () => {
    expect(ledger.report({ by: "model", task: "T1" }).totals.calls).toBe(2);
    expect(ledger.report({ by: "model", requirement: "REQ-2" }).totals.calls).toBe(1);
  });
});

describe("cost rows of a run", () => {
  it("add up its calls per phase, type and model, exact to the nano-dollar", () => {
    ledger.record(entry({ id: "1", costNanoUsd: 1_234_567 }));
    ledger.record(entry({ id: "2", costNanoUsd: 1 }));
    ledger.record(entry({ id: "3", callType: "validate" }));
    ledger.record(entry({ id: "4", run: "run-2" }));
    const rows = ledger.costRows("run-1");
    expect(rows).toHaveLength(2);
    expect(rows[0]).toEqual({
      phase: "implement",
      call_type: "generate",
      model: "claude-haiku-5-5",
      calls: 2,
      input: 200,
      cache_read: 1600,
      cache_write: 80,
      output: 40,
      micro_usd: 1234.568,
      weighted_tokens: 1234.568,
    });
    expect(JSON.stringify(rows[0])).toContain('"micro_usd":1234.568,');
  });

  it("keep apart what has no known price and what was wasted, so that the rest stays exact", () => {
    ledger.record(entry({ id: "1", costNanoUsd: 5000 }));
    ledger.record(entry({ id: "2", costNanoUsd: null }));
    ledger.record(entry({ id: "3", costNanoUsd: 7000, wasted: true }));
    ledger.record(entry({ id: "4", ...unanswered }));
    expect(
      ledger.costRows("run-1").map(({ micro_usd, calls, wasted }) => [micro_usd, calls, wasted]),
    ).toEqual([
      [5, 1, undefined],
      [null, 1, undefined],
      [7, 1, true],
    ]);
  });
});

describe("what was spent", () => {
  it("is exact, by requirement and by day", () => {
    ledger.record(entry({ id: "1", costNanoUsd: 9_007_199_254 }));
    ledger.record(entry({ id: "2", costNanoUsd: 1, at: "2026-11-30T10:00:00.000Z" }));
    ledger.record(entry({ id: "3", costNanoUsd: null }));
    expect(ledger.spentNanoUsd({ repository, requirement: "REQ-1" })).toBe(9_007_199_255);
    expect(ledger.spentNanoUsd({ repository, day: "2026-11-30" })).toBe(1);
    expect(ledger.spentNanoUsd({ repository, day: "2026-12-01" })).toBe(0);
  });
});

describe("weighted tokens", () => {
  it("count a cache read what it costs in uncached input", () => {
    const usage = { input: 100, cacheRead: 1000, cacheWrite: 0, output: 0 };
    const costNanoUsd = 100 * 1000 + 1000 * 100;
    expect(weightedTokens({ usage, costNanoUsd, inputPriceNanoUsd: 1000 })).toBe(200);
  });

  it("count each token as one when the price is unknown", () => {
    const usage = { input: 1, cacheRead: 2, cacheWrite: 3, output: 4 };
    expect(weightedTokens({ usage, costNanoUsd: null, inputPriceNanoUsd: null })).toBe(10);
  });
});
