import { type Database, MIGRATIONS, migrate, transact } from "../db/index.js";
import { anomaliesOf } from "./anomalies.js";
import { createBudgetStore } from "./budget-store.js";
import { createCalls } from "./calls.js";
import { conditions, DAY_OF_TIME } from "./conditions.js";
import { costRowsOf, createImport } from "./cost-rows.js";
import { fromRow, type Row } from "./entry-rows.js";
import { createPacks } from "./packs.js";
import { createSpending } from "./spending.js";
import { billedCalls, groupsOf, totalsOf } from "./totals.js";
import { createUses } from "./uses.js";
import { wasteOf } from "./waste.js";
import type { Bill, EntryFilter, GroupBy, Ledger, LedgerEntry, Report } from "./types.js";

const KEYS: Record<GroupBy, (entry: LedgerEntry) => string> = {
  task: (entry) => entry.task,
  type: (entry) => entry.callType,
  model: (entry) => entry.model,
  day: (entry) => entry.at.slice(0, 10),
  phase: (entry) => entry.phase,
  requirement: (entry) => entry.requirement,
  // Agents side by side are told apart by a number.
  agent: (entry) => entry.agent.replaceAll(/#\d+/g, ""),
};

/** Opens the ledger of model calls in a database. */
export function createLedger(db: Database): Ledger {
  migrate(db, MIGRATIONS, "ledger");
  const spending = createSpending(db);
  const uses = createUses(db);
  const packs = createPacks(db);

  function entries(filter: EntryFilter): LedgerEntry[] {
    const { where, values } = conditions(filter, DAY_OF_TIME);
    return transact(db, () =>
      db.prepare<string[], Row>(`select * from ledger_entries ${where} order by at, id`).all(...values),
    ).map(fromRow);
  }

  return {
    ...createCalls(db),
    ...spending,
    ...uses,
    ...packs,
    ...createBudgetStore(db, spending.spent),
    import: createImport(db),
    entries,
    // Whoever passes more than a requirement still gets the bill of all of it.
    bill: ({ repository, requirement }) => billOf(requirement, entries({ repository, requirement })),
    report: ({ by, ...filter }): Report => {
      const all = entries(filter);
      return {
        entries: all,
        totals: totalsOf(all),
        groups: groupsOf(all, KEYS[by]),
        anomalies: anomaliesOf(all),
        wasted: wasteOf(all),
        uses: uses.uses(filter),
        packs: packs.packs(filter),
        knowledge: packs.knowledgeByPhase(filter),
      };
    },
    costRows: (run) => costRowsOf(entries({ run })),
  };
}

function billOf(requirement: string, all: readonly LedgerEntry[]): Bill {
  const billed = all.filter((entry) => billedCalls(entry) > 0);
  const used = billed.filter((entry) => !entry.wasted);
  const wasted = billed.filter((entry) => entry.wasted);
  return {
    requirement,
    totals: totalsOf(all),
    phases: groupsOf(used, KEYS.phase),
    wasted: wasted.length > 0 ? totalsOf(wasted) : null,
    waste: wasteOf(billed),
    models: groupsOf(billed, KEYS.model),
    tasks: groupsOf(billed, KEYS.task),
    days: groupsOf(billed, KEYS.day),
  };
}
