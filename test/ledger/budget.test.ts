import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { BudgetOptions, createBudget, type LedgerEntry } from "../../src/ledger/index.js";
import { movedClock } from "../support/moved-clock.js";
import { entry, type FileLedger, openCall, openFileLedger, repository } from "./entries.js";

const USD = 1_000_000_000;
const TODAY = "2026-11-29T12:00:00.000Z";
const scope = { repository, requirement: "REQ-1", run: "run-1", task: "T1" };
const off = { tokens: null, usd: null };
const only = (part: Record<string, unknown>) =>
  BudgetOptions.parse({ task: off, day: off, reserve: 0, ...part });

let file: FileLedger;
let nextId = 0;
beforeEach(() => (file = openFileLedger()));
afterEach(() => file.close());

function spend(usd: number, part: Partial<LedgerEntry> = {}): void {
  const costNanoUsd = Math.round(usd * USD);
  file.ledger.record(entry({ id: `c${nextId++}`, at: TODAY, costNanoUsd, ...part }));
}
function budgetFor(options: BudgetOptions, of = scope) {
  return createBudget(file.ledger, movedClock(Date.parse(TODAY)), of, options);
}
const say = (id: string, amount: number, isMore = false, unit: "usd" | "tokens" = "usd") =>
  file.ledger.setBudget({
    id,
    repository,
    requirement: "REQ-1",
    by: "lee",
    at: TODAY,
    configured: { usd: 10, tokens: null },
    wish: { unit, amount, isMore },
  });

describe("a requirement's budget", () => {
  const options = only({ requirement: { usd: 10 }, reserve: 0.2 });

  it("stops work where the reserve begins, and the final answer at all of it, over all runs", () => {
    spend(7.9, { run: "run-0", phase: "design", at: "2026-11-01T00:00:00.000Z" });
    spend(100, { requirement: "REQ-2" });
    expect(budgetFor(options).reached("work")).toBeNull();
    spend(0.1);
    expect(budgetFor(options).reached("work")).toEqual({
      limit: "requirement",
      subject: "REQ-1",
      unit: "usd",
      spent: 8,
      of: 10,
      kept: 2,
    });
    expect(budgetFor(options).reached("final")).toBeNull();
    spend(2);
    expect(budgetFor(options).reached("final")).toMatchObject({ spent: 10 });
  });

  it("counts the calls that are going on, so that many at once do not overshoot together", () => {
    spend(7.5);
    const budget = budgetFor(options);
    for (const id of ["a", "b", "c"]) {
      expect(budget.reached("work")).toBeNull();
      file.ledger.begin(
        openCall({ id, at: TODAY, usage: { input: 200_000, cacheRead: 0, cacheWrite: 0, output: 0 } }),
      );
    }
    expect(budget.reached("work")).toMatchObject({ spent: 8.1 });
  });

  it("can be counted in weighted tokens, in which a cache read weighs what it costs", () => {
    const tokens = only({ requirement: { tokens: 50_000, usd: 1000 } });
    const usage = { input: 1000, cacheRead: 400_000, cacheWrite: 0, output: 100 };
    spend(0.0415, { usage });
    expect(budgetFor(tokens).reached("work")).toBeNull();
    spend(0.0085, { usage });
    expect(budgetFor(tokens).reached("work")).toMatchObject({ unit: "tokens", of: 50_000, spent: 50_000 });
  });
});

describe("limits of task and day", () => {
  it("a task's holds its work in one run, and leaves the last answer to the requirement", () => {
    const options = only({ task: { tokens: null, usd: 2 }, requirement: { usd: 10 } });
    spend(1.5);
    spend(1.5, { run: "run-0" });
    spend(1.5, { task: "T2" });
    expect(budgetFor(options).reached("work")).toBeNull();
    spend(0.5);
    expect(budgetFor(options).reached("work")).toMatchObject({ limit: "task", subject: "T1", of: 2 });
    expect(budgetFor(options).reached("final")).toBeNull();
    spend(5);
    expect(budgetFor(options).reached("final")).toMatchObject({ limit: "requirement" });
  });

  it("a day's is the repository's, in UTC, for everything", () => {
    const options = only({ day: { usd: 50 }, requirement: { usd: 10 } });
    spend(50, { at: "2026-11-28T23:59:59.999Z" });
    spend(50, { repository: { ...repository, name: "other" } });
    expect(budgetFor(options, { ...scope, requirement: "REQ-3" }).reached("final")).toBeNull();
    spend(50, { requirement: "REQ-2" });
    const stop = { limit: "day", subject: "2026-11-29", unit: "usd", spent: 50, of: 50, kept: 0 };
    expect(budgetFor(options, { ...scope, requirement: "REQ-3" }).reached("work")).toEqual(stop);
    expect(budgetFor(options, { ...scope, requirement: "REQ-3" }).reached("final")).toEqual(stop);
  });
});

describe("a subagent's slice", () => {
  const options = only({ requirement: { usd: 10 } });

  it("is a share of what is left, spent by it and its own subagents, and counts on the parent", () => {
    spend(6);
    const parent = budgetFor(options);
    const child = parent.slice(0.25, "lead/searcher");
    spend(0.6, { agent: "lead/searcher" });
    spend(2, { agent: "lead/searchers" });
    expect(child.reached("work")).toBeNull();
    const grandchild = child.slice(0.5, "lead/searcher/reader");
    spend(0.2, { agent: "lead/searcher/reader" });
    expect(grandchild.reached("work")).toMatchObject({ limit: "agent", subject: "lead/searcher/reader" });
    expect(child.reached("work")).toBeNull();
    spend(0.2, { agent: "lead/searcher" });
    expect(child.reached("work")).toMatchObject({ limit: "agent", subject: "lead/searcher", of: 1 });
    expect(child.reached("final")).toBeNull();
    expect(parent.reached("work")).toBeNull();
    spend(1, { agent: "lead" });
    expect(child.reached("final")).toMatchObject({ limit: "requirement" });
  });

  it("is fresh for the next call of the same agent, and nothing when nothing is left", () => {
    spend(5, { agent: "lead/searcher" });
    expect(budgetFor(options).slice(0.5, "lead/searcher").reached("work")).toBeNull();
    spend(5);
    expect(budgetFor(options).slice(0.5, "lead/searcher").reached("work")).not.toBeNull();
  });
});

describe("a budget that a person states", () => {
  const options = only({ task: { tokens: 50_000, usd: 2 }, requirement: { usd: 10 }, day: { usd: 50 } });

  it("takes the place of the configured limits of task and requirement at once, and not of the day's", () => {
    spend(3);
    const budget = budgetFor(options);
    expect(budget.reached("work")).toMatchObject({ limit: "task" });
    say("d1", 20);
    expect(budget.reached("work")).toBeNull();
    spend(17);
    expect(budget.reached("work")).toMatchObject({ limit: "requirement", of: 20 });
    say("d2", 1000);
    spend(30);
    expect(budget.reached("work")).toMatchObject({ limit: "day", of: 50 });
    expect(file.ledger.budgetOf({ repository, requirement: "REQ-2" })).toBeNull();
  });

  it("outlives the process; the last word counts, and a word that comes twice counts once", () => {
    say("d1", 5);
    say("d2", 20_000, false, "tokens");
    file.restart();
    expect(file.ledger.budgetOf(scope)).toEqual({ unit: "tokens", amount: 20_000, by: "lee", at: TODAY });
    expect(say("d1", 5)).toMatchObject({ unit: "tokens", amount: 20_000 });
    expect(budgetFor(options).reached("work")).toBeNull();
  });

  it("can ask for more than what holds, or than what is spent where that is counted otherwise", () => {
    expect(say("d1", 5, true)).toMatchObject({ amount: 15 });
    expect(say("d1", 5, true)).toMatchObject({ amount: 15 });
    expect(say("d2", 5.5, true)).toMatchObject({ amount: 20.5 });
    spend(0.004, { inputPriceNanoUsd: 1000 });
    expect(say("d3", 20_000, true, "tokens")).toMatchObject({ unit: "tokens", amount: 24_000 });
  });
});

describe("an alert", () => {
  const options = only({ requirement: { usd: 10 }, reserve: 0.2, warn_at: 0.8 });

  it("is due at the given share of what work may use, before work stops", () => {
    spend(6.3);
    expect(budgetFor(options).warnings()).toEqual([]);
    spend(0.1);
    const [stop, ...others] = budgetFor(options).warnings();
    expect(stop).toMatchObject({ limit: "requirement", spent: 6.4, of: 10, kept: 2 });
    expect(others).toEqual([]);
    expect(budgetFor(options).reached("work")).toBeNull();
  });

  it("is given once per requirement and limit, also after a restart, and again for a raised one", () => {
    spend(7);
    const [stop] = budgetFor(options).warnings();
    if (!stop) throw new Error("no alert is due");
    expect(file.ledger.warnOnce(scope, stop, TODAY)).toBe(true);
    file.restart();
    expect(file.ledger.warnOnce(scope, { ...stop, spent: 7.5 }, TODAY)).toBe(false);
    expect(file.ledger.warnOnce({ ...scope, requirement: "REQ-2" }, stop, TODAY)).toBe(true);
    expect(file.ledger.warnOnce(scope, { ...stop, of: 15 }, TODAY)).toBe(true);
  });
});

describe("the key budget", () => {
  it("has the documented defaults, and knows no other key", () => {
    expect(BudgetOptions.parse({})).toEqual({
      task: { tokens: 50_000, usd: 2 },
      requirement: { tokens: null, usd: 10 },
      day: { tokens: null, usd: 50 },
      warn_at: 0.8,
      reserve: 0.2,
    });
    expect(BudgetOptions.safeParse({ month: { usd: 1 } }).success).toBe(false);
    expect(BudgetOptions.safeParse({ requirement: { usd: -1 } }).success).toBe(false);
  });
});

describe("a ledger of many calls", () => {
  it("is asked through sums that stay few", () => {
    file.db.transaction(() => {
      for (let index = 0; index < 3000; index++) {
        spend(0.0001, { task: `T${index % 20}`, run: `run-${index % 7}`, requirement: `REQ-${index % 5}` });
      }
    })();
    expect(file.db.prepare("select count(*) from ledger_sums").pluck().get()).toBe(140);
    expect(file.ledger.spent({ repository, requirement: "REQ-1" }).nanoUsd).toBe(0.06 * USD);
    const day =
      "select sum(nano_usd), sum(weighted_tokens) from ledger_sums where host=? and owner=? and name=? and day=?";
    const plan = file.db.prepare(`explain query plan ${day}`).all("", "", "", "");
    expect(JSON.stringify(plan)).toContain("COVERING INDEX ledger_sums_by_day");
  });
});
