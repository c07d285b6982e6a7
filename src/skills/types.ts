import type { z } from "zod";
import type { Language } from "../shared/index.js";
import type { TemplatePart } from "./command-template.js";
import type { PromptOptions, PromptPart } from "./options.js";
import type { SkillProblem } from "./problems.js";

/** An agent as its Markdown file defines it: `rules/agents/<name>.md`, or `.agents/agents/<name>.md` of a repository. */
export interface AgentDefinition {
  name: string;
  description: string;
  tier: "planner" | "executor" | "validator";
  callType: "plan" | "generate" | "validate";
  /** Allow-list of tools. */
  tools: string[];
  maxTurns: number;
  maxMinutes: number;
  /** What it takes when it is called as a tool; null where the caller's TypeScript says it. */
  input: z.ZodType<Record<string, unknown>> | null;
  /** What it hands over; null where the caller's TypeScript says it. */
  output: z.ZodType<Record<string, unknown>> | null;
  origin: "shipped" | "repository";
  /** True unless all its tools only read: then no two of its calls may run side by side. */
  writes: boolean;
  /** Agents that it may call as tools. */
  subagents: string[];
  /** Skills whose text stands in its instructions. */
  skills: string[];
  /** The body: the agent's own instructions, with `{{name}}` placeholders. */
  prompt: string;
  /** File it came from, for messages. */
  file: string;
}

/** A way of working in the Agent Skills format: its description is always shown, its body only when it is asked for. */
export interface Skill {
  name: string;
  description: string;
  body: string;
  /** Its other files, relative to `folder`. */
  files: string[];
  /** Its folder in the workspace; null for a skill that does not come from the repository. */
  folder: string | null;
  origin: "shipped" | "user" | "repository";
  file: string;
}

/** A prompt of its own name: `.agents/commands/git/tidy.toml` is `git:tidy`. */
export interface Command {
  name: string;
  /** One line for the help. */
  description: string;
  /** Where it comes from, for the help: `shipped`, `user`, `plugin <name>` or `repository`. */
  origin: string;
  template: readonly TemplatePart[];
  file: string;
}

/** What kind of work an agent does, where its steps differ by it. */
export type WorkKind = "feature" | "test" | "docs" | "errors" | "fix";

/** What a system prompt depends on besides the agent. All of it stays the same within a run. */
export interface PromptFacts {
  /** Names of the tools that are really offered: the guidance speaks of no others. */
  tools: readonly string[];
  /** The repository's own instructions (`AGENTS.md` of the base branch); empty where there are none. */
  instructions: string;
  language: Language;
  kind: WorkKind | null;
  /** Skills that stand in its instructions in place of its own. */
  loads?: readonly string[];
  /** How many tokens the list of skills may take. */
  skillTokens: number;
}

/** What one run adds to what ships. */
export interface SkillSources {
  /** Text files of the base branch, path → content: at least those of `skillPaths`. */
  repository: ReadonlyMap<string, string>;
  /** The same of the person's home folder, see `readUserFolder`; empty on a server. */
  user: ReadonlyMap<string, string>;
  prompts: PromptOptions;
  /** Names that mean something else: of tools and of what people can ask the bot for. */
  taken: readonly string[];
  /** Throws `CONFIG_INVALID` for a list with a name that no tool can have. */
  checkTools(tools: readonly string[]): void;
}

/** Everything that is known by name, and what could not be read. */
export interface Library {
  readonly agents: ReadonlyMap<string, AgentDefinition>;
  readonly skills: ReadonlyMap<string, Skill>;
  readonly commands: ReadonlyMap<string, Command>;
  /** The texts of `prompts/`, unfilled. */
  readonly prompts: ReadonlyMap<string, string>;
  /** Prompt parts as the repository wants them: its own text, or null for a part that is off. */
  readonly replaced: ReadonlyMap<PromptPart, string | null>;
  readonly problems: readonly SkillProblem[];
}

/** What agents are told, as it ships with the package or as one repository has it. */
export interface Skills extends Library {
  /** Throws `CONFIG_INVALID` when there is no such agent. */
  agent(name: string): AgentDefinition;
  /** Throws `INPUT_INVALID` with the nearest name when there is no such skill. */
  skill(name: string): Skill;
  /** A prompt `prompts/<name>.md` with its `{{placeholders}}` filled; unknown or unused names throw. */
  prompt(name: string, values: Readonly<Record<string, string>>): string;
  /** The same bytes for the same facts: who, mandates, contract, workflow, tools, repository, skills, the agent's own body. */
  systemPrompt(agent: AgentDefinition, facts: PromptFacts): string;
}
