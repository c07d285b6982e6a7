import { z } from "zod";

const ModelName = z.string().regex(/^anthropic\/[\w.-]+$/, "a model looks like anthropic/claude-haiku-5-5");

/** `model:` of `.github/agent.yml`: which model each tier uses. */
export const TierOptions = z.strictObject({
  planner: ModelName.default("anthropic/claude-opus-5-5").describe("Writes requirements and designs."),
  executor: ModelName.default("anthropic/claude-haiku-5-5").describe("Writes code."),
  validator: ModelName.default("anthropic/claude-sonnet-5-5").describe("Reviews and judges."),
});

/** See the schema of the same name. */
export type TierOptions = z.infer<typeof TierOptions>;
