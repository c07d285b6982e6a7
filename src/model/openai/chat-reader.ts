import { estimateTokens } from "../../shared/index.js";
import type { Usage } from "../../ledger/index.js";
import { parseArguments } from "../arguments.js";
import type { StreamReader } from "../attempt.js";
import type { Call, Reply } from "../provider.js";
import type { ProviderOptions } from "../provider-options.js";
import type { Block, ToolCall, ToolUseBlock } from "../types.js";
import { createCallDrafts, type CallDraft } from "./call-drafts.js";
import { usageOf, type Chunk } from "./chunk.js";

const CALL_ID = /^[a-zA-Z0-9_-]{1,64}$/;
const MAX_NAME = 64;
const UNNAMED = "unnamed";
const STOP_REASONS: Readonly<Record<string, string>> = {
  stop: "end_turn",
  tool_calls: "tool_use",
  function_call: "tool_use",
  length: "max_tokens",
  content_filter: "refusal",
};

/** What the stream says: a chunk, or that it is complete. */
export type ChatEvent = Chunk | "done";

function stopReasonOf(finish: string, calls: readonly ToolCall[]): string {
  const reason = STOP_REASONS[finish] ?? finish;
  // Some endpoints end a turn with calls by `stop`, or one without any by `tool_calls`.
  if (reason === "end_turn" && calls.length > 0) return "tool_use";
  return reason === "tool_use" && calls.length === 0 ? "end_turn" : reason;
}

/** Gives each call an id that no other call of the conversation has, because some endpoints start to count again in each turn. */
function toCalls(drafts: readonly CallDraft[], taken: Set<string>, newId: () => string): ToolCall[] {
  return drafts.map(({ id, name, json }) => {
    const own = CALL_ID.test(id) && !taken.has(id) ? id : `call_${newId()}`;
    taken.add(own);
    const { input, problem } = parseArguments(json);
    // A name that was made up goes back with the history, and no API takes every character in it.
    const called = name.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, MAX_NAME);
    if (called !== "") return { id: own, name: called, input, problem };
    return { id: own, name: UNNAMED, input, problem: problem ?? `The call has no name. Received: ${json}` };
  });
}

function idsOf({ request }: Call): Set<string> {
  const blocks = request.messages.flatMap(({ content }) => content);
  return new Set(blocks.flatMap((block) => (block.type === "tool_use" ? [block.id] : [])));
}

/** Collects one streamed chat completion. An endpoint that never tells the usage is booked by estimate. */
export function createChatReader(
  call: Call,
  reasoningField: ProviderOptions["reasoning_field"],
  newId: () => string,
): StreamReader<ChatEvent> {
  const drafts = createCallDrafts();
  let text = "";
  let thinking = "";
  let refusal = "";
  let finish: string | null = null;
  let isDone = false;
  let told: Usage | null = null;

  const written = () => [thinking, text, refusal, ...drafts.all().map(({ json }) => json)].join("");
  const estimated = (): Usage => {
    const known = told ?? { input: call.promptTokens, cacheRead: 0, cacheWrite: 0, output: 0 };
    return { ...known, output: Math.max(known.output, estimateTokens(written())) };
  };

  const reply = (reason: string): Reply => {
    const calls = toCalls(drafts.all(), idsOf(call), newId);
    const uses = calls.map(({ id, name, input }): ToolUseBlock => ({ type: "tool_use", id, name, input }));
    const content: Block[] = [
      ...(thinking.trim() === "" ? [] : [{ type: "thinking" as const, thinking, signature: "" }]),
      ...(text.trim() === "" ? [] : [{ type: "text" as const, text }]),
      ...uses,
    ];
    const stopReason = refusal === "" ? stopReasonOf(reason, calls) : "refusal";
    return { content, calls, stopReason, usage: told ?? estimated() };
  };

  return {
    take(event) {
      if (event === "done") {
        isDone = true;
        return;
      }
      if (event.usage) told = usageOf(event.usage);
      const [choice] = event.choices ?? [];
      const delta = choice?.delta ?? choice?.message;
      text += delta?.content ?? "";
      refusal += delta?.refusal ?? "";
      if (reasoningField !== "none") thinking += delta?.[reasoningField] ?? "";
      for (const part of delta?.tool_calls ?? []) drafts.take(part);
      finish = choice?.finish_reason ?? finish;
    },
    reply: () => (finish === null && !isDone ? null : reply(finish ?? "stop")),
    told: () => told,
    usageSoFar: () => (told === null && written() === "" ? null : estimated()),
  };
}
