import { AccrueError } from "../../shared/index.js";
import type { Index, MappedSymbol } from "../map-types.js";
import { warningsOf } from "./symbols.js";
import type { DefinitionText } from "./types.js";

/** The text of a definition, as the file is now. Throws `INPUT_INVALID` when the file is gone or shorter than when it was mapped. */
export async function definitionOf(
  index: Index,
  read: (path: string) => Promise<Buffer | null>,
  symbol: MappedSymbol,
): Promise<DefinitionText> {
  const { path, from, to } = symbol;
  const lines = (await read(path))?.toString("utf8").split(/\r\n|\n|\r/);
  if (!lines || lines.length < to) {
    throw new AccrueError(
      "INPUT_INVALID",
      `${path} has changed since it was mapped: refresh the map, then ask again.`,
    );
  }
  const text = lines.slice(from - 1, to).join("\n");
  return { symbol, lines: [from, to], text, warnings: warningsOf(index, [path]) };
}
