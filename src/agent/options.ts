import { z } from "zod";

/** `agent.compression` of `.github/agent.yml`: when a conversation is condensed, and how much of it stays. */
export const CompressionOptions = z.strictObject({
  at: z
    .number()
    .min(0.1)
    .max(0.95)
    .default(0.5)
    .describe("Share of the model's window that a conversation may fill before it is condensed."),
  at_tokens: z
    .int()
    .min(1000)
    .default(150_000)
    .describe("The same as a number of tokens; the smaller of the two holds."),
  keep: z
    .number()
    .min(0.05)
    .max(0.9)
    .default(0.3)
    .describe("Share of the newest messages that stay as they are."),
});

/** See the schema of the same name. */
export type CompressionOptions = z.infer<typeof CompressionOptions>;
