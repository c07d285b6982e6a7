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
