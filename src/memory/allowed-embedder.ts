import type { EmbedderOptions, EmbeddingServer } from "./options.js";

/**
 * The embedder that a repository may use on a host for many: of servers only those that the operator named, with the
 * operator's key. Null where its wish is not allowed, so that no file in a repository sends its texts, or a key, elsewhere.
 */
export function allowedEmbedder(
  wanted: EmbedderOptions,
  operator: readonly EmbeddingServer[],
): EmbedderOptions | null {
  if (typeof wanted === "string") return wanted;
  return operator.find(({ url, model }) => url === wanted.url && model === wanted.model) ?? null;
}
