// What a model can do: a registry of tools, and the built-in ones.
export { writeArtefact } from "./artefact.js";
export { builtinTools } from "./builtin-tools.js";
export { createRegistry } from "./create-registry.js";
export { defineTool } from "./define-tool.js";
export type { Registry, TodoItem, Tool, ToolContext, ToolKind } from "./types.js";
