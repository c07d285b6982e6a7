import { type Impact, dependentLine, warningLines } from "../../codemap/index.js";
import { EXIT } from "../output.js";
import type { CommandEnd } from "../program.js";
import { moreLines, symbolJson } from "./map-symbols.js";

const MAX_SHOWN = 15;

/** What a change can break, as text under headings, and as JSON. */
export function impactEnd(impact: Impact): CommandEnd {
  const { changed, removed, symbols, files, tests, entryPoints, truncated, warnings } = impact;
  const json = {
    changed: changed.map(symbolJson),
    removed,
    files,
    symbols: symbols.map(({ symbol, depth, confidence, through }) => {
      return { ...symbolJson(symbol), depth, confidence, through };
    }),
    tests,
    entryPoints,
    truncated,
    warnings,
  };
  const text = [
    `${changed.length} definitions change. They reach ${files.length} files, ${symbols.length + truncated} other definitions and ${tests.length} test files.`,
    ...part("Gone, and still named by", removed.flatMap(goneLines)),
    ...part("Used by", symbols.map(dependentLine), symbols.length),
    ...moreLines(symbols.length, truncated),
    ...part("Files", files),
    ...part("Tests to run", tests),
    ...part("Entry points", entryPoints),
    ...warningLines(warnings),
  ].join("\n");
  return { json, text, status: EXIT.done };
}

function goneLines({ name, path, users }: Impact["removed"][number]): string[] {
  return users.map((user) => `${user.path}:${user.line} names ${name}, which was in ${path}`);
}

function part(title: string, lines: readonly string[], most = MAX_SHOWN): string[] {
  if (lines.length === 0) return [];
  const more = lines.length > most ? [`  … ${lines.length - most} more: --json`] : [];
  return ["", `${title}:`, ...lines.slice(0, most).map((line) => `  ${line}`), ...more];
}
