import type { TreeSource } from "./map-types.js";

/** All that is kept of one checkout. */
const MAX_BYTES = 16_000_000;

/**
 * The same checkout, of which a file that git knows to be unchanged is read once: what is packed for one task after the other is mostly
 * the same. Contract: `read` gives what was there when it was last listed, or what is there now; nobody changes the bytes.
 */
export function keepTexts(tree: TreeSource, maxBytes = MAX_BYTES): TreeSource {
  let blobs = new Map<string, string | null>();
  const kept = new Map<string, Buffer>();
  let size = 0;

  function keep(blob: string, bytes: Buffer): void {
    if (bytes.length > maxBytes || kept.has(blob)) return;
    kept.set(blob, bytes);
    size += bytes.length;
    for (const [oldest, text] of kept) {
      if (size <= maxBytes) return;
      kept.delete(oldest);
      size -= text.length;
    }
  }

  return {
    list: async (signal) => {
      const entries = await tree.list(signal);
      blobs = new Map(entries.map(({ path, blob }) => [path, blob]));
      return entries;
    },
    read: async (path) => {
      const blob = blobs.get(path) ?? null;
      const known = blob === null ? undefined : kept.get(blob);
      if (known) return known;
      const bytes = await tree.read(path);
      // What changed while it was read is not what git named.
      if (blob !== null && bytes !== null && blobs.get(path) === blob) keep(blob, bytes);
      return bytes;
    },
  };
}
