import type { ServerResponse } from "node:http";
import { estimateTokens } from "../../shared/index.js";
import type { Answer, AnswerBlock } from "./choose.js";
import type { BrokenStream } from "./fault.js";
import type { InputUsage } from "./prompt-cache.js";

const CHUNK_LENGTH = 40;

/** An answer with all that goes around it in the API. */
export interface Envelope {
  id: string;
  model: string;
  answer: Answer;
  usage: InputUsage;
}

type StreamEvent = { type: string } & Record<string, unknown>;

function contentOf(block: AnswerBlock): string {
  if (block.type === "text") return block.text;
  return block.type === "thinking" ? block.thinking : block.json;
}

/** Output tokens of an answer, by the same estimate as its input. */
function outputTokens(answer: Answer): number {
  return Math.max(1, estimateTokens(answer.content.map(contentOf).join("")));
}

function usageOf({ usage, answer }: Envelope, output: number): Record<string, unknown> {
  return {
    ...usage,
    cache_creation: {
      ephemeral_5m_input_tokens: usage.cache_creation_input_tokens,
      ephemeral_1h_input_tokens: 0,
    },
    output_tokens: Math.min(output, outputTokens(answer)),
    output_tokens_details: null,
    server_tool_use: null,
    service_tier: "standard",
    inference_geo: null,
    speed: null,
  };
}

/** The answer as one JSON message. */
export function messageOf(envelope: Envelope): Record<string, unknown> {
  const { id, model, answer } = envelope;
  return {
    id,
    type: "message",
    role: "assistant",
    model,
    content: answer.content.map((block) => {
      if (block.type !== "tool_use") return block;
      return { type: "tool_use", id: block.id, name: block.name, input: block.input };
    }),
    stop_reason: answer.stopReason,
    stop_sequence: null,
    stop_details: null,
    container: null,
    usage: usageOf(envelope, Infinity),
  };
}

function* blockEvents(index: number, block: AnswerBlock): Generator<StreamEvent> {
  const start =
    block.type === "text"
      ? { type: "text", text: "", citations: null }
      : block.type === "thinking"
        ? { type: "thinking", thinking: "", signature: "" }
        : { type: "tool_use", id: block.id, name: block.name, input: {} };
  yield { type: "content_block_start", index, content_block: start };
  const text = contentOf(block);
  for (let from = 0; from < text.length; from += CHUNK_LENGTH) {
    const part = text.slice(from, from + CHUNK_LENGTH);
    const delta =
      block.type === "text"
        ? { type: "text_delta", text: part }
        : block.type === "thinking"
          ? { type: "thinking_delta", thinking: part }
          : { type: "input_json_delta", partial_json: part };
    yield { type: "content_block_delta", index, delta };
  }
  if (block.type === "thinking") {
    const delta = { type: "signature_delta", signature: block.signature };
    yield { type: "content_block_delta", index, delta };
  }
  yield { type: "content_block_stop", index };
}

function* eventsOf(envelope: Envelope): Generator<StreamEvent> {
  const message = { ...messageOf(envelope), content: [], stop_reason: null, usage: usageOf(envelope, 1) };
  yield { type: "message_start", message };
  yield { type: "ping" };
  for (const [index, block] of envelope.answer.content.entries()) yield* blockEvents(index, block);
  const delta = {
    stop_reason: envelope.answer.stopReason,
    stop_sequence: null,
    stop_details: null,
    container: null,
  };
  yield { type: "message_delta", delta, usage: usageOf(envelope, Infinity) };
  yield { type: "message_stop" };
}

/** Streams an answer as server-sent events, or as much of it as the fault leaves. */
export async function streamAnswer(
  response: ServerResponse,
  envelope: Envelope,
  fault: BrokenStream | null,
): Promise<void> {
  const send = (event: StreamEvent) =>
    new Promise<void>((sent) =>
      response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`, () => sent()),
    );
  let count = 0;
  for (const event of eventsOf(envelope)) {
    if (fault !== null && count++ >= fault.afterEvents) break;
    await send(event);
  }
  if (fault?.how === "stall") return;
  if (fault?.how === "drop") {
    response.destroy();
    return;
  }
  if (fault?.how === "error") {
    const type = fault.errorType ?? "overloaded_error";
    await send({ type: "error", error: { type, message: "injected by the test" } });
  }
  response.end();
}
