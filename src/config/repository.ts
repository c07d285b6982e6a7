import { AccrueError } from "../shared/index.js";
import { EXTENDS, mergeConfig, parseYaml } from "./parse.js";
import type { AgentConfig } from "./schema.js";

/** Where a repository keeps its configuration. */
export const CONFIG_PATH = ".github/agent.yml";

/** Reads a text file of a repository's base branch; null when repository or file is not there. */
export type ReadFile = (repository: { owner: string; name: string }, path: string) => Promise<string | null>;

/**
 * A repository's configuration from its base branch: its own file over the one it extends; without a file of its own the
 * owner's `.github` repository's, as Probot does it.
 */
export async function loadConfig(
  repository: { owner: string; name: string },
  read: ReadFile,
): Promise<AgentConfig> {
  const own = await read(repository, CONFIG_PATH);
  if (own === null) {
    const shared = await read({ owner: repository.owner, name: ".github" }, CONFIG_PATH);
    return mergeConfig(
      shared === null ? [] : [{ text: shared, file: `${repository.owner}/.github:${CONFIG_PATH}` }],
    );
  }
  const from = parseYaml(own, CONFIG_PATH).value[EXTENDS];
  if (from === undefined) return mergeConfig([{ text: own, file: CONFIG_PATH }]);
  const target = extended(from, repository.owner);
  const base = await read(target, CONFIG_PATH);
  const name = `${target.owner}/${target.name}:${CONFIG_PATH}`;
  if (base === null) {
    throw new AccrueError(
      "CONFIG_INVALID",
      `${CONFIG_PATH} extends ${name}, which cannot be read: correct \`_extends\` or give the app access to it.`,
    );
  }
  return mergeConfig([
    { text: base, file: name },
    { text: own, file: CONFIG_PATH },
  ]);
}

/** The configuration of a person's own repository, which has no owner to inherit from. */
export function loadLocalConfig(read: (path: string) => Promise<string | null>): Promise<AgentConfig> {
  const repository = { owner: "local", name: "local" };
  return loadConfig(repository, ({ name }, path) =>
    name === repository.name ? read(path) : Promise.resolve(null),
  );
}

function extended(value: unknown, owner: string): { owner: string; name: string } {
  const match = typeof value === "string" ? /^(?:([\w.-]+)\/)?([\w.-]+)$/.exec(value) : null;
  if (!match)
    throw new AccrueError(
      "CONFIG_INVALID",
      `\`_extends: ${String(value)}\` in ${CONFIG_PATH} has to be a repository: \`name\` or \`owner/name\`.`,
    );
  return { owner: match[1] ?? owner, name: match[2] ?? "" };
}
