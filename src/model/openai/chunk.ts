import { z } from "zod";
import type { Usage } from "../../ledger/index.js";

const Count = z.number().nullish();

const ReportedUsage = z.object({
  prompt_tokens: Count,
  completion_tokens: Count,
  prompt_tokens_details: z.object({ cached_tokens: Count, cache_write_tokens: Count }).nullish(),
  /** DeepSeek's name for cached tokens. */
  prompt_cache_hit_tokens: Count,
});

const CallPart = z.object({
  index: z.number().nullish().catch(null),
  id: z.string().nullish(),
  function: z
    .object({
      name: z.string().nullish(),
      /** Some endpoints send the object itself. */
      arguments: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
    })
    .nullish(),
});
/** A piece of a tool call. */
export type CallPart = z.infer<typeof CallPart>;

const Delta = z.object({
  content: z.string().nullish(),
  refusal: z.string().nullish(),
  reasoning_content: z.string().nullish(),
  reasoning: z.string().nullish().catch(null),
  tool_calls: z.array(CallPart).nullish(),
});

/** One event of a streamed chat completion, or a whole one; only what we read. */
export const Chunk = z.object({
  error: z.unknown().optional(),
  choices: z
    .array(
      z.object({ delta: Delta.nullish(), message: Delta.nullish(), finish_reason: z.string().nullish() }),
    )
    .nullish(),
  usage: ReportedUsage.nullish(),
});
/** See the schema of the same name. */
export type Chunk = z.infer<typeof Chunk>;

/** Usage in our four classes: what was read from or written to a cache is part of `prompt_tokens` here, and is not counted twice. */
export function usageOf(reported: z.infer<typeof ReportedUsage>): Usage {
  const details = reported.prompt_tokens_details;
  const cacheRead = details?.cached_tokens ?? reported.prompt_cache_hit_tokens ?? 0;
  const cacheWrite = details?.cache_write_tokens ?? 0;
  const input = Math.max(0, (reported.prompt_tokens ?? 0) - cacheRead - cacheWrite);
  return { input, cacheRead, cacheWrite, output: reported.completion_tokens ?? 0 };
}
