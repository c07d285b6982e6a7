import { z } from "zod";
import {
  type CodeMap,
  type MappedSymbol,
  dependentLine,
  symbolLine,
  useLine,
  warningLines,
} from "../../codemap/index.js";
import { defineTool } from "../define-tool.js";
import { moreLine, openMap } from "./open-map.js";

const LIMIT = 30;
const MAX_LIMIT = 80;
const MAX_DEPTH = 4;
const MAX_TESTS = 10;

/** Finds who uses a definition, or what a change of it or of a file can break. */
export const findReferencesTool = defineTool({
  name: "find_references",
  description:
    "Finds who uses a definition: path:line kind in what, and what is known about it. With depth above 1, or for a file: all that a change can break, and the tests to run.",
  kind: "read",
  input: z.strictObject({
    symbol: z
      .string()
      .min(1)
      .describe("src/store.ts#Store.save, a name that is defined once, or a file's path"),
    depth: z.int().min(1).max(MAX_DEPTH).default(1).describe("How many steps to follow"),
    limit: z.int().min(1).max(MAX_LIMIT).default(LIMIT),
  }),
  async run({ symbol, depth, limit }, context, signal) {
    const map = await openMap(context, signal);
    if (depth > 1 || map.hasFile(symbol)) return impactText(map, symbol, { depth, limit });
    const { history } = context;
    const known = history && (({ key }: MappedSymbol) => history(key, signal));
    const found = await map.lookup(symbol, known, { limit });
    const { items, truncated, warnings } = found.references;
    const lines = [
      symbolLine(found.symbol),
      ...(items.length > 0 ? items.map(useLine) : ["(nothing uses it)"]),
      ...moreLine(truncated),
      ...listed("implemented or extended by:", found.implementers.map(symbolLine)),
      ...listed("known from earlier work:", found.knowledge ?? []),
      ...warningLines(warnings),
    ];
    return lines.join("\n");
  },
});

function listed(title: string, lines: readonly string[]): string[] {
  return lines.length > 0 ? [title, ...lines] : [];
}

function impactText(map: CodeMap, symbol: string, options: { depth: number; limit: number }): string {
  const { symbols, files, tests, truncated, warnings } = map.impact(symbol, options);
  const more = tests.length - MAX_TESTS;
  return [
    `${symbols.length + truncated} definitions in ${files.length} files depend on it:`,
    ...symbols.map(dependentLine),
    ...moreLine(truncated),
    `files: ${files.slice(0, options.limit).join(" ")}`,
    `tests: ${tests.slice(0, MAX_TESTS).join(" ") || "none reaches it"}${more > 0 ? ` and ${more} more` : ""}`,
    ...warningLines(warnings),
  ].join("\n");
}
