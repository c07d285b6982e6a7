import type { z } from "zod";
import type { Usage } from "../ledger/index.js";
import type { Failure } from "./failure.js";
import type { Block, ModelRequest, ToolCall } from "./types.js";

/** One question as a provider gets it. */
export interface Call {
  request: ModelRequest;
  /** The model's name at the provider. */
  model: string;
  maxTokens: number;
  /** Our estimate of the prompt, for what was sent and never accounted for by the provider. */
  promptTokens: number;
  /** What the whole answer has to fit, as JSON; null: text and tool calls. */
  schema: z.ZodType | null;
}

/** A complete answer. */
export interface Reply {
  content: Block[];
  calls: ToolCall[];
  stopReason: string;
  usage: Usage;
}

/** What an attempt cost that brought no answer; `usage` is null when it certainly cost nothing. */
interface Lost {
  usage: Usage | null;
  /** True when the provider had said nothing of it yet. */
  isGuess: boolean;
}

/** How one attempt ended. */
export type Attempt =
  | { kind: "answered"; reply: Reply }
  | ({ kind: "cancelled" } & Lost)
  | ({ kind: "failed"; failure: Failure } & Lost);

/** Called when the provider has told what the input used. */
export type OnInput = (usage: Usage) => void;

/** A kind of API that models are asked through. */
export interface Provider {
  /** Asks exactly once. Contract: does not reject for anything that the provider or the connection does. */
  attempt(call: Call, onInput: OnInput, signal: AbortSignal): Promise<Attempt>;
}
