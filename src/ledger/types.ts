import type { RepositoryRef } from "../shared/index.js";
import type { BudgetStore, RequirementRef } from "./budget-types.js";

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
  /** True when the answer was not used: a failed, stopped or interrupted try. */
  wasted: boolean;
  /** Same for two calls that asked exactly the same; left out when it is not known. */
  requestHash?: string;
  /** How many calls the entry stands for: more than one only for a sum that was read from git. Left out: one. */
  calls?: number;
  /** True when the call ended before the provider said what it used, so that `usage` is a guess. */
  isEstimate?: boolean;
}

/** A model call that has begun: what is known of it before its answer. `usage` is an estimate until the provider reports. */
export type OpenCall = Omit<
  LedgerEntry,
  "costNanoUsd" | "durationMs" | "stopReason" | "wasted" | "calls" | "isEstimate"
>;

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
  /** An agent's path: that agent and its subagents. */
  agent?: string;
  /** A day in UTC, `yyyy-mm-dd`. */
  day?: string;
  /** First day, in UTC. */
  since?: string;
  /** Last day, in UTC. */
  until?: string;
  /** Only what the provider told, or only guesses. */
  isEstimate?: boolean;
}

/** Sums over some entries. */
export interface Totals {
  /** Calls that were answered or used tokens: what the provider bills. */
  calls: number;
  /** All requests: the calls, and the tries that failed before a token was used. */
  attempts: number;
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
  /** Calls that broke off before the provider said what they used; none of the sums holds them. */
  estimatedCalls: number;
  /** What those cost, about. */
  estimatedNanoUsd: number;
}

/** Totals of the entries that have something in common, such as their task. */
export interface Group extends Totals {
  key: string;
}

/** What a report can be grouped by. */
export type GroupBy = "task" | "type" | "model" | "day" | "phase" | "requirement" | "agent";

/** Why spending was for nothing. */
export type WasteKind = "unanswered" | "failed" | "stopped" | "interrupted" | "discarded" | "repeated";

/** Spending that was for nothing, by kind. */
export interface Waste extends Totals {
  key: WasteKind;
}

/** Names of spending that stands out; docs/ledger.md says when each is reported. */
export type AnomalyName = "repetition" | "growing-context" | "overlong-output" | "dear-model" | "cache-miss";

/** Spending of one agent on one task that stands out. */
export interface Anomaly {
  name: AnomalyName;
  /** What, where, how much, what to do. */
  message: string;
  requirement: string;
  run: string;
  task: string;
  agent: string;
  /** About what could have been saved. */
  nanoUsd: number;
}

/** Where the tokens went. */
export interface Report {
  /** Oldest first. */
  entries: LedgerEntry[];
  totals: Totals;
  /** In the order in which they first appear. */
  groups: Group[];
  /** Dearest first. */
  anomalies: Anomaly[];
  /** Only kinds that there are. Discarded and repeated answers were used as far as the bill is concerned. */
  wasted: Waste[];
  uses: UseCount[];
  packs: PackSums;
  /** Tokens of rules and memories that agents were shown unasked. */
  knowledge: PhaseTokens[];
}

/** What a requirement has cost. Its phases and `wasted` add up exactly to `totals`. */
export interface Bill {
  requirement: string;
  totals: Totals;
  /** Calls whose answer was used, by phase. */
  phases: Group[];
  /** Calls whose answer was not used; null when there were none. */
  wasted: Totals | null;
  /** By kind; what was discarded or repeated is a part of the phases, not of `wasted`. */
  waste: Waste[];
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
  /** Null when the price is unknown. */
  micro_usd: number | null;
  /** At most three decimals; absent when the price is unknown. */
  weighted_tokens?: number;
  /** Present when the answers were not used. */
  wasted?: true;
}

/** What one event in git says that a run cost. */
export interface BookedRun {
  /** The event's id: what it says is taken over once. */
  id: string;
  repository: RepositoryRef;
  requirement: string;
  run: string;
  /** ISO 8601. */
  at: string;
  rows: readonly RunCost[];
}

/** One time that knowledge or a capability was used. */
export interface Use {
  kind: "skill" | "rule" | "note" | "command" | "agent";
  id: string;
  /** `learnt`: it was written down from this work. */
  how: "shown" | "read" | "activated" | "fired" | "learnt";
  repository: RepositoryRef;
  requirement: string;
  run: string;
  /** ISO 8601. */
  at: string;
}

/** How often something was used in one way. */
export interface UseCount extends Pick<Use, "kind" | "id" | "how"> {
  runs: number;
  /** May count a moment twice when a run was taken up again after a crash; `runs` never does. */
  times: number;
  lastAt: string;
}

/** What an earlier requirement of the same kind has cost, exactly, of the calls whose price is known. */
export interface SimilarRequirement {
  requirement: string;
  costNanoUsd: number;
}

/** One context pack that an agent was given, and what it asked for besides. */
export interface Pack extends Omit<Attribution, "callType"> {
  /** ISO 8601. */
  at: string;
  hash: string;
  /** Estimated. */
  tokens: number;
  /** Those of them that are rules and memories. */
  knowledgeTokens: number;
  /** Files of which the pack holds text. */
  files: number;
  /** Files that the agent opened or changed and that were there before. */
  asked: number;
  /** Those of them that the pack had no text of. */
  askedLater: number;
}

/** Packs added up: `askedLater` ÷ `asked` says how much they missed. */
export interface PackSums extends Omit<Pack, keyof Attribution | "at" | "hash"> {
  packs: number;
}

/** What agents of a phase were shown of what is known. */
export interface PhaseTokens {
  phase: string;
  tokens: number;
  packs: number;
}

/** Money and tokens, as budgets compare them. */
export interface Spent {
  /** Exact, of the calls whose price is known. */
  nanoUsd: number;
  weightedTokens: number;
}

/** Keeps one entry per model call, and adds them up. Contract: throws `DATABASE_FAILED`. */
export interface Ledger extends CallRecorder, BudgetStore {
  /** Oldest first. */
  entries(filter: EntryFilter): LedgerEntry[];
  /** A requirement's id is unique in its repository only, so both are needed. */
  bill(of: { repository: RepositoryRef; requirement: string }): Bill;
  report(options: EntryFilter & { by: GroupBy }): Report;
  costRows(run: string): RunCost[];
  /** What budgets are compared with: exact nano-dollars of the calls whose price is known and that have ended. */
  spentNanoUsd(filter: EntryFilter): number;
  /** The same with the calls that are going on, at what is known of them. Cheap: asked before every call. */
  spent(filter: EntryFilter): Spent;
  /**
   * Books the calls that began and never ended, because their process died, as wasted; says how many. Those of a question are
   * closed with its own run only. Contract: nobody is working on that run or requirement.
   */
  recover(of: { run: string } | { repository: RepositoryRef; requirement: string }): number;
  /** Takes over what git says of runs that the ledger has no calls of; the same again changes nothing. */
  import(runs: readonly BookedRun[]): { runs: number; entries: number };
  use(use: Use): void;
  /** Earlier requirements that share a note with this one, which was shown or learnt; the oldest first. */
  similar(of: RequirementRef): SimilarRequirement[];
  /** Keeps one pack per agent of a run's task; the same agent again replaces it. */
  keepPack(pack: Pack): void;
  packs(filter: EntryFilter): PackSums;
  /** In the order in which the phases began. */
  knowledgeByPhase(filter: EntryFilter): PhaseTokens[];
  /** Most used first. */
  uses(filter: Pick<EntryFilter, "repository" | "requirement" | "run">): UseCount[];
}
