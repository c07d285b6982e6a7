import type Anthropic from "@anthropic-ai/sdk";
import type { Call } from "../provider.js";
import { isForeignThinking, wellFormed } from "../sent.js";
import type { Block, Message } from "../types.js";

type Params = Omit<Anthropic.MessageCreateParamsStreaming, "stream">;
type WireBlock = Anthropic.TextBlockParam | Anthropic.ContentBlockParam;

const MARK = { type: "ephemeral" } as const;

/** Field by field, so that marks and fields of other origin never reach the wire. */
function wireBlock(block: Block): WireBlock {
  if (block.type === "text") return { type: "text", text: wellFormed(block.text) };
  if (block.type === "thinking") {
    return { type: "thinking", thinking: block.thinking, signature: block.signature };
  }
  if (block.type === "redacted_thinking") return { type: "redacted_thinking", data: block.data };
  if (block.type === "tool_use") {
    return { type: "tool_use", id: block.id, name: block.name, input: block.input };
  }
  return {
    type: "tool_result",
    tool_use_id: block.tool_use_id,
    content: wellFormed(block.content),
    ...(block.is_error === true && { is_error: true }),
  };
}

function canBeMarked(block: WireBlock): boolean {
  return block.type === "text" || block.type === "tool_result" || block.type === "tool_use";
}

/** Thinking goes back only to the model that wrote it and signed it; a message that held nothing else goes away. */
function sentMessages(messages: readonly Message[], model: string): Message[] {
  return messages
    .map((message) => ({
      ...message,
      content: message.content.filter(
        (block) =>
          !isForeignThinking(block, message, model) && !(block.type === "thinking" && block.signature === ""),
      ),
    }))
    .filter(({ content }) => content.length > 0);
}

/** Marks the end of the newest message and of the user message before it, where the last request's cache entry ends. */
function wireMessages(messages: readonly Message[]): Anthropic.MessageParam[] {
  const previousUser = messages.findLastIndex((m, i) => m.role === "user" && i < messages.length - 1);
  const marked = new Set([previousUser, messages.length - 1]);
  return messages.map(({ role, content }, index) => ({
    role,
    content: content.map((block, at) => {
      const wire = wireBlock(block);
      const mark = marked.has(index) && at === content.length - 1 && canBeMarked(wire);
      return (mark ? { ...wire, cache_control: MARK } : wire) as Anthropic.ContentBlockParam;
    }),
  }));
}

/** The request as Anthropic takes it, with at most four cache marks: last tool, system, and the two of the messages. */
export function toWire({ request, model, maxTokens }: Call): Params {
  const tools: Anthropic.Tool[] = request.tools.map((tool, index) => ({
    name: tool.name,
    description: tool.description,
    input_schema: tool.inputSchema as Anthropic.Tool.InputSchema,
    ...(index === request.tools.length - 1 && { cache_control: MARK }),
  }));
  return {
    model,
    max_tokens: maxTokens,
    messages: wireMessages(sentMessages(request.messages, model)),
    ...(request.system.trim() !== "" && {
      system: [{ type: "text", text: wellFormed(request.system), cache_control: MARK }],
    }),
    ...(tools.length > 0 && { tools }),
  };
}
