// What a model can do: a registry of tools, the built-in ones, and those that a repository brings.
export { builtinTools } from "./builtin-tools.js";
export { createRegistry } from "./create-registry.js";
export type { RegistryOptions } from "./create-registry.js";
export { defineTool } from "./define-tool.js";
export { discoverTools } from "./discovered.js";
export { readHandOver } from "./hand-over.js";
export { ToolOptions } from "./options.js";
export { createSeenFiles } from "./seen-files.js";
export type { SeenFiles } from "./seen-files.js";
export { SKILL_TOOL, skillTool } from "./skill-tool.js";
export type { SkillSource } from "./skill-tool.js";
export type { Registry, TodoItem, Tool, ToolContext, ToolKind } from "./types.js";
