import { type Database, MIGRATIONS, migrate, transact } from "../db/index.js";
import { entriesByKey, groupsOf, totalsOf } from "./totals.js";
import type { Bill, CallType, EntryFilter, GroupBy, Ledger, LedgerEntry, Report, RunCost } from "./types.js";

interface Row {
  id: string;
  at: string;
  host: string;
  owner: string;
  name: string;
  requirement: string;
  run: string;
  phase: string;
  task: string;
  agent: string;
  call_type: CallType;
  provider: string;
  model: string;
  input: number;
  cache_read: number;
  cache_write: number;
  output: number;
  cost_nano_usd: number | null;
  input_price_nano_usd: number | null;
  duration_ms: number;
  stop_reason: string;
  attempt: number;
  prompt_version: string;
  wasted: number;
}

const COLUMNS: readonly (keyof Row)[] = [
  ...([
    "id",
    "at",
    "host",
    "owner",
    "name",
    "requirement",
    "run",
    "phase",
    "task",
    "agent",
    "call_type",
  ] as const),
  ...(["provider", "model", "input", "cache_read", "cache_write", "output", "cost_nano_usd"] as const),
  ...(["input_price_nano_usd", "duration_ms", "stop_reason", "attempt", "prompt_version", "wasted"] as const),
];

const KEYS: Record<GroupBy, (entry: LedgerEntry) => string> = {
  task: (entry) => entry.task,
  type: (entry) => entry.callType,
  model: (entry) => entry.model,
  day: (entry) => entry.at.slice(0, 10),
  phase: (entry) => entry.phase,
  requirement: (entry) => entry.requirement,
};

/** Opens the ledger of model calls in a database. */
export function createLedger(db: Database): Ledger {
  migrate(db, MIGRATIONS, "ledger");
  const insert = db.prepare<[Row]>(
    `insert into ledger_entries (${COLUMNS.join(", ")}) values (${COLUMNS.map((name) => `@${name}`).join(", ")})
     on conflict (id) do nothing`,
  );

  function entries(filter: EntryFilter): LedgerEntry[] {
    const { where, values } = conditions(filter);
    return transact(db, () =>
      db.prepare<string[], Row>(`select * from ledger_entries ${where} order by id`).all(...values),
    ).map(fromRow);
  }

  function bill(of: { repository: EntryFilter["repository"]; requirement: string }): Bill {
    const all = entries(of);
    const used = all.filter((entry) => !entry.wasted);
    const wasted = all.filter((entry) => entry.wasted);
    return {
      requirement: of.requirement,
      totals: totalsOf(all),
      phases: groupsOf(used, KEYS.phase),
      wasted: wasted.length > 0 ? totalsOf(wasted) : null,
      models: groupsOf(all, KEYS.model),
      tasks: groupsOf(all, KEYS.task),
      days: groupsOf(all, KEYS.day),
    };
  }

  function report({ by, ...filter }: EntryFilter & { by: GroupBy }): Report {
    const all = entries(filter);
    return { entries: all, totals: totalsOf(all), groups: groupsOf(all, KEYS[by]), anomalies: [] };
  }

  function costRows(run: string): RunCost[] {
    const key = (entry: LedgerEntry) => JSON.stringify([entry.phase, entry.callType, entry.model]);
    return [...entriesByKey(entries({ run }), key).values()].flatMap((members) => {
      const [first] = members;
      return first ? [costRow(first, members)] : [];
    });
  }

  return {
    begin: () => {},
    progress: () => {},
    record: (entry) => transact(db, () => void insert.run(toRow(entry))),
    entries,
    bill,
    report,
    costRows,
    spentNanoUsd(filter) {
      const { where, values } = conditions(filter);
      const sql = `select coalesce(sum(cost_nano_usd), 0) from ledger_entries ${where}`;
      return (
        transact(db, () =>
          db
            .prepare<string[], number>(sql)
            .pluck()
            .get(...values),
        ) ?? 0
      );
    },
  };
}

function costRow(first: LedgerEntry, members: LedgerEntry[]): RunCost {
  const totals = totalsOf(members);
  return {
    phase: first.phase,
    call_type: first.callType,
    model: first.model,
    calls: totals.calls,
    input: totals.input,
    cache_read: totals.cacheRead,
    cache_write: totals.cacheWrite,
    output: totals.output,
    micro_usd: totals.unpricedCalls > 0 ? null : totals.costNanoUsd / 1000,
  };
}

function conditions(filter: EntryFilter): { where: string; values: string[] } {
  const { repository, day, ...columns } = filter;
  const parts: [string, string | undefined][] = [
    ["host", repository?.host],
    ["owner", repository?.owner],
    ["name", repository?.name],
    ["substr(at, 1, 10)", day],
    ["requirement", columns.requirement],
    ["run", columns.run],
    ["task", columns.task],
    ["phase", columns.phase],
  ];
  const given = parts.filter((part): part is [string, string] => part[1] !== undefined);
  const where = given.length > 0 ? `where ${given.map(([column]) => `${column} = ?`).join(" and ")}` : "";
  return { where, values: given.map(([, value]) => value) };
}

function toRow(entry: LedgerEntry): Row {
  return {
    id: entry.id,
    at: entry.at,
    ...entry.repository,
    requirement: entry.requirement,
    run: entry.run,
    phase: entry.phase,
    task: entry.task,
    agent: entry.agent,
    call_type: entry.callType,
    provider: entry.provider,
    model: entry.model,
    input: entry.usage.input,
    cache_read: entry.usage.cacheRead,
    cache_write: entry.usage.cacheWrite,
    output: entry.usage.output,
    cost_nano_usd: entry.costNanoUsd,
    input_price_nano_usd: entry.inputPriceNanoUsd,
    duration_ms: Math.round(entry.durationMs),
    stop_reason: entry.stopReason,
    attempt: entry.attempt,
    prompt_version: entry.promptVersion,
    wasted: entry.wasted ? 1 : 0,
  };
}

function fromRow(row: Row): LedgerEntry {
  return {
    id: row.id,
    at: row.at,
    repository: { host: row.host, owner: row.owner, name: row.name },
    requirement: row.requirement,
    run: row.run,
    phase: row.phase,
    task: row.task,
    agent: row.agent,
    callType: row.call_type,
    provider: row.provider,
    model: row.model,
    usage: {
      input: row.input,
      cacheRead: row.cache_read,
      cacheWrite: row.cache_write,
      output: row.output,
    },
    costNanoUsd: row.cost_nano_usd,
    inputPriceNanoUsd: row.input_price_nano_usd,
    durationMs: row.duration_ms,
    stopReason: row.stop_reason,
    attempt: row.attempt,
    promptVersion: row.prompt_version,
    wasted: row.wasted === 1,
  };
}
