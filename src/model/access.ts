import { AccrueError } from "../shared/index.js";
import { ANTHROPIC, readModelId, unknownProvider, variablePrefix, type ModelId } from "./model-id.js";
import type { ModelConfig } from "./options.js";

/** How a provider is reached. */
export interface ProviderAccess {
  /** Empty: none is sent. */
  key: string;
  /** Absent: the provider's own address. */
  url?: string;
}

type Env = Readonly<Record<string, string | undefined>>;

/** All models that the tiers name. */
function modelsOf({ planner, executor, validator }: ModelConfig): ModelId[] {
  return [planner, executor, validator].flat().map(readModelId);
}

function checkedUrl(url: string, where: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  const isPlain = parsed !== null && parsed.username === "" && parsed.password === "" && parsed.search === "";
  if (isPlain && /^https?:$/.test(parsed.protocol)) return url.replace(/\/+$/, "");
  throw new AccrueError(
    "CONFIG_INVALID",
    `${where} is no address to ask a model at. Write it as http://host:port/v1, without a key or a query in it.`,
  );
}

function accessOf(model: ModelId, settings: ModelConfig, env: Env, isShared: boolean): ProviderAccess {
  const { provider } = model;
  const prefix = variablePrefix(provider);
  const key = (env[`${prefix}KEY`] ?? "").trim();
  const named = env[`${prefix}URL`];
  if (named) return { key, url: checkedUrl(named, `${prefix}URL`) };
  const written = settings.providers[provider]?.url;
  if (written === undefined) throw unknownProvider(model);
  if (!isShared) return { key, url: checkedUrl(written, `model.providers.${provider}.url`) };
  throw new AccrueError(
    "CONFIG_INVALID",
    `The address of the provider "${provider}" stands in the repository's .github/agent.yml only, and this server sends nothing to addresses that its operator has not named. The operator can set ${prefix}URL in the server's environment.`,
  );
}

/**
 * The keys and addresses of the providers that the tiers name: keys from the environment only, addresses from there first.
 * `isShared: true` is for a server of many repositories: a file in one of them must never make it send anything elsewhere.
 */
export function providerAccess(
  settings: ModelConfig,
  env: Env,
  { isShared }: { isShared: boolean },
): Record<string, ProviderAccess> {
  const url = env["ANTHROPIC_BASE_URL"];
  const anthropic = { key: env["ANTHROPIC_API_KEY"] ?? "", ...(url ? { url } : {}) };
  const others = modelsOf(settings).filter(({ provider }) => provider !== ANTHROPIC);
  return Object.fromEntries([
    [ANTHROPIC, anthropic],
    ...others.map((model) => [model.provider, accessOf(model, settings, env, isShared)] as const),
  ]);
}
