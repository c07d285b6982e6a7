import { z } from "zod";
import { TierOptions } from "../model/index.js";
import { RunOptions } from "../orchestrator/index.js";
import { ValidateOptions } from "../validator/index.js";
import { SandboxOptions, SetupOptions } from "../workspace/index.js";

/** `.github/agent.yml`: every key has a default, so that an empty file works, and an unknown key is an error. */
export const AgentConfig = z.strictObject({
  ...RunOptions.shape,
  model: TierOptions.prefault({}).describe("Which model each tier uses, as provider/model."),
  validate: ValidateOptions.prefault({}).describe("How a result is checked."),
  setup: SetupOptions.prefault({}).describe("How the repository's dependencies are installed, in the box, before the agent."),
  sandbox: SandboxOptions.prefault({}).describe("Where the agent's commands run."),
});

/** See the schema of the same name. */
export type AgentConfig = z.infer<typeof AgentConfig>;

/** JSON Schema of `.github/agent.yml`, for editors. */
export function configSchema(): unknown {
  return z.toJSONSchema(AgentConfig, { io: "input" });
}
