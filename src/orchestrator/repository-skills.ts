import { type Command, type Skills, extendSkills, skillPaths } from "../skills/index.js";
import { isAccrueError } from "../shared/index.js";
import type { Mirror } from "../workspace/index.js";
import { ASKING_WORDS } from "./intent.js";
import { openMirror } from "./resources.js";
import type { Scene } from "./scene.js";
import type { EngineDeps, Settings } from "./types.js";

/** The repository's own agents, skills, commands and prompts, as its base branch has them, over the shipped ones. */
export async function repositorySkills(
  deps: Pick<EngineDeps, "skills" | "registry" | "userFiles">,
  of: { mirror: Mirror; base: string; settings: Settings },
): Promise<Skills> {
  const { mirror, base, settings } = of;
  const { prompts } = settings.agent;
  return extendSkills(deps.skills, {
    repository: await mirror.readFiles(`refs/remotes/origin/${base}`, skillPaths(prompts)),
    user: deps.userFiles,
    prompts,
    taken: [...deps.registry.specs().map(({ name }) => name), ...ASKING_WORDS],
    checkTools: (tools) => void deps.registry.filter(tools),
  });
}

/** The commands that people can call, for the help; where the repository cannot be read, those that ship. */
export async function callableCommands(scene: Scene, deps: EngineDeps): Promise<Command[]> {
  const { ask, doors, settings, signal } = scene;
  try {
    const mirror = await openMirror(deps, { ask, doors, settings }, signal);
    const base = settings.base || ask.defaultBranch;
    return others((await repositorySkills(deps, { mirror, base, settings })).commands);
  } catch (error) {
    if (!isAccrueError(error) || error.retryable || signal.aborted) throw error;
    return others(deps.skills.commands);
  }
}

/** Those that the help does not list already as words of its own. */
function others(commands: Skills["commands"]): Command[] {
  const own: readonly string[] = ASKING_WORDS;
  return [...commands.values()].filter(({ name }) => !own.includes(name));
}
