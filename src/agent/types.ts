import type { z } from "zod";
import type { Clock } from "../shared/index.js";
import type { Attribution } from "../ledger/index.js";
import type { Model, Tier } from "../model/index.js";
import type { Registry, ToolContext } from "../tools/index.js";

/** How an agent ended. Only `GOAL` is a success. */
export type EndReason =
  | "GOAL"
  | "MAX_TURNS"
  | "TIMEOUT"
  | "ABORTED"
  | "BUDGET"
  | "LOOP"
  | "NO_COMPLETE_TASK"
  | "REFUSED"
  | "OVERFLOW"
  | "ERROR";

/** One agent's job. */
export interface AgentSpec<Output> {
  tier: Tier;
  /** System prompt: byte-stable within the run. */
  system: string;
  /** First user message: the task with its context. */
  task: string;
  /** What `complete_task` must deliver: the schema of an object. */
  output: z.ZodType<Output>;
  /** Allow-list of tools. */
  tools: readonly string[];
  maxTurns: number;
  maxMs: number;
  maxOutputTokens: number;
  attribution: Attribution;
  context: ToolContext;
  /** JSONL file that the transcript is appended to, turn by turn. */
  transcript: string;
}

/** The one stream of events that progress display and log read. */
export type AgentEvent =
  | { type: "turn"; turn: number; maxTurns: number }
  | { type: "tool"; turn: number; name: string; summary: string }
  | { type: "tool-result"; turn: number; name: string; isError: boolean };

/** An agent's end. `recovered` marks an output that only the grace turn brought: it is never a success. */
export interface AgentEnd<Output> {
  reason: EndReason;
  output: Output | null;
  recovered: boolean;
  turns: number;
  /** For people: what went wrong, empty on GOAL. */
  message: string;
}

/** What an agent needs from outside. */
export interface AgentDeps {
  model: Model;
  /** All tools; the agent sees those of its spec, and `complete_task`. */
  registry: Registry;
  clock: Clock;
  onEvent(event: AgentEvent): void;
  /** Asked before each model call: a reason to stop because of the budget, or null. */
  limit(): string | null;
}
