import type { Clock } from "../shared/index.js";
import { namesPrivateAddress } from "../workspace/index.js";
import { loadConfig } from "./repository.js";
import type { AgentConfig } from "./schema.js";

/** A repository on GitHub, as its configuration is asked for. */
export interface Place {
  owner: string;
  name: string;
  installation: number | null;
  defaultBranch: string;
}

/** Reads a text file of a repository at a branch; null when it is not there. */
export type ReadAt = (
  place: { owner: string; name: string; installation: number | null },
  path: string,
  ref: string,
) => Promise<string | null>;

const TTL_MS = 30_000;

/** How much a repository may say, and for how long it is believed. */
export interface RemoteConfigOptions {
  /**
   * True where the operator, not the repository, decides about the box: `sandbox.level: none` then counts as `auto`, and private
   * addresses, which are the operator's own, are struck from the hosts.
   */
  isBoxRequired: boolean;
  /** How long an answer is kept; default 30 s. */
  ttlMs?: number;
}

/** What of a configuration a repository may not decide on a machine that is not its own. */
function boxed(config: AgentConfig): AgentConfig {
  const { sandbox, setup } = config;
  const open = (hosts: readonly string[]) => hosts.filter((host) => !namesPrivateAddress(host));
  const level = sandbox.level === "none" ? "auto" : sandbox.level;
  return {
    ...config,
    sandbox: { ...sandbox, level, network: open(sandbox.network) },
    setup: { ...setup, network: open(setup.network) },
  };
}

/** Configurations of repositories on GitHub, read from the base branch and kept for a short while. */
export function createRemoteConfig(
  deps: { clock: Clock; read: ReadAt },
  { isBoxRequired, ttlMs = TTL_MS }: RemoteConfigOptions,
): (place: Place) => Promise<AgentConfig> {
  const kept = new Map<string, { untilMs: number; config: Promise<AgentConfig> }>();

  async function load(place: Place): Promise<AgentConfig> {
    const config = await loadConfig(place, (at, path) =>
      deps.read(
        { ...at, installation: place.installation },
        path,
        at.name === place.name ? place.defaultBranch : "HEAD",
      ),
    );
    return isBoxRequired ? boxed(config) : config;
  }

  return (place) => {
    const key = `${place.installation ?? ""}/${place.owner}/${place.name}`;
    const known = kept.get(key);
    const now = deps.clock.now();
    if (known && now < known.untilMs) return known.config;
    for (const [old, { untilMs }] of kept) if (untilMs <= now) kept.delete(old);
    const config = load(place);
    kept.set(key, { untilMs: now + ttlMs, config });
    // A failure is the caller's to handle; it is only not kept.
    config.catch(() => kept.delete(key));
    return config;
  };
}
