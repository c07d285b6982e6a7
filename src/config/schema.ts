import { z } from "zod";
import { MemoryOptions } from "../memory/index.js";
import { ModelConfig } from "../model/index.js";
import { RunOptions } from "../orchestrator/index.js";
import { McpOptions, ToolOptions } from "../tools/index.js";
import { ValidateConfig } from "../validator/index.js";
import { SandboxConfig, SetupConfig } from "../workspace/index.js";

/** `.github/agent.yml`: every key has a default, so that an empty file works, and an unknown key is an error. */
export const AgentConfig = z.strictObject({
  ...RunOptions.shape,
  model: ModelConfig.prefault({}).describe("Which model each tier uses, as provider/model."),
  memory: MemoryOptions.prefault({}).describe("How the memory of the repository works; see memory.md."),
  mcp: McpOptions.prefault({}).describe("MCP servers by name, as in other MCP clients; see mcp-servers.md."),
  tools: ToolOptions.prefault({}).describe("Tools of the repository's own, and tools that no agent gets."),
  validate: ValidateConfig.prefault({}).describe("How a result is checked."),
  setup: SetupConfig.prefault({}).describe(
    "How the repository's dependencies are installed, in the box, before the agent.",
  ),
  sandbox: SandboxConfig.prefault({}).describe("Where the agent's commands run."),
});

/** See the schema of the same name. */
export type AgentConfig = z.infer<typeof AgentConfig>;

/** JSON Schema of `.github/agent.yml`, for editors. */
export function configSchema(): unknown {
  return z.toJSONSchema(AgentConfig, { io: "input" });
}
