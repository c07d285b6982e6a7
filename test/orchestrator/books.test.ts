import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openBooks, unbookedCosts } from "../../src/orchestrator/books.js";
import type { RequirementEvent } from "../../src/requirements/index.js";
import { type FileLedger, entry, openCall, openFileLedger, repository } from "../ledger/entries.js";

let file: FileLedger;
beforeEach(() => (file = openFileLedger()));
afterEach(() => file.close());

const NOON = Date.parse("2026-11-29T12:00:00Z");
const at = (ms: number) => ({ ledger: file.ledger, clock: { now: () => NOON + ms } });
const of = { ask: { repository }, requirement: "REQ-1" };
const place = { repository, requirement: "REQ-1" };
const said = (amount: number): RequirementEvent => ({
  v: 1,
  id: `01JB8Z000000000000000000${String(amount).padStart(2, "0")}`,
  req: "REQ-1",
  type: "budget",
  run: "run-1",
  actor: "accrue",
  at: "2026-11-29T12:00:00.000Z",
  unit: "usd",
  amount,
  by: "lee",
});

describe("the books of a requirement that is taken up again", () => {
  it("leave the calls of a question open, which goes on beside it, and book it once it must be over", () => {
    file.ledger.begin(openCall({ id: "1", run: "run-7", phase: "ask" }));
    openBooks(file, { ...of, events: [] });
    expect(file.ledger.entries({})).toEqual([]);
    file.ledger.record(entry({ id: "1", run: "run-7", phase: "ask", at: new Date(NOON).toISOString() }));
    const lacking = (ms: number, own: string | null) =>
      unbookedCosts(at(ms), { ...place, events: [], own }).map(({ run }) => run);
    expect(lacking(60_000, "run-8")).toEqual([]);
    expect(lacking(2 * 60 * 60_000, "run-8")).toEqual(["run-7"]);
    expect(lacking(60_000, null)).toEqual(["run-7"]);
  });

  it("close the calls that a crash left open, and no other requirement's", () => {
    file.ledger.begin(openCall({ id: "1" }));
    file.ledger.begin(openCall({ id: "2", requirement: "REQ-2" }));
    file.restart();
    openBooks(file, { ...of, events: [] });
    expect(file.ledger.entries({})).toMatchObject([{ id: "1", stopReason: "interrupted", wasted: true }]);
  });

  it("have the last budget of git, unless this ledger knows what a person said", () => {
    openBooks(file, { ...of, events: [said(5), said(7)] });
    expect(file.ledger.budgetOf(place)).toMatchObject({ unit: "usd", amount: 7, by: "lee" });
    openBooks(file, { ...of, events: [said(5), said(7), said(9)] });
    expect(file.ledger.budgetOf(place)).toMatchObject({ amount: 7 });
  });

  it("lack what a run cost that wrote nothing, until it is booked, and never what filing a remark cost", () => {
    const record = (id: string, run: string, phase: string) => file.ledger.record(entry({ id, run, phase }));
    record("1", "run-1", "requirement");
    record("2", "run-2", "complete");
    record("3", "run-3", "implement");
    record("4", "run-3", "complete");
    const booked = { type: "cost", run: "run-1" } as RequirementEvent;
    const lacking = (own: string | null) =>
      unbookedCosts(at(0), { ...place, events: [booked], own }).map(({ run, rows }) => [run, rows.length]);
    expect(lacking(null)).toEqual([["run-3", 2]]);
    expect(lacking("run-2")).toEqual([
      ["run-2", 1],
      ["run-3", 2],
    ]);
  });
});
