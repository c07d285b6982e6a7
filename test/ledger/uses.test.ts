import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { LedgerEntry } from "../../src/ledger/index.js";
import { entry, type FileLedger, openFileLedger, repository } from "./entries.js";

let file: FileLedger;
beforeEach(() => {
  file = openFileLedger();
});
afterEach(() => file.close());

const use = { repository, requirement: "REQ-1", run: "run-1", at: "2026-11-29T12:00:00.000Z" };

describe("uses", () => {
  it("are counted by run and by time, most used first, and narrowed like entries", () => {
    const rule = { kind: "rule" as const, id: "R-7K3M2P", how: "fired" as const };
    file.ledger.use({ ...use, ...rule });
    file.ledger.use({ ...use, ...rule, at: "2026-11-29T13:00:00.000Z" });
    file.ledger.use({ ...use, kind: "skill", id: "refactor", how: "activated" });
    file.ledger.use({ ...use, ...rule, run: "run-2", requirement: "REQ-2" });
    file.restart();
    expect(file.ledger.uses({})).toEqual([
      { ...rule, runs: 2, times: 3, lastAt: "2026-11-29T13:00:00.000Z" },
      { kind: "skill", id: "refactor", how: "activated", runs: 1, times: 1, lastAt: use.at },
    ]);
    expect(file.ledger.uses({ run: "run-2" })).toMatchObject([{ id: "R-7K3M2P", runs: 1, times: 1 }]);
    expect(file.ledger.report({ by: "task", requirement: "REQ-1" }).uses).toHaveLength(2);
  });
});

describe("similar requirements", () => {
  it("are earlier ones of the repository that share a note with it, the oldest first", () => {
    const spend = (requirement: string, hour: number, more: Partial<LedgerEntry> = {}) =>
      file.ledger.record(
        entry({ id: `${requirement}-${hour}`, requirement, at: `2026-11-29T${hour}:00:00.000Z`, ...more }),
      );
    const note = (requirement: string, id: string, how: "shown" | "learnt" | "read", more = {}) =>
      file.ledger.use({ ...use, kind: "note", id, how, requirement, ...more });
    spend("REQ-3", 12);
    spend("REQ-3", 13, { isEstimate: true });
    spend("REQ-1", 11);
    spend("REQ-7", 14);
    spend("REQ-8", 15);
    spend("REQ-9", 16);
    note("REQ-1", "EXP-A", "learnt");
    note("REQ-3", "EXP-A", "shown");
    note("REQ-7", "EXP-A", "shown");
    // Later; another note; only read; a rule; another repository: none of these makes it similar.
    note("REQ-8", "EXP-A", "shown");
    note("REQ-9", "EXP-B", "shown");
    note("REQ-5", "EXP-A", "read");
    // Nor do questions on a thread that is no requirement.
    spend("REQ-2", 10, { phase: "ask" });
    note("REQ-2", "EXP-A", "shown");
    const cost = entry({ id: "x" }).costNanoUsd;
    expect(file.ledger.similar({ repository, requirement: "REQ-7" })).toEqual([
      { requirement: "REQ-1", costNanoUsd: cost },
      { requirement: "REQ-3", costNanoUsd: cost },
    ]);
    expect(file.ledger.similar({ repository, requirement: "REQ-9" })).toEqual([]);
    expect(
      file.ledger.similar({ repository: { ...repository, name: "other" }, requirement: "REQ-7" }),
    ).toEqual([]);
  });
});
