import type { MappedSymbol } from "../../codemap/index.js";

/** A definition as a JSON document shows it. */
export function symbolJson(symbol: MappedSymbol): Record<string, unknown> {
  const { key, path, line, from, to, name, kind, signature, doc, isExported, isTest } = symbol;
  return {
    key,
    path,
    line,
    lines: [from, to],
    name,
    kind,
    signature,
    doc,
    exported: isExported,
    test: isTest,
  };
}

/** The line that says how much more there is; none when there is no more. */
export function moreLines(shown: number, truncated: number, isOpen = false): string[] {
  if (truncated <= 0) return [];
  const advice = isOpen ? "write more of the name" : `--limit ${shown + truncated}`;
  return [`… ${truncated}${isOpen ? " or more" : " more"}: ${advice}`];
}
