import { type Database, transact } from "../db/index.js";
import { COLUMNS, insertInto, type Row, toRow } from "./entry-rows.js";
import { billedCalls, entriesByKey, totalsOf, weightedTokens } from "./totals.js";
import type { BookedRun, CallType, Ledger, LedgerEntry, RunCost } from "./types.js";

/** Stop reason of an entry that is a sum read from git. */
export const IMPORTED = "imported";

const CALL_TYPES: readonly CallType[] = ["plan", "generate", "validate", "compress"];
const NANO_PER_MICRO = 1000;

/** A run's calls added up as a requirement's events keep them; tries that used nothing are left out. */
export function costRowsOf(entries: readonly LedgerEntry[]): RunCost[] {
  const used = entries.filter((entry) => billedCalls(entry) > 0);
  const key = ({ phase, callType, model, wasted, costNanoUsd }: LedgerEntry) =>
    JSON.stringify([phase, callType, model, wasted, costNanoUsd === null]);
  return [...entriesByKey(used, key).values()].flatMap((members) => {
    const [first] = members;
    return first ? [costRow(first, members)] : [];
  });
}

function costRow(first: LedgerEntry, members: LedgerEntry[]): RunCost {
  const totals = totalsOf(members);
  const hasPrice = first.costNanoUsd !== null;
  return {
    phase: first.phase,
    call_type: first.callType,
    model: first.model,
    calls: totals.calls,
    input: totals.input,
    cache_read: totals.cacheRead,
    cache_write: totals.cacheWrite,
    output: totals.output,
    micro_usd: hasPrice ? totals.costNanoUsd / NANO_PER_MICRO : null,
    ...(hasPrice ? { weighted_tokens: toThreeDecimals(members) } : {}),
    ...(first.wasted ? { wasted: true as const } : {}),
  };
}

function toThreeDecimals(members: readonly LedgerEntry[]): number {
  return Math.round(members.reduce((sum, entry) => sum + weightedTokens(entry), 0) * 1000) / 1000;
}

/** Makes the import of what git says of runs. */
export function createImport(db: Database): Ledger["import"] {
  const insert = db.prepare<[Row]>(`${insertInto("ledger_entries", COLUMNS)} on conflict (id) do nothing`);
  // What this ledger saw itself is more exact than its own sum.
  const own = db
    .prepare<[{ run: string; host: string; owner: string; name: string; requirement: string }], number>(
      `select exists (select 1 from ledger_entries where run = @run and host = @host and owner = @owner and name = @name
         and requirement = @requirement and stop_reason <> '${IMPORTED}')
       or exists (select 1 from open_calls where run = @run and host = @host and owner = @owner and name = @name
         and requirement = @requirement)`,
    )
    .pluck();

  return (runs) =>
    transact(db, () => {
      const taken = new Set<string>();
      let entries = 0;
      for (const booked of runs) {
        const { run, requirement, repository } = booked;
        if (own.get({ run, requirement, ...repository }) === 1) continue;
        for (const entry of entriesOf(booked)) {
          if (insert.run(toRow(entry)).changes === 0) continue;
          entries++;
          taken.add(run);
        }
      }
      return { runs: taken.size, entries };
    });
}

function entriesOf({ id, rows, ...of }: BookedRun): LedgerEntry[] {
  return rows.map((row, index) => {
    const costNanoUsd = row.micro_usd === null ? null : Math.round(row.micro_usd * NANO_PER_MICRO);
    return {
      ...of,
      id: `${id}-${String(index).padStart(4, "0")}`,
      phase: row.phase,
      task: "",
      agent: "",
      callType: CALL_TYPES.find((type) => type === row.call_type) ?? "generate",
      provider: "",
      model: row.model,
      usage: {
        input: row.input,
        cacheRead: row.cache_read,
        cacheWrite: row.cache_write,
        output: row.output,
      },
      costNanoUsd,
      // The price at which the sum weighs what it weighed.
      inputPriceNanoUsd: costNanoUsd && row.weighted_tokens ? costNanoUsd / row.weighted_tokens : null,
      durationMs: 0,
      stopReason: IMPORTED,
      attempt: 1,
      promptVersion: "",
      wasted: row.wasted ?? false,
      calls: row.calls,
    };
  });
}
