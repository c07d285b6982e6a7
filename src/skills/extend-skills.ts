import { gatherCommands } from "./gather-commands.js";
import { bindSkills } from "./load-skills.js";
import { type PromptOptions, type PromptPart, isPromptPart } from "./options.js";
import { type SkillProblem, attempt, invalid } from "./problems.js";
import { addAgents } from "./read-agents.js";
import { readTextFolder } from "./read-folder.js";
import { readSkills } from "./read-skills.js";
import { plainText } from "./text-file.js";
import type { SkillSources, Skills } from "./types.js";
import { workspacePath } from "./workspace-path.js";

const FOLDER = ".agents/";
const AGENT_FILE = /^\.agents\/agents\/[^/]+\.md$/u;
const SKILLS = ".agents/skills";
/** Skills that a repository keeps for another agent are in the same format. */
const OTHER_SKILLS = ".claude/skills";

/** Prefixes of the paths that {@link extendSkills} needs of the base branch. */
export function skillPaths(prompts: PromptOptions): string[] {
  const own = Object.values(prompts).flatMap((value) =>
    value === false ? [] : (workspacePath(value) ?? []),
  );
  return [FOLDER, `${OTHER_SKILLS}/`, ...own];
}

/** The files of `~/.agents` that a person's own skills and commands are read from. */
export function readUserFolder(home: string): Map<string, string> {
  return new Map(
    [".agents/skills", ".agents/commands"].flatMap((folder) => [...readTextFolder(home, folder)]),
  );
}

/**
 * What agents are told in one repository: its own agents, skills, commands and prompt parts over the shipped ones.
 * Contract: never throws because of a file; what cannot be used is left out and is in `problems`.
 */
export function extendSkills(shipped: Skills, sources: SkillSources): Skills {
  const { repository, user, taken } = sources;
  const problems: SkillProblem[] = [];
  const agentFiles = [...repository]
    .filter(([path]) => AGENT_FILE.test(path))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const skills = [
    shipped.skills,
    readSkills(user, { folder: SKILLS, origin: "user" }, problems),
    readSkills(repository, { folder: OTHER_SKILLS, origin: "repository" }, problems),
    readSkills(repository, { folder: SKILLS, origin: "repository" }, problems),
  ];
  return bindSkills({
    agents: addAgents(shipped.agents, new Map(agentFiles), problems, sources),
    skills: new Map(skills.flatMap((level) => [...level])),
    commands: gatherCommands(shipped.commands, { user, repository }, problems, taken),
    prompts: shipped.prompts,
    replaced: replacedParts(sources, problems),
    problems,
  });
}

function replacedParts(
  { repository, prompts }: SkillSources,
  problems: SkillProblem[],
): Map<PromptPart, string | null> {
  const replaced = new Map<PromptPart, string | null>();
  for (const [name, value] of Object.entries(prompts)) {
    if (!isPromptPart(name)) continue;
    if (value === false) {
      replaced.set(name, null);
      continue;
    }
    attempt(problems, value, () => {
      const text = repository.get(workspacePath(value) ?? "");
      if (text === undefined) {
        throw invalid(
          value,
          `agent.prompts.${name} names it, and the base branch has no such text file: correct the path.`,
        );
      }
      replaced.set(name, plainText(text, value).trim());
    });
  }
  return replaced;
}
