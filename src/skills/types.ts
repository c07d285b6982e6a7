/** An agent as its Markdown file defines it: `rules/agents/<name>.md`. */
export interface AgentDefinition {
  name: string;
  description: string;
  tier: "planner" | "executor" | "validator";
  callType: "plan" | "generate" | "validate";
  /** Allow-list of tools. */
  tools: string[];
  maxTurns: number;
  maxMinutes: number;
  /** The body: the agent's own instructions, with `{{name}}` placeholders. */
  prompt: string;
  /** File it came from, for messages. */
  file: string;
}

/** Prose that ships with the package, read once. */
export interface Skills {
  /** Throws `CONFIG_INVALID` with file and key when the file is missing or wrong. */
  agent(name: string): AgentDefinition;
  /** A prompt part `rules/prompts/<name>.md` with its `{{placeholders}}` filled; unknown or unused names throw. */
  prompt(name: string, values: Readonly<Record<string, string>>): string;
  /** Fills an agent's own body the same way. */
  fill(agent: AgentDefinition, values: Readonly<Record<string, string>>): string;
}
