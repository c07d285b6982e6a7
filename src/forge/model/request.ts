import { z } from "zod";
import { badRequest } from "./api-error.js";

const CacheMark = z.looseObject({ type: z.literal("ephemeral") }).nullish();

const Block = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  thinking: z.string().optional(),
  signature: z.string().optional(),
  id: z.string().optional(),
  name: z.string().optional(),
  input: z.unknown().optional(),
  tool_use_id: z.string().optional(),
  content: z.unknown().optional(),
  cache_control: CacheMark,
});
/** A content block as sent; which fields it has depends on its type. */
export type Block = z.output<typeof Block>;

const Blocks = z.union([z.string().transform((text): Block[] => [{ type: "text", text }]), z.array(Block)]);

const MessagesRequest = z.looseObject({
  model: z.string().min(1),
  max_tokens: z.int().min(1).optional(),
  stream: z.boolean().default(false),
  system: Blocks.default([]),
  output_config: z
    .looseObject({
      format: z
        .looseObject({ type: z.literal("json_schema"), schema: z.record(z.string(), z.unknown()) })
        .nullish(),
    })
    .nullish(),
  tools: z
    .array(
      z.looseObject({
        name: z.string(),
        input_schema: z.looseObject({ type: z.literal("object") }),
        cache_control: CacheMark,
      }),
    )
    .default([]),
  messages: z.array(z.looseObject({ role: z.enum(["user", "assistant"]), content: Blocks })).min(1),
});
/** A request to the Messages API, its contents as lists of blocks. */
export type MessagesRequest = z.output<typeof MessagesRequest>;

/** Reads a request's body, or refuses it with the 400 that the API would give. */
export function parseRequest(body: unknown): MessagesRequest {
  const parsed = MessagesRequest.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw badRequest(`${issue?.path.join(".") || "body"}: ${issue?.message ?? "invalid"}`);
}

/** The words of a block that a model reads or writes. */
export function textOf(block: Block): string {
  if (block.type === "tool_use") return JSON.stringify(block.input);
  if (block.type !== "tool_result") return block.text ?? block.thinking ?? "";
  const inner = Blocks.safeParse(block.content ?? "");
  return inner.success ? inner.data.map(textOf).join("\n") : "";
}
