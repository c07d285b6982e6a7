import type { Call } from "../provider.js";
import type { ProviderOptions } from "../provider-options.js";
import { isForeignThinking, wellFormed } from "../sent.js";
import type { Block, Message, ToolSpec, ToolUseBlock } from "../types.js";

/** Name of the tool that a structured answer comes through, where tools are the only way. */
export const ANSWER_TOOL = "answer";

/** How a JSON answer is asked for. */
export interface Format {
  /** JSON Schema of the answer. */
  schema: Record<string, unknown>;
  /** What the model is told about it. */
  instruction: string;
}

type Json = Record<string, unknown>;

function textsOf(content: readonly Block[]): string {
  return wellFormed(content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n\n"));
}

/** Results first, as `tool` messages right after the calls that they answer, then what else was said. */
function userMessages({ content }: Message): Json[] {
  const results = content.flatMap((block): Json[] => {
    if (block.type !== "tool_result") return [];
    const text = block.is_error === true ? `Error: ${block.content}` : block.content;
    return [{ role: "tool", tool_call_id: block.tool_use_id, content: wellFormed(text) }];
  });
  const text = textsOf(content);
  return text === "" ? results : [...results, { role: "user", content: text }];
}

function assistantMessages(message: Message, model: string, quirks: ProviderOptions): Json[] {
  const text = textsOf(message.content);
  const calls = message.content.filter((block): block is ToolUseBlock => block.type === "tool_use");
  const thinking = message.content
    .map((block) =>
      block.type === "thinking" && !isForeignThinking(block, message, model) ? block.thinking : "",
    )
    .join("");
  if (text === "" && calls.length === 0) return [];
  return [
    {
      role: "assistant",
      content: text === "" && quirks.content_nullable ? null : text,
      ...(quirks.reasoning_field !== "none" && thinking !== "" && { [quirks.reasoning_field]: thinking }),
      ...(calls.length > 0 && {
        tool_calls: calls.map(({ id, name, input }) => ({
          id,
          type: "function",
          function: { name, arguments: JSON.stringify(input) },
        })),
      }),
    },
  ];
}

function functionTool({ name, description, inputSchema }: ToolSpec): Json {
  const parameters = { type: "object", properties: {}, ...inputSchema };
  return { type: "function", function: { name, description, parameters } };
}

/** The fields that ask for a JSON answer, each in its way. */
function formatFields({ schema, instruction }: Format, structured: ProviderOptions["structured"]): Json {
  if (structured === "json_schema") {
    return { response_format: { type: "json_schema", json_schema: { name: ANSWER_TOOL, schema } } };
  }
  if (structured === "json_object") return { response_format: { type: "json_object" } };
  if (structured === "text") return {};
  return {
    tools: [functionTool({ name: ANSWER_TOOL, description: instruction, inputSchema: schema })],
    tool_choice: { type: "function", function: { name: ANSWER_TOOL } },
  };
}

function systemMessages(call: Call, quirks: ProviderOptions, format: Format | null): Json[] {
  const isTold = format !== null && (quirks.structured === "json_object" || quirks.structured === "text");
  const parts = [call.request.system, ...(isTold ? [format.instruction] : [])].filter((part) => part.trim());
  return parts.length === 0 ? [] : [{ role: quirks.system_role, content: wellFormed(parts.join("\n\n")) }];
}

/** Neighbours that a user says are one message: the templates of many local models take turns strictly. */
function joinUsers(messages: readonly Json[]): Json[] {
  const joined: Json[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (last?.["role"] === "user" && message["role"] === "user") {
      joined[joined.length - 1] = {
        ...last,
        content: `${String(last["content"])}\n\n${String(message["content"])}`,
      };
    } else joined.push(message);
  }
  return joined;
}

/** The request as a chat completion, with what is particular to the endpoint. */
export function toChat(call: Call, quirks: ProviderOptions, format: Format | null): Json {
  const { request, model, maxTokens } = call;
  const messages = request.messages.flatMap((message) =>
    message.role === "user" ? userMessages(message) : assistantMessages(message, model, quirks),
  );
  return {
    model,
    stream: true,
    ...(quirks.usage_in_stream && { stream_options: { include_usage: true } }),
    [quirks.max_tokens_field]: maxTokens,
    messages: joinUsers([...systemMessages(call, quirks, format), ...messages]),
    ...(request.tools.length > 0 && { tools: request.tools.map(functionTool) }),
    ...(request.tools.length > 0 && !quirks.parallel_tool_calls && { parallel_tool_calls: false }),
    ...(format !== null && formatFields(format, quirks.structured)),
  };
}
