import { type CodeMap, createCodeMap } from "../../src/codemap/index.js";
import { createBinder } from "../../src/codemap/bind/index.js";
import type { Index } from "../../src/codemap/map-types.js";
import { memoryIndex } from "./memory-index.js";

/** A code map of a few files in memory; paths with `test` are tests, and a file can be said to be read in part only. */
export async function memoryMap(
  tree: Record<string, string>,
  partial: Record<string, string> = {},
): Promise<CodeMap> {
  const index = await memoryIndex(tree);
  const files = index.files().map((file) => {
    return { ...file, isTest: file.path.includes("test"), partial: partial[file.path] ?? file.partial };
  });
  const names = [
    ...new Set(files.flatMap(({ path }) => index.facts(path)?.symbols.map(({ name }) => name) ?? [])),
  ].sort();
  const mapped: Index = {
    ...index,
    files: () => files,
    file: (path) => files.find((file) => file.path === path) ?? null,
    names: (text, limit) =>
      names.filter((name) => name.toLowerCase().includes(text.toLowerCase())).slice(0, limit),
  };
  return createCodeMap({
    index: {
      ...mapped,
      refresh: () => Promise.reject(new Error("a tree in memory does not change")),
    },
    binder: createBinder(mapped),
    read: (path) => Promise.resolve(path in tree ? Buffer.from(tree[path] ?? "") : null),
  });
}
