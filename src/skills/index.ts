// Loads the agents, skills and prompts that are written as Markdown.
export { loadSkills } from "./load-skills.js";
export type { AgentDefinition, Skills } from "./types.js";
