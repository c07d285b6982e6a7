import type { Clock } from "../shared/index.js";
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

export interface RemoteConfigOptions {
  /** True where the operator, not the repository, decides about the box: `sandbox.level: none` then counts as `auto`. */
  isBoxRequired: boolean;
  /** How long an answer is kept. */
  ttlMs: number;
}

/** Configurations of repositories on GitHub, read from the base branch and kept for a short while. */
export function createRemoteConfig(
  deps: { clock: Clock; read: ReadAt },
  options: RemoteConfigOptions,
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
    const isOpen = options.isBoxRequired && config.sandbox.level === "none";
    return isOpen ? { ...config, sandbox: { ...config.sandbox, level: "auto" } } : config;
  }

  return (place) => {
    const key = `${place.installation ?? ""}/${place.owner}/${place.name}`;
    const known = kept.get(key);
    const now = deps.clock.now();
    if (known && now < known.untilMs) return known.config;
    for (const [old, { untilMs }] of kept) if (untilMs <= now) kept.delete(old);
    const config = load(place);
    kept.set(key, { untilMs: now + options.ttlMs, config });
    // A failure is the caller's to handle; it is only not kept.
    config.catch(() => kept.delete(key));
    return config;
  };
}
