import { z } from "zod";
import { AccrueError, closest } from "../shared/index.js";
import { defineTool } from "./define-tool.js";
import type { Tool } from "./types.js";

/** The tool that reads a skill. Compression never prunes its results: an agent must not forget what it follows. */
export const SKILL_TOOL = "activate_skill";

const MAX_FILES = 100;

/** What `activate_skill` needs of the skills. */
export interface SkillSource {
  /** Those that stand in the system prompt. */
  skills: readonly { name: string; description: string }[];
  /** Contract: is asked only for the names above. */
  load(name: string): Promise<{ body: string; files: string[]; folder: string }>;
  /** Told of each use, for the record. */
  used(name: string): void;
}

/** Makes the tool that gives an agent the text of a skill and the names of its files. */
export function skillTool({ skills, load, used }: SkillSource): Tool {
  const names = skills.map(({ name }) => name);
  return defineTool({
    name: SKILL_TOOL,
    description:
      "Reads the instructions of a skill of your list. Use it before the work that the skill is for.",
    kind: "read",
    input: z.strictObject({ name: z.string().min(1) }),
    async run({ name }) {
      if (!names.includes(name)) {
        const near = closest(name, names);
        const hint = near === null ? `There are: ${names.join(", ")}.` : `Did you mean "${near}"?`;
        throw new AccrueError("INPUT_INVALID", `There is no skill "${name}". ${hint}`);
      }
      const { body, files, folder } = await load(name);
      used(name);
      if (files.length === 0) return body;
      const more = files.length > MAX_FILES ? [`(${files.length - MAX_FILES} more)`] : [];
      return [
        body.trimEnd(),
        "",
        `Files of this skill in ${folder}:`,
        ...files.slice(0, MAX_FILES),
        ...more,
      ].join("\n");
    },
  });
}
