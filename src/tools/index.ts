// What a model can do: a registry of tools, and the built-in ones.
export type { Registry, Tool, ToolContext, ToolKind } from "./types.js";
