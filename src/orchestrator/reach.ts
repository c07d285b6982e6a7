import {
  type CodeMap,
  type Dependent,
  type Graph,
  type GraphNode,
  type Impact,
  mermaidOf,
} from "../codemap/index.js";
import type { Site } from "./site.js";
import type { Reach } from "./types.js";

/** A drawing of more files says less. */
const MAX_FILES = 20;
const MAX_DEPENDENTS = 200;

/** What the change in a repository can break: who uses what it touches, and the tests that reach it. Null when nothing of it is mapped. */
export async function reachOf({ code, workspace }: Site, signal: AbortSignal): Promise<Reach | null> {
  const { map } = code;
  const { mirror, baseSha, head } = workspace;
  await map.refresh(signal);
  const impact = map.impactOfDiff(await mirror.diff(baseSha, await head()), { limit: MAX_DEPENDENTS });
  if (impact.changed.length === 0) return null;
  const { symbols, truncated, files, tests } = impact;
  const changed = new Set(impact.changed.map(({ path }) => path));
  return {
    definitions: symbols.length + truncated,
    files: files.filter((path) => !changed.has(path)),
    tests,
    drawing: mermaidOf(drawn(impact, map)),
  };
}

/** Files and who of them uses whom, nearest first: the changed ones, who brings them in, and who reaches them through others. */
function drawn({ changed, symbols, tests }: Impact, map: Pick<CodeMap, "importers">): Graph {
  const middle = [...new Set(changed.map(({ path }) => path))];
  const imports = middle.flatMap((to) =>
    map.importers(to, { limit: MAX_FILES }).items.map((from) => ({ from, to })),
  );
  const uses = symbols.map((each) => ({ from: each.symbol.path, to: usedBy(each) }));
  const layers = new Map(middle.map((path) => [path, 0]));
  const add = (path: string, layer: number) => {
    if (!layers.has(path)) layers.set(path, layer);
  };
  for (const { from } of imports) add(from, -1);
  for (const { symbol, depth } of symbols) add(symbol.path, -depth);
  const nodes = [...layers].map(([id, layer]): GraphNode => ({
    id,
    label: id,
    layer,
    isTest: tests.includes(id),
  }));
  const shown = new Set([...layers.keys()].slice(0, MAX_FILES));
  const edges = new Map([...imports, ...uses].map((edge) => [`${edge.from}\0${edge.to}`, edge]));
  return {
    nodes: nodes.slice(0, MAX_FILES),
    edges: [...edges.values()].filter(({ from, to }) => from !== to && shown.has(from) && shown.has(to)),
    truncated: nodes.length - shown.size,
    warnings: [],
  };
}

/** Path of what a dependent uses. */
function usedBy({ through }: Dependent): string {
  return through.split("#")[0] ?? through;
}
