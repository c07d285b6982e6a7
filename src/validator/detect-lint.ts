import type { Files } from "../workspace/index.js";
import { custom } from "./commands.js";
import { detectCommands, lookAt } from "./detect.js";
import { nodeScript } from "./detect-node.js";
import type { ValidateConfig } from "./options.js";
import type { Command } from "./types.js";

/** Names under which a repository's checks are its linter. */
const LINTER = /^(?:lint|linter|eslint|biome|ruff|golangci(?:-lint)?)$/i;
const ESLINT = /^(?:eslint\.config\.[cm]?[jt]s|\.eslintrc(?:\.\w+)?)$/;
const GOLANGCI = /^\.golangci\.(?:ya?ml|toml|json)$/;

/** The command of the linter that a repository has; null when it has none. */
export async function detectLint(
  files: Files,
  config: Pick<ValidateConfig, "commands" | "custom">,
): Promise<Command | null> {
  const own = (await detectCommands(files, config)).find(({ name }) => LINTER.test(name));
  if (own) return own;
  const look = await lookAt(files);
  const script = await nodeScript(look, "lint");
  if (script !== null) return custom("lint", script);
  if (look.paths.some((path) => ESLINT.test(path))) return custom("lint", "npx --no-install eslint .");
  return look.paths.some((path) => GOLANGCI.test(path)) ? custom("lint", "golangci-lint run") : null;
}
