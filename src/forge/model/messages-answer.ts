import type { AnswerBlock } from "./choose.js";
import {
  contentOf,
  outputTokens,
  writtenIn,
  type Dialect,
  type Envelope,
  type StreamPart,
} from "./dialect.js";
import { refuseIllegal } from "./refusals.js";
import { parseRequest } from "./request.js";

const CHUNK_LENGTH = 40;

type StreamEvent = { type: string } & Record<string, unknown>;

function usageOf({ usage, answer }: Envelope, output: number): Record<string, unknown> {
  return {
    ...usage,
    cache_creation: {
      ephemeral_5m_input_tokens: usage.cache_creation_input_tokens,
      ephemeral_1h_input_tokens: 0,
    },
    output_tokens: Math.min(output, outputTokens(writtenIn(answer))),
    output_tokens_details: null,
    server_tool_use: null,
    service_tier: "standard",
    inference_geo: null,
    speed: null,
  };
}

function messageOf(envelope: Envelope): Record<string, unknown> {
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

function toPart(event: StreamEvent, written = ""): StreamPart {
  return { wire: `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`, written };
}

function* blockParts(index: number, block: AnswerBlock): Generator<StreamPart> {
  const start =
    block.type === "text"
      ? { type: "text", text: "", citations: null }
      : block.type === "thinking"
        ? { type: "thinking", thinking: "", signature: "" }
        : { type: "tool_use", id: block.id, name: block.name, input: {} };
  yield toPart({ type: "content_block_start", index, content_block: start });
  const text = contentOf(block);
  for (let from = 0; from < text.length; from += CHUNK_LENGTH) {
    const part = text.slice(from, from + CHUNK_LENGTH);
    const delta =
      block.type === "text"
        ? { type: "text_delta", text: part }
        : block.type === "thinking"
          ? { type: "thinking_delta", thinking: part }
          : { type: "input_json_delta", partial_json: part };
    yield toPart({ type: "content_block_delta", index, delta }, part);
  }
  if (block.type === "thinking") {
    const delta = { type: "signature_delta", signature: block.signature };
    yield toPart({ type: "content_block_delta", index, delta });
  }
  yield toPart({ type: "content_block_stop", index });
}

function* partsOf(envelope: Envelope): Generator<StreamPart> {
  const message = { ...messageOf(envelope), content: [], stop_reason: null, usage: usageOf(envelope, 1) };
  yield toPart({ type: "message_start", message });
  yield toPart({ type: "ping" });
  for (const [index, block] of envelope.answer.content.entries()) yield* blockParts(index, block);
  const delta = {
    stop_reason: envelope.answer.stopReason,
    stop_sequence: null,
    stop_details: null,
    container: null,
  };
  yield toPart({ type: "message_delta", delta, usage: usageOf(envelope, Infinity) });
  yield toPart({ type: "message_stop" });
}

/** Anthropic's Messages API. */
export const MESSAGES: Dialect = {
  read(body) {
    const request = parseRequest(body);
    refuseIllegal(request);
    return { request, tellsUsage: true, wantsText: request.output_config?.format != null };
  },
  whole: messageOf,
  stream: partsOf,
  brokenOff: ({ errorType = "overloaded_error" }) =>
    toPart({ type: "error", error: { type: errorType, message: "injected by the test" } }).wire,
};
