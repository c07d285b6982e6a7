// Loads the agents, skills and prompts that are written as Markdown.
export type { AgentDefinition, Skills } from "./types.js";
