import { z } from "zod";

const similarity = (what: string) =>
  z.number().min(0).max(1).default(0.9).describe(`From how alike a new ${what} is the same as a known one.`);

/** An OpenAI-compatible server that makes vectors. */
export const EmbeddingServer = z.strictObject({
  url: z.url().describe("Up to and with the version: https://api.openai.com/v1."),
  model: z.string().min(1).describe("The server's name of the model."),
  key: z.string().default("").describe("Name of the environment variable with the key; empty: none."),
});

/** See the schema of the same name. */
export type EmbeddingServer = z.infer<typeof EmbeddingServer>;

/** Where vectors come from: the table that ships, or an OpenAI-compatible server. */
export const EmbedderOptions = z.union([z.enum(["static", "hash"]), EmbeddingServer]);

/** See the schema of the same name. */
export type EmbedderOptions = z.infer<typeof EmbedderOptions>;

/** How alive a memory stays without use; computed when it is read. */
export const DecayOptions = z.strictObject({
  period_days: z
    .number()
    .positive()
    .default(14)
    .describe("After so many days without use a memory weighs less; facts and decisions take twice as long."),
  rate: z.number().min(0).max(0.9).default(0.05).describe("What a period without use takes off its weight."),
  used: z.number().min(0).max(1).default(0.1).describe("What a run that used it adds."),
  cold_below: z
    .number()
    .min(0)
    .max(1)
    .default(0.3)
    .describe("Below this weight a memory is cold: found on request only."),
});

/** See the schema of the same name. */
export type DecayOptions = z.infer<typeof DecayOptions>;

/** How the memory of a repository works. */
export const MemoryOptions = z.strictObject({
  embedder: EmbedderOptions.default("static").describe(
    "static (offline, English and Chinese), hash (offline, words only), or url, model and key of an embedding server.",
  ),
  dedup: z
    .strictObject({
      fact: similarity("fact"),
      decision: similarity("decision"),
      pattern: similarity("pattern"),
      event: similarity("event"),
    })
    .prefault({})
    .describe("One scale for all embedders: 0.9 is where the embedder in use was calibrated; see memory.md."),
  top_k: z.int().min(1).max(50).default(5).describe("How many memories a question is answered with."),
  decay: DecayOptions.prefault({}).describe("How alive a memory stays without use."),
});

/** See the schema of the same name. */
export type MemoryOptions = z.infer<typeof MemoryOptions>;
