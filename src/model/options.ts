import { z } from "zod";
import { PriceOptions } from "./price-options.js";
import { ProviderOptions } from "./provider-options.js";
import { ANTHROPIC } from "./model-id.js";

const MAX_CHAIN = 5;

const ModelName = z
  .string()
  .regex(
    /^(?:anthropic\/[\w.-]+|(?!anthropic\/)[a-z][a-z0-9-]*\/\S+)$/,
    "a model looks like anthropic/claude-haiku-5-5",
  );

const ProviderName = z
  .string()
  .regex(/^[a-z][a-z0-9-]*$/, "use a-z, 0-9 and -, beginning with a letter")
  .refine((name) => name !== ANTHROPIC, {
    error: "anthropic is built in: set ANTHROPIC_BASE_URL for another address",
  });

const tier = (model: string, meaning: string) =>
  z
    .union([ModelName, z.array(ModelName).min(1).max(MAX_CHAIN)])
    .default(model)
    .describe(`${meaning} A list: each next one is asked when those before it are overloaded or refuse.`);

/** `model:` of `.github/agent.yml`: which models each tier asks, at which endpoints, at which prices. */
export const ModelConfig = z.strictObject({
  planner: tier("anthropic/claude-opus-5-5", "Writes requirements and designs."),
  executor: tier("anthropic/claude-haiku-5-5", "Writes code."),
  validator: tier("anthropic/claude-sonnet-5-5", "Reviews and judges."),
  providers: z
    .record(ProviderName, ProviderOptions)
    .default({})
    .describe("OpenAI-compatible endpoints by name, with their quirks; see models.md."),
  prices: z
    .record(ModelName, PriceOptions)
    .default({})
    .describe(
      "Prices by provider/model, in dollars per million tokens, over those that ship; see models.md.",
    ),
});

/** See the schema of the same name. */
export type ModelConfig = z.infer<typeof ModelConfig>;
