import type Anthropic from "@anthropic-ai/sdk";
import { estimateTokens } from "../../shared/index.js";
import type { Usage } from "../../ledger/index.js";
import { parseArguments } from "../arguments.js";
import type { StreamReader } from "../attempt.js";
import type { Block, ToolCall } from "../types.js";

type Draft = { block: Block; json: string };

/** Null for the blocks of server-side tools, none of which is ever offered. */
function draftOf(block: Anthropic.RawContentBlockStartEvent["content_block"]): Draft | null {
  if (block.type === "text") return { block: { type: "text", text: block.text }, json: "" };
  if (block.type === "thinking") {
    return { block: { type: "thinking", thinking: block.thinking, signature: block.signature }, json: "" };
  }
  if (block.type === "redacted_thinking") {
    return { block: { type: "redacted_thinking", data: block.data }, json: "" };
  }
  if (block.type === "tool_use") {
    return { block: { type: "tool_use", id: block.id, name: block.name, input: {} }, json: "" };
  }
  return null;
}

function append(draft: Draft, delta: Anthropic.RawContentBlockDelta): void {
  const { block } = draft;
  if (delta.type === "text_delta" && block.type === "text") block.text += delta.text;
  else if (delta.type === "input_json_delta") draft.json += delta.partial_json;
  else if (block.type === "thinking") {
    if (delta.type === "thinking_delta") block.thinking += delta.thinking;
    if (delta.type === "signature_delta") block.signature = delta.signature;
  }
}

function finish(drafts: readonly Draft[]): { content: Block[]; calls: ToolCall[] } {
  const content: Block[] = [];
  const calls: ToolCall[] = [];
  for (const { block, json } of drafts) {
    if (block.type === "text" && block.text.trim() === "") continue;
    if (block.type === "tool_use") {
      const { input, problem } = parseArguments(json);
      block.input = input;
      calls.push({ id: block.id, name: block.name, input, problem });
    }
    content.push(block);
  }
  return { content, calls };
}

/** Text that the provider has generated, for estimating what a broken answer cost. */
function written({ block, json }: Draft): string {
  if (block.type === "text") return block.text;
  return block.type === "thinking" ? block.thinking : json;
}

/**
 * Reads the raw event stream. The JSON of tool calls stays text until the end, so that broken JSON can be shown to the model.
 */
export function createStreamReader(): StreamReader<Anthropic.RawMessageStreamEvent> {
  const drafts = new Map<number, Draft>();
  let usage: Usage | null = null;
  let stopReason: string | null = null;

  const inOrder = () => [...drafts].sort(([a], [b]) => a - b).map(([, draft]) => draft);
  const takeUsage = (reported: Anthropic.MessageDeltaUsage | Anthropic.Usage) => {
    usage = {
      input: reported.input_tokens ?? usage?.input ?? 0,
      cacheRead: reported.cache_read_input_tokens ?? usage?.cacheRead ?? 0,
      cacheWrite: reported.cache_creation_input_tokens ?? usage?.cacheWrite ?? 0,
      output: reported.output_tokens ?? usage?.output ?? 0,
    };
  };

  return {
    take(event) {
      if (event.type === "message_start") takeUsage(event.message.usage);
      else if (event.type === "content_block_start") {
        const draft = draftOf(event.content_block);
        if (draft) drafts.set(event.index, draft);
      } else if (event.type === "content_block_delta") {
        const draft = drafts.get(event.index);
        if (draft) append(draft, event.delta);
      } else if (event.type === "message_delta") {
        stopReason = event.delta.stop_reason ?? stopReason;
        takeUsage(event.usage);
      }
    },
    reply: () => (stopReason === null || usage === null ? null : { ...finish(inOrder()), stopReason, usage }),
    told: () => usage,
    usageSoFar() {
      if (usage === null) return null;
      // The count at the start of a stream says 1; what arrived was billed all the same.
      return { ...usage, output: Math.max(usage.output, estimateTokens(inOrder().map(written).join(""))) };
    },
  };
}
