// What a model can do: a registry of tools, and the built-in ones.
export { builtinTools } from "./builtin-tools.js";
export { createRegistry } from "./create-registry.js";
export { defineTool } from "./define-tool.js";
export type { Registry, TodoItem, Tool, ToolContext, ToolKind } from "./types.js";
export { allowedServers } from "./mcp/allowed-servers.js";
export type { AllowedServers, ServerSources } from "./mcp/allowed-servers.js";
export { openServers } from "./mcp/open-servers.js";
export type { McpDeps, McpServers } from "./mcp/open-servers.js";
export { McpOptions, McpServer } from "./mcp/options.js";
export type { PromptCommand } from "./mcp/prompt-commands.js";
export type { Tracker, Wiki } from "./mcp/roles.js";
