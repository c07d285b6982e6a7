import type { MappedSymbol } from "../map-types.js";
import type { Dependent, Use, Warning } from "./types.js";

/** One line about a definition, for people and models: `src/a.ts:3-9 method Store.save  save(order: Order): void`. */
export function symbolLine({
  path,
  from,
  to,
  kind,
  qualified,
  ordinal,
  name,
  signature,
}: MappedSymbol): string {
  const isPlain = qualified === name && ordinal === 0;
  const parts = [
    `${path}:${from}${to > from ? `-${to}` : ""}`,
    ...(signature.startsWith(`${kind} `) ? [] : [kind]),
    ...(isPlain ? [] : [`${qualified}${ordinal === 0 ? "" : `~${ordinal + 1}`} `]),
    signature || name,
  ];
  return parts.join(" ");
}

/** One line about a use: `src/b.ts:12 call in Shop.sell (likely)`. */
export function useLine({ path, line, kind, within, confidence }: Use): string {
  const where = within === null ? "" : ` in ${within.slice(path.length + 1)}`;
  return `${path}:${line} ${kind}${where}${confidence === "certain" ? "" : ` (${confidence})`}`;
}

/** One line about what depends on a definition, and through what when that is further than one step. */
export function dependentLine({ symbol, depth, confidence, through }: Dependent): string {
  const how = [
    ...(depth > 1 ? [`${depth} steps, through ${through}`] : []),
    ...(confidence === "certain" ? [] : [confidence]),
  ];
  return `${symbolLine(symbol)}${how.length > 0 ? ` (${how.join("; ")})` : ""}`;
}

/** What an answer may miss, one line per file. */
export function warningLines(warnings: readonly Warning[]): string[] {
  return warnings.map(({ path, reason }) => `⚠ ${path} was read in part only: ${reason}`);
}
