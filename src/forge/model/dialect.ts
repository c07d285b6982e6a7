import { estimateTokens } from "../../shared/index.js";
import type { Answer, AnswerBlock } from "./choose.js";
import type { BrokenStream } from "./fault.js";
import type { InputUsage } from "./prompt-cache.js";
import type { MessagesRequest } from "./request.js";

/** An answer with all that goes around it in an API. */
export interface Envelope {
  id: string;
  model: string;
  answer: Answer;
  usage: InputUsage;
  /** Whether the usage of a stream was asked for, where that has to be asked. */
  tellsUsage: boolean;
}

/** A piece of a stream: its data as sent, and what of the answer is in it. */
export interface StreamPart {
  wire: string;
  written: string;
}

/** A legal request, in the shape in which scenarios are matched. */
export interface Read {
  request: MessagesRequest;
  tellsUsage: boolean;
  /** True when the answer has to be text, because its format was asked for. */
  wantsText: boolean;
}

/** How one API words requests, answers and errors. */
export interface Dialect {
  /** Refuses with `ApiError` what the API refuses. */
  read(body: unknown): Read;
  whole(envelope: Envelope): Record<string, unknown>;
  stream(envelope: Envelope): Iterable<StreamPart>;
  /** The error that breaks a stream off. */
  brokenOff(fault: BrokenStream): string;
}

/** What the model writes in a block. */
export function contentOf(block: AnswerBlock): string {
  if (block.type === "text") return block.text;
  return block.type === "thinking" ? block.thinking : block.json;
}

/** Output tokens of what was written, by the same estimate as the input. */
export function outputTokens(written: string): number {
  return Math.max(1, estimateTokens(written));
}

/** All that the model writes in an answer. */
export function writtenIn(answer: Answer): string {
  return answer.content.map(contentOf).join("");
}
