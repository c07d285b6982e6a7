import { z } from "zod";

/** One OpenAI-compatible endpoint of `model.providers`, and what is particular to it. */
export const ProviderOptions = z.strictObject({
  url: z
    .url({ protocol: /^https?$/, error: "an address looks like http://localhost:11434/v1" })
    .optional()
    .describe("Address up to and with the version; ACCRUE_<NAME>_URL in the environment overrides it."),
  max_tokens_field: z
    .enum(["max_tokens", "max_completion_tokens"])
    .default("max_tokens")
    .describe("Name of the limit of output tokens."),
  content_nullable: z
    .boolean()
    .default(false)
    .describe("Send null instead of an empty text beside tool calls."),
  usage_in_stream: z
    .boolean()
    .default(true)
    .describe("Ask for the usage of a stream; without it the bill is an estimate."),
  parallel_tool_calls: z.boolean().default(true).describe("Whether several calls in one answer are wanted."),
  system_role: z
    .enum(["system", "developer", "user"])
    .default("system")
    .describe("Role of the system prompt's message."),
  reasoning_field: z
    .enum(["none", "reasoning_content", "reasoning"])
    .default("none")
    .describe("Field in which thinking comes and has to be sent back; none drops it."),
  structured: z
    .enum(["json_schema", "json_object", "tool", "text"])
    .default("json_schema")
    .describe("How a JSON answer is asked for."),
  idle_seconds: z
    .int()
    .min(1)
    .max(290)
    .default(60)
    .describe("Longest silence; a local model may need minutes to read a long prompt."),
});

/** See the schema of the same name. */
export type ProviderOptions = z.infer<typeof ProviderOptions>;
