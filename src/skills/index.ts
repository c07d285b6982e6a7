// Loads the agents, skills, commands and prompts that are written as Markdown, and what people name as `@path`.
export { ATTACHMENT_LIMITS, renderAttachments } from "./attachments.js";
export type { AttachedFile, AttachmentLimits, WorkspaceTexts } from "./attachments.js";
export { expandCommand } from "./expand-command.js";
export type { CommandDoors } from "./expand-command.js";
export { extendSkills, readUserFolder, skillPaths } from "./extend-skills.js";
export { loadSkills } from "./load-skills.js";
export { expandMentions } from "./mentions.js";
export type { Mentions } from "./mentions.js";
export { PROMPT_PARTS, PromptOptions } from "./options.js";
export type { PromptPart } from "./options.js";
export { readScaffold } from "./read-scaffold.js";
export type { SkillProblem } from "./problems.js";
export type {
  AgentDefinition,
  Command,
  PromptFacts,
  Skill,
  SkillSources,
  Skills,
  WorkKind,
} from "./types.js";
export { workspaceTexts } from "./workspace-texts.js";
