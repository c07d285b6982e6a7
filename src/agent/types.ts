import type { z } from "zod";
import type { Clock } from "../shared/index.js";
import type { Attribution } from "../ledger/index.js";
import type { Model, Tier } from "../model/index.js";
import type { Registry, ToolContext } from "../tools/index.js";
import type { AgentTexts } from "./texts.js";

/** Every way in which an agent can end. Only `GOAL` is a success. */
export const END_REASONS = [
  "GOAL",
  "MAX_TURNS",
  "TIMEOUT",
  "ABORTED",
  "BUDGET",
  "LOOP",
  "NO_COMPLETE_TASK",
  "REFUSED",
  "OVERFLOW",
  "ERROR",
] as const;

/** How an agent ended. */
export type EndReason = (typeof END_REASONS)[number];

/** When a conversation is condensed: at a share of the window or a number of tokens, whichever is smaller; `keep` is the newest share that stays. */
export interface Compression {
  at: number;
  atTokens: number;
  keep: number;
}

/** What became of an attempt to condense a conversation. All but `COMPRESSED` leave it as it was. */
export const COMPRESSION_STATUSES = ["COMPRESSED", "NOOP", "INFLATED", "EMPTY", "NO_PROGRESS"] as const;

/** One of {@link COMPRESSION_STATUSES}. */
export type CompressionStatus = (typeof COMPRESSION_STATUSES)[number];

/** One agent's job. */
export interface AgentSpec<Output> {
  tier: Tier;
  /** System prompt: byte-stable within the run. */
  system: string;
  /** First user message: the task with its context. It stays verbatim whatever happens. */
  task: string;
  /** What `complete_task` must deliver: the schema of an object. */
  output: z.ZodType<Output>;
  /** Allow-list of tools. */
  tools: readonly string[];
  /** A subagent is never offered another agent as a tool. */
  isSubagent: boolean;
  maxTurns: number;
  maxMs: number;
  maxOutputTokens: number;
  compression: Compression;
  attribution: Attribution;
  context: ToolContext;
  /** JSONL file that the transcript is appended to, turn by turn. */
  transcript: string;
  /** Goes on where the transcript of the same task broke off, instead of beginning anew. */
  resume: boolean;
}

/** The one stream of events that progress display and log read. */
export type AgentEvent =
  | { type: "turn"; turn: number; maxTurns: number }
  | { type: "tool"; turn: number; name: string; summary: string }
  | { type: "tool-result"; turn: number; name: string; isError: boolean }
  | { type: "compressed"; turn: number; status: CompressionStatus; before: number; after: number };

/** An agent's end. `recovered` marks an output that only the grace turn brought: it is never a success. */
export interface AgentEnd<Output> {
  reason: EndReason;
  output: Output | null;
  recovered: boolean;
  /** Without the grace turn. */
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
  texts: AgentTexts;
  onEvent(event: AgentEvent): void;
  /** Asked before each model call: a reason to stop, or null. `final` is the agent's last answer, which a reserve is kept for. */
  budget: { reached(purpose: "work" | "final"): string | null };
}
