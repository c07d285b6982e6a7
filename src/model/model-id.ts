import { AccrueError } from "../shared/index.js";

/** The provider that is built in; all others are named by the operator. */
export const ANTHROPIC = "anthropic";

/** `provider/model`, split; a model's own name may hold slashes. */
export interface ModelId {
  id: string;
  provider: string;
  model: string;
}

/** Splits `provider/model`, or says how to write it. */
export function readModelId(id: string): ModelId {
  const [, provider, model] = /^([a-z][a-z0-9-]*)\/(\S+)$/.exec(id) ?? [];
  if (provider !== undefined && model !== undefined) return { id, provider, model };
  throw new AccrueError(
    "CONFIG_INVALID",
    `The model "${id}" is not known. Write it as <provider>/<model>, such as anthropic/claude-haiku-5-5.`,
  );
}

/** The beginning of the environment variables that belong to a provider: `ACCRUE_<NAME>_`. */
export function variablePrefix(provider: string): string {
  return `ACCRUE_${provider.toUpperCase().replaceAll("-", "_")}_`;
}

/** A model whose provider has no address. */
export function unknownProvider({ id, provider }: ModelId): AccrueError {
  return new AccrueError(
    "CONFIG_INVALID",
    `The provider "${provider}" of the model "${id}" has no address. Set ${variablePrefix(provider)}URL in the environment, or model.providers.${provider}.url in .github/agent.yml.`,
  );
}
