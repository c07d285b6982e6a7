import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import {
  type CodeMap,
  type Confidence,
  type Listing,
  type MappedSymbol,
  type Refreshed,
  type Use,
  dependentLine,
  mermaidOf,
  svgOf,
  symbolLine,
  useLine,
  warningLines,
} from "../../codemap/index.js";
import { type KnownOfSymbol, knownLine } from "../../knowledge/index.js";
import { EXIT } from "../output.js";
import type { CommandEnd } from "../program.js";
import type { MapQuestion } from "../map-question.js";
import { impactEnd } from "./map-impact.js";
import { moreLines, symbolJson } from "./map-symbols.js";

/** What answering needs: the map of a checkout, already refreshed, and git's diff of it against a revision. */
export interface MapDeps {
  map: CodeMap;
  refreshed: Refreshed;
  diff(revision: string): Promise<string>;
  /** What is known about a definition, by its key. */
  known(key: string): Promise<KnownOfSymbol[]>;
}

/** Answers one question of the command line about a checkout's code. */
export async function mapCommand(deps: MapDeps, question: MapQuestion): Promise<CommandEnd> {
  const { map } = deps;
  switch (question.about) {
    case "build":
      return built(deps.refreshed);
    case "find":
      return symbolsEnd(
        map.find(question.name, question),
        `No definition is called ${question.name} or similar.`,
      );
    case "refs":
      return references(map, question);
    case "lookup":
      return lookedUp(deps, question);
    case "callers":
      return callers(map, question);
    case "impact":
      return impactEnd(map.impact(question.target, question));
    case "diff":
      return impactEnd(map.impactOfDiff(await deps.diff(question.revision), question));
    case "outline":
      return symbolsEnd(map.outline(question.path, question), `${question.path} defines nothing.`);
    case "importers":
      return importers(map, question);
    case "unused":
      return symbolsEnd(map.unused(question), "Everything that is given out is used.");
    case "overview": {
      const overview = map.overview(question.tokens);
      const text = overview || "There is no code here that the map reads.";
      return { json: { overview }, text, status: EXIT.done };
    }
    case "graph":
      break;
  }
  return graph(map, question);
}

function built({ files, symbols, references, partial, skipped, reused, read, ms }: Refreshed): CommandEnd {
  const text = [
    `${files} files, ${symbols} definitions, ${references} uses; ${read} files read, ${reused} known already, ${ms} ms.`,
    ...(skipped.length > 0
      ? [`${skipped.length} files are left out: vendored, generated, too large or no text.`]
      : []),
    ...warningLines(partial),
  ].join("\n");
  return {
    json: { files, symbols, references, partial, skipped, reused, read, ms },
    text,
    status: EXIT.done,
  };
}

function references(map: CodeMap, { key, isAll, limit }: MapQuestion & { about: "refs" }): CommandEnd {
  const least: Confidence = isAll ? "guess" : "likely";
  const found = map.references(key, { least, ...limitOf(limit, isAll) });
  const all = isAll ? found : map.references(key, { least: "guess", limit: Number.MAX_SAFE_INTEGER });
  const guesses = all.items.filter(({ confidence }) => confidence === "guess").length;
  const { items, truncated, warnings } = found;
  const json = {
    references: items.map(useJson),
    truncated,
    warnings,
  };
  const notes = !isAll && guesses > 0 ? [`${guesses} more share only the name: --all`] : [];
  return end(json, found, { lines: items.map(useLine), nothing: `Nothing uses ${key}.`, notes });
}

async function lookedUp(
  { map, known }: MapDeps,
  { key, limit }: MapQuestion & { about: "lookup" },
): Promise<CommandEnd> {
  const found = await map.lookup(key, (symbol) => known(symbol.key), limitOf(limit, false));
  const { symbol, references: uses, implementers } = found;
  const knowledge = found.knowledge ?? [];
  const { items, truncated, warnings } = uses;
  const json = {
    symbol: symbolJson(symbol),
    references: items.map(useJson),
    implementers: implementers.map(symbolJson),
    knowledge,
    truncated,
    warnings,
  };
  const text = [
    symbolLine(symbol),
    ...listed("Used by:", items.length > 0 ? items.map(useLine) : ["nothing"]),
    ...moreLines(items.length, truncated, uses.isOpen),
    ...listed("Implemented or extended by:", implementers.map(symbolLine)),
    ...listed("Known:", knowledge.length > 0 ? knowledge.map(knownLine) : ["nothing"]),
    ...warningLines(warnings),
  ];
  return { json, text: text.join("\n"), status: EXIT.done };
}

function listed(title: string, lines: readonly string[]): string[] {
  return lines.length > 0 ? ["", title, ...lines] : [];
}

function useJson({ path, line, column, kind, confidence, within, isTest }: Use): Record<string, unknown> {
  return { path, line, column, symbol: within, kind, confidence, test: isTest };
}

function callers(map: CodeMap, { key, ...options }: MapQuestion & { about: "callers" }): CommandEnd {
  const found = map.callers(key, options);
  const { items, truncated, warnings } = found;
  const json = {
    callers: items.map(({ symbol, depth, confidence, through }) => {
      return { ...symbolJson(symbol), depth, confidence, through };
    }),
    truncated,
    warnings,
  };
  return end(json, found, { lines: items.map(dependentLine), nothing: `Nothing uses ${key}.` });
}

function importers(map: CodeMap, question: MapQuestion & { about: "outline" | "importers" }): CommandEnd {
  const found = map.importers(question.path, question);
  const { items, truncated, warnings } = found;
  const nothing = `No file imports ${question.path}.`;
  return end({ files: items, truncated, warnings }, found, { lines: items, nothing });
}

async function graph(map: CodeMap, question: MapQuestion & { about: "graph" }): Promise<CommandEnd> {
  const { target, svg, depth } = question;
  const found = map.graph(target, depth === undefined ? {} : { depth });
  const { nodes, edges, truncated, warnings } = found;
  const mermaid = mermaidOf(found);
  if (svg !== null) await writeFile(resolve(svg), svgOf(found));
  const json = { graph: mermaid, svg, nodes, edges, truncated, warnings };
  const lines = svg === null ? [mermaid] : [`${svg} shows ${nodes.length} boxes and ${edges.length} arrows.`];
  return { json, text: [...lines, ...warningLines(warnings)].join("\n"), status: EXIT.done };
}

function symbolsEnd(found: Listing<MappedSymbol>, nothing: string): CommandEnd {
  const { items, truncated, warnings } = found;
  const json = { symbols: items.map(symbolJson), truncated, warnings };
  return end(json, found, { lines: items.map(symbolLine), nothing });
}

function limitOf(limit: number | undefined, isAll: boolean): { limit?: number } {
  if (limit !== undefined) return { limit };
  return isAll ? { limit: Number.MAX_SAFE_INTEGER } : {};
}

function end(
  json: unknown,
  { items, truncated, isOpen, warnings }: Listing<unknown>,
  { lines, nothing, notes = [] }: { lines: readonly string[]; nothing: string; notes?: readonly string[] },
): CommandEnd {
  const shown = lines.length > 0 ? lines : [nothing];
  const text = [
    ...shown,
    ...moreLines(items.length, truncated, isOpen),
    ...notes,
    ...warningLines(warnings),
  ].join("\n");
  return { json, text, status: EXIT.done };
}
