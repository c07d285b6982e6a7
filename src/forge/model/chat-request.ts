import { z } from "zod";
import { badRequest } from "./api-error.js";

const Text = z.union([
  z.string(),
  z
    .array(z.strictObject({ type: z.literal("text"), text: z.string() }))
    .min(1)
    .transform((parts) => parts.map(({ text }) => text).join("")),
]);

const ToolCall = z.strictObject({
  id: z.string().min(1),
  type: z.literal("function"),
  function: z.strictObject({ name: z.string().min(1), arguments: z.string() }),
});

const ChatMessage = z.discriminatedUnion("role", [
  z.strictObject({ role: z.enum(["system", "developer", "user"]), content: Text }),
  z.strictObject({
    role: z.literal("assistant"),
    content: Text.nullish(),
    reasoning_content: z.string().optional(),
    reasoning: z.string().optional(),
    tool_calls: z.array(ToolCall).min(1).optional(),
  }),
  z.strictObject({ role: z.literal("tool"), tool_call_id: z.string().min(1), content: Text }),
]);
/** A message of a chat completion. */
export type ChatMessage = z.output<typeof ChatMessage>;

const Limit = z.int().min(1).optional();

const ChatRequest = z.looseObject({
  model: z.string().min(1),
  messages: z.array(ChatMessage).min(1),
  stream: z.boolean().default(false),
  stream_options: z.strictObject({ include_usage: z.boolean() }).optional(),
  max_tokens: Limit,
  max_completion_tokens: Limit,
  parallel_tool_calls: z.boolean().optional(),
  tool_choice: z.unknown().optional(),
  tools: z
    .array(
      z.strictObject({
        type: z.literal("function"),
        function: z.looseObject({
          name: z.string(),
          parameters: z.looseObject({
            type: z.literal("object"),
            properties: z.record(z.string(), z.unknown()),
          }),
        }),
      }),
    )
    .min(1)
    .optional(),
  response_format: z
    .discriminatedUnion("type", [
      z.strictObject({ type: z.enum(["text", "json_object"]) }),
      z.strictObject({
        type: z.literal("json_schema"),
        json_schema: z.looseObject({ name: z.string().min(1), schema: z.looseObject({}) }),
      }),
    ])
    .optional(),
});
/** A request for a chat completion. */
export type ChatRequest = z.output<typeof ChatRequest>;

/** Reads a request's body, or refuses it with the 400 that the API would give. */
export function parseChatRequest(body: unknown): ChatRequest {
  const parsed = ChatRequest.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw badRequest(`${issue?.path.join(".") || "body"}: ${issue?.message ?? "invalid"}`);
}
