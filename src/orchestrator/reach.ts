import { type Dependent, type Graph, type GraphNode, type Impact, mermaidOf } from "../codemap/index.js";
import type { Reach, Run } from "./types.js";

/** A drawing of more files says less. */
const MAX_FILES = 20;
const MAX_DEPENDENTS = 200;

/** What the run's change can break: who uses what it touches, and the tests that reach it. Null when nothing of it is mapped. */
export async function reachOf(run: Run, signal: AbortSignal): Promise<Reach | null> {
  const { map } = run.code;
  const { mirror, baseSha, head } = run.workspace;
  await map.refresh(signal);
  const impact = map.impactOfDiff(await mirror.diff(baseSha, await head()), { limit: MAX_DEPENDENTS });
  if (impact.changed.length === 0) return null;
  const { symbols, truncated, files, tests } = impact;
  const changed = new Set(impact.changed.map(({ path }) => path));
  return {
    definitions: symbols.length + truncated,
    files: files.filter((path) => !changed.has(path)),
    tests,
    drawing: mermaidOf(drawn(impact)),
  };
}

/** Files and who of them uses whom, nearest first. */
function drawn({ changed, symbols, tests }: Impact): Graph {
  const layers = new Map<string, number>();
  for (const { path } of changed) layers.set(path, 0);
  for (const { symbol, depth } of symbols) if (!layers.has(symbol.path)) layers.set(symbol.path, -depth);
  const all = [...layers].map(([id, layer]): GraphNode => ({
    id,
    label: id,
    layer,
    isTest: tests.includes(id),
  }));
  const nodes = all.slice(0, MAX_FILES);
  const shown = new Set(nodes.map(({ id }) => id));
  const edges = new Map(symbols.map((each) => [`${each.symbol.path}\0${usedBy(each)}`, each]));
  return {
    nodes,
    edges: [...edges.values()]
      .map((each) => ({ from: each.symbol.path, to: usedBy(each) }))
      .filter(({ from, to }) => from !== to && shown.has(from) && shown.has(to)),
    truncated: all.length - nodes.length,
    warnings: [],
  };
}

/** Path of what a dependent uses. */
function usedBy({ through }: Dependent): string {
  return through.split("#")[0] ?? through;
}
