import { join } from "node:path";
import { type TreeMemoryDeps, openTreeMemory } from "../knowledge/index.js";
import { type EmbeddingServer, allowedEmbedder } from "../memory/index.js";
import type { RepositoryRef } from "../shared/index.js";
import type { EngineDeps } from "./types.js";

/** Where memories are kept, and who may be asked for vectors. */
export interface MemoryPlaces {
  /** Folder of what is known of a repository and can be made again from it. */
  cacheOf(repository: RepositoryRef): string;
  /** The servers that an operator allows; without the list every repository may name its own. */
  servers?: readonly EmbeddingServer[] | undefined;
}

/** Makes the engine's door to what is remembered of a repository. */
export function createMemoryDoor(
  machine: Pick<TreeMemoryDeps, "env" | "now" | "fetch">,
  { cacheOf, servers }: MemoryPlaces,
): EngineDeps["openMemory"] {
  return ({ repository, options, warn, follow }, signal) => {
    const embedder = servers ? allowedEmbedder(options.embedder, servers) : options.embedder;
    if (embedder === null) {
      warn(
        "memory.embedder in agent.yml names a server that the operator does not allow: the table that ships is used instead.",
      );
    }
    const place = {
      file: join(cacheOf(repository), "memory.db"),
      options: { ...options, embedder: embedder ?? "static" },
    };
    return openTreeMemory({ ...machine, warn, ...(follow && { follow }) }, place, signal);
  };
}
