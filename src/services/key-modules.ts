import { type CodeMap, type MappedSymbol, isTestPath } from "../codemap/index.js";
import { plain } from "./lines.js";
import type { KeyModule } from "./types.js";

const MAX_MODULES = 8;
const MAX_FILES = 2000;
const MAX_SYMBOLS = 20;
const MAX_ABOUT = 100;
const LEAST_IMPORTERS = 2;

/** The files of a service that most others import, with what each is known for. */
export function keyModules(
  map: Pick<CodeMap, "importers" | "outline" | "hasFile">,
  paths: readonly string[],
): KeyModule[] {
  const counted = paths
    .filter((path) => map.hasFile(path) && !isTestPath(path))
    .slice(0, MAX_FILES)
    .map((path) => {
      const { items, truncated } = map.importers(path, { limit: 1 });
      return { path, importers: items.length + truncated };
    });
  return counted
    .filter(({ importers }) => importers >= LEAST_IMPORTERS)
    .sort((a, b) => b.importers - a.importers || (a.path < b.path ? -1 : 1))
    .slice(0, MAX_MODULES)
    .map(({ path, importers }) => {
      const known = knownFor(map.outline(path, { limit: MAX_SYMBOLS }).items);
      return {
        path,
        importers,
        symbol: known?.name ?? null,
        about: plain(firstSentence(known?.doc ?? ""), MAX_ABOUT),
      };
    });
}

function knownFor(symbols: readonly MappedSymbol[]): MappedSymbol | null {
  const given = symbols.filter(({ isExported, parent }) => isExported && parent < 0);
  return given.find(({ doc }) => doc !== "") ?? given[0] ?? null;
}

function firstSentence(text: string): string {
  // Java's comments link and sign.
  const said = text.replaceAll(/\{@\w+\s+(?:[\w.#]+\s+)?([^}]*)\}/g, "$1");
  if (said.startsWith("@")) return "";
  return /^.*?[.!?。！？](?=\s|$)/su.exec(said)?.[0] ?? said;
}
