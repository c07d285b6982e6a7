import { badRequest } from "./api-error.js";
import { refuseIllegalChat } from "./chat-refusals.js";
import { parseChatRequest, type ChatMessage, type ChatRequest } from "./chat-request.js";
import type { Read } from "./dialect.js";
import type { Block, MessagesRequest } from "./request.js";

function inputOf(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw badRequest("messages: the arguments of a tool call are not valid JSON");
  }
}

function text(words: string | null | undefined): Block[] {
  return words ? [{ type: "text", text: words }] : [];
}

function toBlocks(message: ChatMessage): Block[] {
  if (message.role === "tool") {
    return [{ type: "tool_result", tool_use_id: message.tool_call_id, content: message.content }];
  }
  const calls = message.role === "assistant" ? (message.tool_calls ?? []) : [];
  const uses = calls.map(({ id, function: { name, arguments: json } }) => {
    return { type: "tool_use", id, name, input: inputOf(json) };
  });
  return [...text(message.content), ...uses];
}

/** The same conversation as Anthropic's API has it; what was sent before is cached without a mark. */
function toMessages({ model, stream, messages, tools = [] }: ChatRequest): MessagesRequest {
  const isSystem = ({ role }: ChatMessage) => role === "system" || role === "developer";
  const talk = messages.filter((message) => !isSystem(message));
  return {
    model,
    stream,
    system: messages.filter(isSystem).flatMap(toBlocks),
    tools: tools.map(({ function: { name, parameters } }) => ({ name, input_schema: parameters })),
    messages: talk.map((message, index) => ({
      role: message.role === "assistant" ? "assistant" : "user",
      content: toBlocks(message).map((block, at, blocks) =>
        index === talk.length - 1 && at === blocks.length - 1
          ? { ...block, cache_control: { type: "ephemeral" } }
          : block,
      ),
    })),
  };
}

/** Reads a chat completion's request, or refuses what the API does not take. */
export function readChat(body: unknown): Read {
  const request = parseChatRequest(body);
  refuseIllegalChat(request);
  return {
    request: toMessages(request),
    tellsUsage: request.stream_options?.include_usage ?? false,
    wantsText: (request.response_format?.type ?? "text") !== "text",
  };
}
