import { z } from "zod";

const MAX_NAME = 64;
/** More than a day is a slip, and a timer cannot hold more than 24 of them. */
const MAX_MINUTES = 24 * 60;
/** What others put into a head is theirs; a description of one line is what we show. */
const description = z.string().trim().min(1, "say in one sentence what it is for").max(1024);
const JsonSchema = z.record(z.string(), z.unknown());

/** Frontmatter of `agents/<name>.md`. */
export const AgentFrontmatter = z.strictObject({
  name: z
    .string()
    .max(MAX_NAME)
    .regex(/^[a-z][a-z0-9-]*$/, "use a-z, 0-9 and -"),
  description,
  tier: z.enum(["planner", "executor", "validator"]).default("executor"),
  call_type: z.enum(["plan", "generate", "validate"]).default("plan"),
  tools: z.array(z.string().min(1)).default(["list_files", "read_file", "search"]),
  max_turns: z.int().positive().default(15),
  max_minutes: z.number().positive().max(MAX_MINUTES).default(5),
  agents: z.array(z.string()).default([]),
  skills: z.array(z.string()).default([]),
  used_by: z.array(z.string()).optional(),
  input: JsonSchema.optional(),
  output: JsonSchema.optional(),
});

/** Frontmatter of `SKILL.md`, as far as it is read: https://agentskills.io/specification. */
export const SkillFrontmatter = z.object({
  name: z
    .string()
    .max(MAX_NAME)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "use a-z, 0-9 and single hyphens, as the folder is called"),
  description,
});

/** Frontmatter of a command in Markdown; commands of other tools have more keys. */
export const CommandFrontmatter = z.object({ description: z.string().optional() });

/** A command in TOML. */
export const CommandToml = z.object({
  prompt: z.string("a command needs the key prompt, a text").trim().min(1, "the prompt is empty"),
  description: z.string().optional(),
});
