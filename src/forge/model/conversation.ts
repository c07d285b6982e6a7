import { textOf, type MessagesRequest } from "./request.js";

/** A request as scenarios look at it: the whole state of a conversation is what its request holds. */
export interface Conversation {
  model: string;
  tools: string[];
  system: string;
  /** First user message. */
  task: string;
  /** All that the model was shown. */
  seen: string;
  /** Texts of the model's own earlier turns. */
  said: string[];
  /** Ids of the calls in its earlier turns. */
  callIds: string[];
  /** Results of its earlier calls, oldest first. */
  results: { tool: string; text: string }[];
  turns: number;
}

/** Reads a conversation from a legal request. */
export function readConversation(request: MessagesRequest): Conversation {
  const system = request.system.map(textOf).join("\n");
  const own = request.messages.filter(({ role }) => role === "assistant");
  const shown = request.messages.filter(({ role }) => role === "user").flatMap((m) => m.content);
  const calls = own.flatMap((m) => m.content).filter(({ type }) => type === "tool_use");
  const toolOf = new Map(calls.map((call) => [call.id, call.name ?? ""]));
  return {
    model: request.model,
    tools: request.tools.map(({ name }) => name),
    system,
    task: (request.messages[0]?.content ?? []).map(textOf).join("\n"),
    seen: [system, ...shown.map(textOf)].join("\n"),
    said: own.flatMap((m) => m.content.filter(({ type }) => type === "text").map(textOf)),
    callIds: calls.map(({ id }) => id ?? ""),
    results: shown
      .filter(({ type }) => type === "tool_result")
      .map((block) => ({ tool: toolOf.get(block.tool_use_id) ?? "", text: textOf(block) })),
    turns: own.length,
  };
}
