import { type Database, transact } from "../db/index.js";
import { NANO_PER_USD } from "./format.js";
import type { BudgetStore, BudgetUnit, RequirementRef, StatedBudget } from "./budget-types.js";
import type { Ledger } from "./types.js";

interface Stated {
  unit: BudgetUnit;
  amount: number;
  by: string;
  at: string;
}

const MATCH = "requirement = @requirement and host = @host and owner = @owner and name = @name";

/** Keeps what people said of budgets, and which alerts they got. */
export function createBudgetStore(db: Database, spent: Ledger["spent"]): BudgetStore {
  const latest = db.prepare<[Record<string, string>], Stated>(
    `select unit, amount, said_by as by, at from stated_budgets where ${MATCH} order by rowid desc limit 1`,
  );
  const known = db.prepare<[string], number>("select 1 from stated_budgets where id = ?").pluck();
  const insert = db.prepare<[Record<string, string | number>]>(
    `insert into stated_budgets (id, host, owner, name, requirement, unit, amount, said_by, at)
     values (@id, @host, @owner, @name, @requirement, @unit, @amount, @by, @at)`,
  );
  const alert = db.prepare<[Record<string, string>]>(
    `insert into budget_alerts (host, owner, name, requirement, budget, at)
     values (@host, @owner, @name, @requirement, @budget, @at) on conflict do nothing`,
  );

  function stated(of: RequirementRef): StatedBudget | null {
    const row = latest.get(keyOf(of));
    return row ? { ...row, amount: row.unit === "usd" ? row.amount / NANO_PER_USD : row.amount } : null;
  }

  return {
    budgetOf: (of) => transact(db, () => stated(of)),
    setBudget: ({ id, wish, configured, by, at, ...of }) => {
      const used = spent({ repository: of.repository, requirement: of.requirement });
      return transact(db, () => {
        const before = stated(of);
        if (before !== null && known.get(id) === 1) return before;
        const { unit } = wish;
        const held = before?.unit === unit ? before.amount : before === null ? configured[unit] : null;
        const base = held ?? (unit === "usd" ? used.nanoUsd / NANO_PER_USD : used.weightedTokens);
        const amount = wish.isMore ? base + wish.amount : wish.amount;
        insert.run({ id, ...keyOf(of), unit, amount: inUnits(unit, amount), by, at });
        return { unit, amount, by, at };
      });
    },
    warnOnce: (of, { limit, subject, unit, of: height }, at) => {
      const budget = JSON.stringify([limit, subject, unit, height]);
      return transact(db, () => alert.run({ ...keyOf(of), budget, at }).changes === 1);
    },
  };
}

function keyOf({ repository, requirement }: RequirementRef): Record<string, string> {
  const { host, owner, name } = repository;
  return { host, owner, name, requirement };
}

function inUnits(unit: BudgetUnit, amount: number): number {
  return Math.round(unit === "usd" ? amount * NANO_PER_USD : amount);
}
