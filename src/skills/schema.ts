import { z } from "zod";

/** Frontmatter of `agents/<name>.md`. */
export const AgentFrontmatter = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9-]*$/, "use a-z, 0-9 and -"),
  description: z.string().min(1),
  tier: z.enum(["planner", "executor", "validator"]),
  call_type: z.enum(["plan", "generate", "validate"]),
  tools: z.array(z.string().min(1)),
  max_turns: z.int().positive(),
  max_minutes: z.number().positive(),
});
