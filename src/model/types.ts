import type { Attribution, Usage } from "../ledger/index.js";
import type { z } from "zod";

/** The three tiers that `.github/agent.yml` maps to models. */
export type Tier = "planner" | "executor" | "validator";

export interface TextBlock {
  type: "text";
  text: string;
}
export interface ThinkingBlock {
  type: "thinking";
  thinking: string;
  /** Empty when the provider signs nothing. */
  signature: string;
}
/** Thinking that the provider encrypted; it is sent back unchanged. */
export interface RedactedThinkingBlock {
  type: "redacted_thinking";
  data: string;
}
export interface ToolUseBlock {
  type: "tool_use";
  id: string;
  name: string;
  input: Record<string, unknown>;
}
export interface ToolResultBlock {
  type: "tool_result";
  tool_use_id: string;
  content: string;
  is_error?: boolean;
}
/** Anthropic's content blocks are the one internal currency; other providers are converted at the edge. */
export type Block = TextBlock | ThinkingBlock | RedactedThinkingBlock | ToolUseBlock | ToolResultBlock;

export interface Message {
  role: "user" | "assistant";
  content: Block[];
  /** Who wrote an assistant message, as {@link ModelTurn.model} says it: no other model is sent its thinking. */
  model?: string;
}

/** A tool as the model sees it. */
export interface ToolSpec {
  name: string;
  description: string;
  /** JSON Schema of an object. */
  inputSchema: Record<string, unknown>;
}

/** One question to a model. */
export interface ModelRequest {
  tier: Tier;
  system: string;
  /** Sorted by name, so that the prefix stays the same from turn to turn. */
  tools: ToolSpec[];
  messages: Message[];
  maxOutputTokens: number;
  attribution: Attribution;
  /**
   * Called right before each request is sent, retries included, in one step with its being booked as open: what it throws
   * is what the call rejects with. So callers side by side cannot all take the last of a budget.
   */
  admit?(): void;
}

/** A tool call asked for; `problem` says why its arguments cannot be used (broken JSON, not an object). */
export interface ToolCall {
  id: string;
  name: string;
  input: Record<string, unknown>;
  problem: string | null;
}

/** The answer to one request. */
export interface ModelTurn {
  /** Without blank text blocks; may be empty. */
  content: Block[];
  calls: ToolCall[];
  /** `end_turn`, `tool_use`, `max_tokens`, `refusal`, `pause_turn`, `model_context_window_exceeded`, or one not known yet. */
  stopReason: string;
  usage: Usage;
  /** Who answered, without the provider: the tier's first model, or one of its fallbacks. */
  model: string;
  costNanoUsd: number | null;
}

/** An answer that had to fit a schema. */
export interface ModelAnswer<Output> {
  /** Null when neither the first nor the second try fitted. */
  output: Output | null;
  /** Why there is no output; null when there is one. */
  problem: string | null;
  /** Of the last try. */
  stopReason: string;
  model: string;
  /** Of both tries together. */
  usage: Usage;
  costNanoUsd: number | null;
}

/**
 * The one door to a model. Contract: rejects with the signal's reason, or with an AccrueError: `MODEL_KEY_MISSING`,
 * `CONFIG_INVALID` (a model without a price), `MODEL_OVERFLOW` (the request does not fit the model), `MODEL_FAILED` (the
 * rest; `retryable` where it is).
 */
export interface Model {
  ask(request: ModelRequest, signal: AbortSignal): Promise<ModelTurn>;
  /** Asks for one JSON document and nothing else. Contract: the schema can be written as JSON Schema. */
  answer<Output>(
    request: Omit<ModelRequest, "tools">,
    schema: z.ZodType<Output>,
    signal: AbortSignal,
  ): Promise<ModelAnswer<Output>>;
  /** Throws `CONFIG_INVALID` for a model of any tier that could not be asked, such as one without a price. */
  check(): void;
  /** What the first model of a tier holds; null when its data is unknown. */
  window(tier: Tier): ModelWindow | null;
}

/** How much fits into a model, in tokens. */
export interface ModelWindow {
  /** Prompt and answer together. */
  context: number;
  maxOutput: number;
  /** Largest prompt before the price of the whole request rises; null when it never does. */
  cheapUpTo: number | null;
}
