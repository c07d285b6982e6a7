import { clipEnd, estimateTokens } from "../../shared/index.js";
import type { Index, MappedSymbol } from "../map-types.js";
import { outlineFiles } from "../outline.js";
import { symbolsOf } from "./symbols.js";

const FOLDER_SHARE = 0.3;
const MAX_SYMBOLS_PER_FILE = 6;
const MAX_DEFINERS = 5;
/** The whole value of a constant says no more than its beginning. */
const MAX_VALUE = 60;

interface Ranked {
  symbol: MappedSymbol;
  users: number;
}

/** Shows a tree under a budget of tokens: its folders, then its most used definitions by file. The same tree gives the same bytes. */
export function overviewOf(index: Index, maxTokens: number): string {
  const files = index.files().filter(({ isTest }) => !isTest);
  const folders = outlineFiles(index.paths(), Math.floor(maxTokens * FOLDER_SHARE));
  const ranked = files
    .flatMap(({ path }) => topOf(index, path))
    .sort((a, b) => b.users - a.users || (a.symbol.key < b.symbol.key ? -1 : 1));
  const lines = [folders, ""];
  let tokens = estimateTokens(lines.join("\n"));
  const shown = new Map<string, Ranked[]>();
  for (const each of ranked) {
    const { path } = each.symbol;
    const present = shown.get(path) ?? [];
    if (present.length >= MAX_SYMBOLS_PER_FILE) continue;
    const cost = estimateTokens(symbolLine(each)) + 1 + (present.length === 0 ? estimateTokens(path) + 1 : 0);
    if (tokens + cost > maxTokens) continue;
    tokens += cost;
    shown.set(path, [...present, each]);
  }
  for (const path of [...shown.keys()].sort()) {
    const inFile = (shown.get(path) ?? []).sort((a, b) => a.symbol.line - b.symbol.line);
    lines.push(path, ...inFile.map(symbolLine));
  }
  return lines.join("\n").trim();
}

function symbolLine({ symbol, users }: Ranked): string {
  const isValue = symbol.kind === "constant" || symbol.kind === "variable";
  const shown = isValue ? clipEnd(symbol.signature, MAX_VALUE) : symbol.signature;
  return `  ${symbol.line} ${shown}${users > 0 ? `  (used by ${users})` : ""}`;
}

/** The names that only few files define are counted by the files that use them: exact binding of all of them would take too long. */
function topOf(index: Index, path: string): Ranked[] {
  return symbolsOf(index, path)
    .filter(({ isExported, parent }) => isExported && parent < 0)
    .map((symbol) => {
      const definers = index.defining(symbol.name);
      const users = index.using(symbol.name).filter((each) => !definers.includes(each));
      return {
        symbol,
        users: definers.length > MAX_DEFINERS ? 0 : Math.round(users.length / definers.length),
      };
    });
}
