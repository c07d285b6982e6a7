import type { Recalled } from "../memory/index.js";
import { estimateTokens, visibleText } from "../shared/index.js";
import { liveKnowledge, readLibrary } from "./library.js";
import { oncePerTree } from "./once-per-tree.js";
import type { TreeMemory } from "./open-tree-memory.js";
import type { Rule, Tree } from "./types.js";

/** What earlier work says about one definition: a rule or a memory that names it. */
export interface KnownOfSymbol {
  id: string;
  kind: "rule" | "fact" | "decision" | "pattern" | "event";
  title: string;
  text: string;
  path: string;
}

const MAX_KNOWN = 8;
const MAX_TEXT_TOKENS = 120;

/** The rules and memories that name a definition, rules first; of a long text its beginning. */
export async function knownOfSymbol(
  memory: Pick<TreeMemory, "ofSymbol" | "follow">,
  tree: Tree,
  key: string,
  signal: AbortSignal,
): Promise<KnownOfSymbol[]> {
  const all = rulesOf(tree);
  const written = all.flatMap(({ symbols }) => symbols.filter((symbol) => symbol.includes("#")));
  const now = written.length > 0 ? await memory.follow?.({ files: [], symbols: written }) : undefined;
  const rules = all.filter(({ symbols }) =>
    symbols.some((symbol) => names(now?.symbols.get(symbol) ?? symbol, key)),
  );
  const memories = await memory.ofSymbol(tree, key, signal);
  return [...rules.map(ofRule), ...memories.map(ofMemory)].slice(0, MAX_KNOWN);
}

/** One line of it, as models and people read it. */
export function knownLine({ id, title, text, path }: KnownOfSymbol): string {
  const said = text.startsWith(title) || text === "" ? text || title : `${title}: ${text}`;
  return `[${id}] ${said} (${path})`;
}

const rulesOf = oncePerTree((tree) => liveKnowledge(readLibrary(tree)).rules.map(({ rule }) => rule));

/** A trigger names a definition by its key, its name, or its name with what it stands in. */
function names(symbol: string, key: string): boolean {
  if (symbol.includes("#")) return symbol === key;
  const qualified = key.slice(key.indexOf("#") + 1).replace(/~\d+$/, "");
  return qualified === symbol || qualified.endsWith(`.${symbol}`);
}

function ofRule({ id, title, alert, prose, file }: Rule): KnownOfSymbol {
  return { id, kind: "rule", title, text: oneLine(alert || prose), path: file };
}

function ofMemory({ memory, conflictsWith }: Recalled): KnownOfSymbol {
  const { id, type, title, text, path } = memory;
  const against = conflictsWith.length === 0 ? "" : ` (contradicts ${conflictsWith.join(", ")})`;
  return { id, kind: type, title: `${title}${against}`, text: oneLine(text), path };
}

function oneLine(text: string): string {
  const line = visibleText(text).replace(/\s+/g, " ").trim();
  if (estimateTokens(line) <= MAX_TEXT_TOKENS) return line;
  return `${line.slice(0, MAX_TEXT_TOKENS * 3).replace(/[\ud800-\udbff]$/, "")} …`;
}
