import { z } from "zod";
import { SYMBOL_KINDS, symbolLine, warningLines } from "../../codemap/index.js";
import { defineTool } from "../define-tool.js";
import { moreLine, openMap } from "./open-map.js";

const LIMIT = 20;
const MAX_LIMIT = 100;

/** Finds where a name is defined, or what a file or folder defines. */
export const findSymbolTool = defineTool({
  name: "find_symbol",
  description:
    "Finds definitions by name, also a part of it or misspelt, or lists those of a file or folder; gives path:lines kind signature.",
  kind: "read",
  input: z.strictObject({
    name: z
      .string()
      .min(1)
      .describe("save, Store.save, or a path (src/store.ts, src/store) for what it defines"),
    kind: z.enum(SYMBOL_KINDS).optional(),
    limit: z.int().min(1).max(MAX_LIMIT).default(LIMIT),
  }),
  async run({ name, kind, limit }, context, signal) {
    const map = await openMap(context, signal);
    const isPath = name.includes("/") || map.hasFile(name);
    const found = isPath ? map.outline(name, { limit }) : map.find(name, { kind: kind ?? null, limit });
    if (found.items.length === 0) return `(nothing is called ${name}; search finds text)`;
    const lines = found.items.map(symbolLine);
    return [...lines, ...moreLine(found.truncated), ...warningLines(found.warnings)].join("\n");
  },
});
