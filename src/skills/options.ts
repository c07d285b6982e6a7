import { z } from "zod";
import { closest } from "../shared/index.js";

/** The parts of a system prompt that a repository can switch off or replace, in the order in which they are sent. */
export const PROMPT_PARTS = [
  "who",
  "mandates",
  "workflow-feature",
  "workflow-test",
  "workflow-docs",
  "workflow-errors",
  "workflow-fix",
  "tools",
  "repository",
  "skills",
] as const;

/** One of {@link PROMPT_PARTS}. */
export type PromptPart = (typeof PROMPT_PARTS)[number];

/** Tells the name of a prompt part from any other word. */
export function isPromptPart(name: string): name is PromptPart {
  return (PROMPT_PARTS as readonly string[]).includes(name);
}

/** How a repository wants the parts of the system prompt: `agent.prompts` of `.github/agent.yml`. */
export const PromptOptions = z
  .record(z.string(), z.union([z.literal(false), z.string().min(1)], "write false, or the path of a file"))
  .superRefine((parts, context) => {
    for (const name of Object.keys(parts).filter((name) => !isPromptPart(name))) {
      const meant = closest(name, PROMPT_PARTS);
      const hint = meant ? `did you mean ${meant}?` : `the parts are ${PROMPT_PARTS.join(", ")}`;
      context.addIssue({
        code: "custom",
        path: [name],
        message: `${name} is no part of the prompt; ${hint}`,
      });
    }
  })
  .default({})
  .describe("Parts of the system prompt: false leaves one out, a path of the base branch replaces it.");

/** See the schema of the same name. */
export type PromptOptions = z.infer<typeof PromptOptions>;
