import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import { AccrueError, closest } from "../shared/index.js";
import { fillPlaceholders } from "./fill.js";
import { readLevel } from "./gather-commands.js";
import { PROMPT_PARTS } from "./options.js";
import { type SkillProblem, invalid } from "./problems.js";
import { parseAgent } from "./read-agents.js";
import { readTextFolder } from "./read-folder.js";
import { readSkills } from "./read-skills.js";
import { systemPrompt } from "./system-prompt.js";
import { plainText } from "./text-file.js";
import type { Library, Skills } from "./types.js";

/** Reads the folder of prose that ships with the package. Throws `CONFIG_INVALID` naming the first file that is wrong. */
export function loadSkills(folder: URL): Skills {
  const root = fileURLToPath(folder);
  const problems: SkillProblem[] = [];
  const read = (name: string) => readTextFolder(root, name);
  const agents = [...read("agents")].map(([file, text]) => parseAgent(text, file, "shipped").agent);
  const prompts = [...read("prompts")].map(([file, text]): [string, string] => [
    posix.basename(file, ".md"),
    plainText(text, file).trim(),
  ]);
  const commands = readLevel(
    read("commands"),
    { folder: "commands/", origin: "shipped", mayRun: true },
    problems,
  );
  const skills = readSkills(read("skills"), { folder: "skills", origin: "shipped" }, problems);
  for (const { file, message } of problems) throw invalid(file, message);
  const library: Library = {
    agents: byName(agents),
    skills,
    commands: byName(commands),
    prompts: new Map(prompts),
    replaced: new Map(),
    problems,
  };
  checkParts(library);
  return bindSkills(library);
}

/** The functions over a library. */
export function bindSkills(library: Library): Skills {
  return {
    ...library,
    agent: (name) => library.agents.get(name) ?? missing("CONFIG_INVALID", "agent", name, library.agents),
    skill: (name) => library.skills.get(name) ?? missing("INPUT_INVALID", "skill", name, library.skills),
    prompt(name, values) {
      const text = library.prompts.get(name) ?? missing("CONFIG_INVALID", "prompt", name, library.prompts);
      return fillPlaceholders(text, values, `prompts/${name}.md`);
    },
    systemPrompt: (agent, facts) => systemPrompt(library, agent, facts),
  };
}

function checkParts({ agents, prompts, skills }: Library): void {
  const lacking = [...PROMPT_PARTS, "contract"].find((name) => !prompts.has(name));
  if (lacking !== undefined)
    throw invalid(`prompts/${lacking}.md`, "is not there: install the package again.");
  for (const agent of agents.values()) {
    const unknown = agent.subagents.find((name) => !agents.has(name));
    if (unknown !== undefined) throw invalid(agent.file, `agents names "${unknown}", which is no agent.`);
    const missing = agent.skills.find((name) => !skills.has(name));
    if (missing !== undefined) throw invalid(agent.file, `skills names "${missing}", which is no skill.`);
  }
}

function byName<Named extends { name: string }>(all: readonly Named[]): Map<string, Named> {
  return new Map(all.map((one) => [one.name, one]));
}

function missing(
  code: "CONFIG_INVALID" | "INPUT_INVALID",
  kind: string,
  name: string,
  known: ReadonlyMap<string, unknown>,
): never {
  const names = [...known.keys()];
  const meant = closest(name, names);
  const hint = meant ? `Did you mean ${meant}?` : `Known: ${names.join(", ") || "none"}.`;
  throw new AccrueError(code, `There is no ${kind} "${name}". ${hint}`);
}
