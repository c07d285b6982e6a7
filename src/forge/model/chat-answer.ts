import type { AnswerBlock } from "./choose.js";
import {
  contentOf,
  outputTokens,
  writtenIn,
  type Dialect,
  type Envelope,
  type StreamPart,
} from "./dialect.js";
import { readChat } from "./read-chat.js";

const CHUNK_LENGTH = 40;
const FINISH_REASONS: Readonly<Record<string, string>> = {
  end_turn: "stop",
  tool_use: "tool_calls",
  max_tokens: "length",
  refusal: "content_filter",
};

function finishOf({ answer }: Envelope): string {
  return FINISH_REASONS[answer.stopReason] ?? answer.stopReason;
}

/** `prompt_tokens` holds what was read from the cache as well. */
function usageOf({ usage, answer }: Envelope): Record<string, unknown> {
  const { input_tokens, cache_read_input_tokens, cache_creation_input_tokens } = usage;
  const prompt = input_tokens + cache_read_input_tokens + cache_creation_input_tokens;
  const completion = outputTokens(writtenIn(answer));
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: cache_read_input_tokens },
  };
}

function ofType(envelope: Envelope, type: "text" | "thinking"): string | null {
  const blocks = envelope.answer.content.filter((block) => block.type === type);
  return blocks.length === 0 ? null : blocks.map(contentOf).join("");
}

function wholeOf(envelope: Envelope): Record<string, unknown> {
  const calls = envelope.answer.content.flatMap((block) => {
    if (block.type !== "tool_use") return [];
    return [{ id: block.id, type: "function", function: { name: block.name, arguments: block.json } }];
  });
  const thinking = ofType(envelope, "thinking");
  const message = {
    role: "assistant",
    content: ofType(envelope, "text"),
    refusal: null,
    ...(thinking !== null && { reasoning_content: thinking }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  return {
    id: envelope.id,
    object: "chat.completion",
    created: 0,
    model: envelope.model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishOf(envelope) }],
    usage: usageOf(envelope),
  };
}

function* deltasOf(block: AnswerBlock, index: number): Generator<{ delta: unknown; written: string }> {
  if (block.type === "tool_use") {
    const begun = { index, id: block.id, type: "function", function: { name: block.name, arguments: "" } };
    yield { delta: { tool_calls: [begun] }, written: "" };
  }
  const text = contentOf(block);
  for (let from = 0; from < text.length; from += CHUNK_LENGTH) {
    const written = text.slice(from, from + CHUNK_LENGTH);
    const delta =
      block.type === "text"
        ? { content: written }
        : block.type === "thinking"
          ? { reasoning_content: written }
          : { tool_calls: [{ index, function: { arguments: written } }] };
    yield { delta, written };
  }
}

function* partsOf(envelope: Envelope): Generator<StreamPart> {
  const { id, model, answer, tellsUsage } = envelope;
  const about = { id, object: "chat.completion.chunk", created: 0, model };
  const toPart = (fields: Record<string, unknown>, written = ""): StreamPart => {
    return { wire: `data: ${JSON.stringify({ ...about, ...fields })}\n\n`, written };
  };
  const choice = (delta: unknown, finish: string | null) => {
    const choices = [{ index: 0, delta, finish_reason: finish }];
    return tellsUsage ? { choices, usage: null } : { choices };
  };
  yield toPart(choice({ role: "assistant", content: "" }, null));
  let calls = 0;
  for (const block of answer.content) {
    const index = block.type === "tool_use" ? calls++ : 0;
    for (const { delta, written } of deltasOf(block, index)) yield toPart(choice(delta, null), written);
  }
  yield toPart(choice({}, finishOf(envelope)));
  if (tellsUsage) yield toPart({ choices: [], usage: usageOf(envelope) });
  yield { wire: "data: [DONE]\n\n", written: "" };
}

/** OpenAI's chat completions. */
export const CHAT: Dialect = {
  read: readChat,
  whole: wholeOf,
  stream: partsOf,
  brokenOff: ({ errorType = "overloaded_error" }) =>
    `data: ${JSON.stringify({ error: { message: "injected by the test", type: errorType, code: null } })}\n\n`,
};
