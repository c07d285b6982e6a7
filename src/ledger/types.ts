import type { RepositoryRef } from "../shared/index.js";

/** Tokens of one model call in the four classes that providers bill apart; `input` is uncached input only. */
export interface Usage {
  input: number;
  cacheRead: number;
  cacheWrite: number;
  output: number;
}

/** What a model call was for. */
export type CallType = "plan" | "generate" | "validate" | "compress";

/** Whom a model call is charged to. */
export interface Attribution {
  repository: RepositoryRef;
  requirement: string;
  run: string;
  phase: string;
  task: string;
  /** Path of agents, such as `implementation-executor` or `design-manager/codebase-investigator`. */
  agent: string;
  callType: CallType;
}

/** One model call, as the ledger keeps it. */
export interface LedgerEntry extends Attribution {
  /** ULID, unique: recording the same entry twice changes nothing. */
  id: string;
  /** ISO 8601. */
  at: string;
  provider: string;
  model: string;
  usage: Usage;
  /** Billionths of a US dollar, an exact integer; null when the model's price is unknown. */
  costNanoUsd: number | null;
  /** Price of one uncached input token of that model in nano-dollars, for weighted tokens; null when unknown. */
  inputPriceNanoUsd: number | null;
  durationMs: number;
  stopReason: string;
  /** 1 for the first try of a turn. */
  attempt: number;
  /** Short hash of the system prompt. */
  promptVersion: string;
  /** True when the answer was not used: a failed or repeated try. */
  wasted: boolean;
}

/** A model call that has begun: what is known of it before its answer. `usage` is an estimate until the provider reports. */
export type OpenCall = Omit<LedgerEntry, "costNanoUsd" | "durationMs" | "stopReason" | "wasted">;

/** What the one door to the models reports to. Contract: synchronous, and on disk when it returns. */
export interface CallRecorder {
  /** Before the request is sent. */
  begin(call: OpenCall): void;
  /** When the provider has said what the input used. */
  progress(id: string, usage: Usage, costNanoUsd: number | null): void;
  /** When the call has ended; recording an id again changes nothing. */
  record(entry: LedgerEntry): void;
}

/** Which entries are meant; a part that is left out does not narrow. */
export interface EntryFilter {
  repository?: RepositoryRef;
  requirement?: string;
  run?: string;
  task?: string;
  phase?: string;
  /** A day in UTC, `yyyy-mm-dd`. */
  day?: string;
}

/** Sums over some entries. */
export interface Totals {
  calls: number;
  input: number;
  cacheRead: number;
  cacheWrite: number;
  output: number;
  /** Rounded to whole tokens. */
  weightedTokens: number;
  /** Of the calls whose price is known; exact. */
  costNanoUsd: number;
  /** Calls whose price is unknown: they cost something that is not in the sum. */
  unpricedCalls: number;
  wastedCalls: number;
}

/** Totals of the entries that have the same task, type, model, day, phase or requirement. */
export interface Group extends Totals {
  key: string;
}

/** What a report can be grouped by. */
export type GroupBy = "task" | "type" | "model" | "day" | "phase" | "requirement";

/** Spending that stands out, by name. */
export interface Anomaly {
  name: string;
  message: string;
}

/** Where the tokens went. */
export interface Report {
  /** Oldest first. */
  entries: LedgerEntry[];
  totals: Totals;
  /** In the order in which they first appear. */
  groups: Group[];
  anomalies: Anomaly[];
}

/** What a requirement has cost. Its phases and `wasted` add up exactly to `totals`. */
export interface Bill {
  requirement: string;
  totals: Totals;
  /** Calls whose answer was used, by phase. */
  phases: Group[];
  /** Calls whose answer was not used; null when there were none. */
  wasted: Totals | null;
  models: Group[];
  tasks: Group[];
  days: Group[];
}

/** One row of a run's costs, as a requirement's events keep it. Millionths of a US dollar, at most three decimals. */
export interface RunCost {
  phase: string;
  call_type: string;
  model: string;
  calls: number;
  input: number;
  cache_read: number;
  cache_write: number;
  output: number;
  /** Null when the price of one of the calls is unknown. */
  micro_usd: number | null;
}

/** Keeps one entry per model call, and adds them up. Contract: throws `DATABASE_FAILED`. */
export interface Ledger extends CallRecorder {
  /** Oldest first. */
  entries(filter: EntryFilter): LedgerEntry[];
  /** A requirement's id is unique in its repository only, so both are needed. */
  bill(of: { repository: RepositoryRef; requirement: string }): Bill;
  report(options: EntryFilter & { by: GroupBy }): Report;
  costRows(run: string): RunCost[];
  /** What budgets are compared with: exact nano-dollars of the calls whose price is known. */
  spentNanoUsd(filter: EntryFilter): number;
}
