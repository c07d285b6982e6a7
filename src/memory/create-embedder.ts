import { AccrueError } from "../shared/index.js";
import { createApiEmbedder } from "./embed/api-embedder.js";
import { createHashEmbedder } from "./embed/hash-embedder.js";
import { createStaticEmbedder, hasStaticTable } from "./embed/static-embedder.js";
import type { EmbedderOptions } from "./options.js";
import type { Embedder } from "./types.js";

/** What making an embedder of the configuration needs. */
export interface EmbedderDeps {
  env: Readonly<Record<string, string | undefined>>;
  fetch: typeof fetch;
  warn(message: string): void;
}

/** Makes the embedder that the configuration names. */
export async function createEmbedder(
  { env, fetch, warn }: EmbedderDeps,
  wanted: EmbedderOptions,
  signal: AbortSignal,
): Promise<Embedder> {
  if (wanted === "hash") return createHashEmbedder();
  if (wanted === "static") {
    if (hasStaticTable()) return createStaticEmbedder();
    warn("The table of word vectors is not installed: memories are compared by their words and word pieces.");
    return createHashEmbedder();
  }
  const key = wanted.key === "" ? "" : env[wanted.key];
  if (key === undefined) {
    throw new AccrueError(
      "CONFIG_MISSING",
      `memory.embedder.key names the environment variable ${wanted.key}, which is not set: set it, or use the embedder "static".`,
    );
  }
  return createApiEmbedder({ baseUrl: wanted.url, model: wanted.model, key, fetch }, signal);
}
