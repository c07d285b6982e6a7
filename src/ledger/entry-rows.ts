import type { CallType, LedgerEntry, OpenCall } from "./types.js";

/** An open call as its table has it. */
export interface OpenRow {
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
  attempt: number;
  prompt_version: string;
  request_hash: string | null;
  estimated: number;
}

/** An entry as its table has it. */
export interface Row extends OpenRow {
  duration_ms: number;
  stop_reason: string;
  wasted: number;
  calls: number;
}

/** Columns that open calls and entries share. */
export const OPEN_COLUMNS: readonly (keyof OpenRow)[] = [
  ...(["id", "at", "host", "owner", "name", "requirement", "run", "phase", "task", "agent"] as const),
  ...(["call_type", "provider", "model", "input", "cache_read", "cache_write", "output"] as const),
  ...(["cost_nano_usd", "input_price_nano_usd", "attempt", "prompt_version"] as const),
  ...(["request_hash", "estimated"] as const),
];

/** All columns of an entry. */
export const COLUMNS: readonly (keyof Row)[] = [
  ...OPEN_COLUMNS,
  "duration_ms",
  "stop_reason",
  "wasted",
  "calls",
];

/** A statement that writes rows of these columns. */
export function insertInto(table: string, columns: readonly string[]): string {
  return `insert into ${table} (${columns.join(", ")}) values (${columns.map((name) => `@${name}`).join(", ")})`;
}

/** The row of an open call, whose cost is a guess until the provider has spoken. */
export function toOpenRow(call: OpenCall, costNanoUsd: number | null): OpenRow {
  return {
    id: call.id,
    at: call.at,
    ...call.repository,
    requirement: call.requirement,
    run: call.run,
    phase: call.phase,
    task: call.task,
    agent: call.agent,
    call_type: call.callType,
    provider: call.provider,
    model: call.model,
    input: call.usage.input,
    cache_read: call.usage.cacheRead,
    cache_write: call.usage.cacheWrite,
    output: call.usage.output,
    cost_nano_usd: costNanoUsd,
    input_price_nano_usd: call.inputPriceNanoUsd,
    attempt: call.attempt,
    prompt_version: call.promptVersion,
    request_hash: call.requestHash ?? null,
    estimated: 1,
  };
}

/** The row of an entry. */
export function toRow(entry: LedgerEntry): Row {
  return {
    ...toOpenRow(entry, entry.costNanoUsd),
    estimated: entry.isEstimate ? 1 : 0,
    duration_ms: Math.round(entry.durationMs),
    stop_reason: entry.stopReason,
    wasted: entry.wasted ? 1 : 0,
    calls: entry.calls ?? 1,
  };
}

/** The entry of a row; what says nothing is left out. */
export function fromRow(row: Row): LedgerEntry {
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
    ...(row.request_hash === null ? {} : { requestHash: row.request_hash }),
    ...(row.calls === 1 ? {} : { calls: row.calls }),
    ...(row.estimated === 1 ? { isEstimate: true } : {}),
  };
}
