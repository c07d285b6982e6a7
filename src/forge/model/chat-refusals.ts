import { badRequest } from "./api-error.js";
import type { ChatMessage, ChatRequest } from "./chat-request.js";

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

function checkSettings(request: ChatRequest): void {
  if (request.max_tokens !== undefined && request.max_completion_tokens !== undefined) {
    throw badRequest("max_tokens and max_completion_tokens cannot both be set");
  }
  if (request.stream_options !== undefined && !request.stream) {
    throw badRequest("stream_options: only allowed when 'stream' is enabled");
  }
  for (const name of ["parallel_tool_calls", "tool_choice"] as const) {
    if (request[name] !== undefined && request.tools === undefined) {
      throw badRequest(`${name}: only allowed when 'tools' are specified`);
    }
  }
  const isJson = request.response_format?.type === "json_object";
  if (isJson && !/json/i.test(JSON.stringify(request.messages))) {
    throw badRequest("messages: must contain the word 'json' to use 'response_format' of type 'json_object'");
  }
}

function checkTools({ tools = [] }: ChatRequest): void {
  const names = tools.map((tool) => tool.function.name);
  for (const name of names) {
    if (!TOOL_NAME.test(name)) throw badRequest(`tools: name "${name}" should match ${TOOL_NAME.source}`);
  }
  if (new Set(names).size < names.length) throw badRequest("tools: names must be unique");
}

function unanswered(open: ReadonlySet<string>): void {
  if (open.size === 0) return;
  throw badRequest(
    `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${[...open].join(", ")}`,
  );
}

/** Each call is answered by exactly one `tool` message, and all of them stand right after it. */
function checkPairs(messages: readonly ChatMessage[]): void {
  const open = new Set<string>();
  for (const [index, message] of messages.entries()) {
    if (message.role === "tool") {
      if (open.delete(message.tool_call_id)) continue;
      throw badRequest(
        `messages.${index}: messages with role 'tool' must be a response to a preceding message with 'tool_calls': ${message.tool_call_id}`,
      );
    }
    unanswered(open);
    if (message.role !== "assistant") continue;
    if (message.content == null && message.tool_calls === undefined) {
      throw badRequest(`messages.${index}: an assistant message needs 'content' or 'tool_calls'`);
    }
    for (const { id } of message.tool_calls ?? []) open.add(id);
  }
  unanswered(open);
}

/** Refuses with a 400 what OpenAI's API refuses and an agent loop can get wrong. */
export function refuseIllegalChat(request: ChatRequest): void {
  checkSettings(request);
  checkTools(request);
  checkPairs(request.messages);
}
