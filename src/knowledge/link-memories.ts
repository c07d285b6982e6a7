import type { Memory } from "../memory/index.js";
import type { ReadMemories } from "./memories.js";

/** Finds where the code has files and symbols now that memories name; what is not known for certain is left out. */
export type Follow = (names: { files: readonly string[]; symbols: readonly string[] }) => Promise<{
  files: ReadonlyMap<string, string>;
  symbols: ReadonlyMap<string, string>;
}>;

const PATTERN = /[*?[{]/;

/** Links what memories name to the code as it is now, so that a renamed file or a moved definition keeps its history. */
export async function linkMemories(read: ReadMemories, follow: Follow): Promise<ReadMemories> {
  const { memories } = read;
  const names = {
    files: memories.flatMap(({ files }) => files.filter((path) => !PATTERN.test(path))),
    symbols: memories.flatMap(({ symbols }) => symbols),
  };
  const { files, symbols } = await follow({
    files: [...new Set(names.files)],
    symbols: [...new Set(names.symbols)],
  });
  const placesOf = (memory: Memory) => [
    ...memory.files.flatMap((path) => files.get(path) ?? []),
    ...memory.symbols.flatMap((name) => symbols.get(name) ?? []),
  ];
  return {
    ...read,
    memories: memories.map((memory) => {
      const linked = [...new Set(placesOf(memory))];
      return linked.length === 0 ? memory : { ...memory, linked };
    }),
  };
}
