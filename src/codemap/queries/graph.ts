import { posix } from "node:path";
import type { Confidence } from "../types.js";
import { cleanPath, resolveSymbol } from "./resolve.js";
import { type Place, mapped, placeOfKey, warningsOf } from "./symbols.js";
import type { Graph, GraphNode, Limit } from "./types.js";
import { type Bound, isSure } from "./uses.js";

const DEFAULT_LIMIT = 40;
const LEAST: Confidence = "likely";

/** Finds the ids next to one, in one direction. */
type Next = (id: string) => string[];

/** What one neighbourhood is made of. */
interface Neighbourhood {
  start: string;
  users: Next;
  used: Next;
  node(id: string): Omit<GraphNode, "layer">;
  pathOf(id: string): string;
}

/** The files or symbols around one: those that use it, and those that it uses, some steps far. */
export function graphOf(
  bound: Bound,
  keyOrPath: string,
  { depth = 1, limit = DEFAULT_LIMIT }: Limit & { depth?: number } = {},
): Graph {
  const path = cleanPath(keyOrPath);
  const around = bound.index.file(path)
    ? filesAround(bound, path)
    : symbolsAround(bound, resolveSymbol(bound.index, keyOrPath));
  const layers = new Map([[around.start, 0]]);
  const edges = new Map<string, { from: string; to: string }>();
  let truncated = 0;
  const walk = (next: Next, step: 1 | -1) => {
    let edge = [around.start];
    for (let distance = 1; distance <= depth; distance++) {
      const found: string[] = [];
      for (const id of edge) {
        for (const other of next(id)) {
          if (!layers.has(other)) {
            if (layers.size >= limit) {
              truncated++;
              continue;
            }
            layers.set(other, step * distance);
            found.push(other);
          }
          const [from, to] = step > 0 ? [id, other] : [other, id];
          if (from !== to) edges.set(`${from}\0${to}`, { from, to });
        }
      }
      edge = found;
    }
  };
  walk(around.users, -1);
  walk(around.used, 1);
  const nodes = [...layers].map(([id, layer]) => ({ ...around.node(id), layer }));
  const warnings = warningsOf(
    bound.index,
    nodes.map(({ id }) => around.pathOf(id)),
  );
  return { nodes, edges: [...edges.values()], truncated, warnings };
}

function filesAround({ index, binder }: Bound, start: string): Neighbourhood {
  return {
    start,
    users: (path) => binder.importers(path),
    used: (path) => binder.imports(path),
    node: (path) => ({ id: path, label: path, isTest: index.file(path)?.isTest ?? false }),
    pathOf: (path) => path,
  };
}

function symbolsAround(bound: Bound, place: Place): Neighbourhood {
  const { index, binder } = bound;
  const start = mapped(index, place);
  const places = new Map<string, Place>(start ? [[start.key, place]] : []);
  const keep = (found: Place | null): string[] => {
    const symbol = found && mapped(index, found);
    if (!found || !symbol) return [];
    places.set(symbol.key, found);
    return [symbol.key];
  };
  const users: Next = (key) => {
    const at = places.get(key);
    const uses = at
      ? binder.references(at.path, at.symbol).filter(({ confidence }) => isSure(confidence, LEAST))
      : [];
    return unique(
      uses.flatMap(({ path, within }) => (within === null ? [] : keep(placeOfKey(index, path, within)))),
    );
  };
  const used: Next = (key) => {
    const at = places.get(key);
    const references = at ? (index.facts(at.path)?.references ?? []) : [];
    const targets = references.flatMap(({ within }, reference) =>
      at && within === at.symbol ? binder.targets(at.path, reference).slice(0, 1) : [],
    );
    return unique(
      targets.filter(({ confidence }) => isSure(confidence, LEAST)).flatMap((target) => keep(target)),
    );
  };
  return {
    start: start?.key ?? "",
    users,
    used,
    node: (key) => {
      const at = places.get(key);
      const symbol = at && mapped(index, at);
      const label = symbol ? `${symbol.qualified} · ${posix.basename(symbol.path)}:${symbol.line}` : key;
      return { id: key, label, isTest: symbol?.isTest ?? false };
    },
    pathOf: (key) => places.get(key)?.path ?? key,
  };
}

function unique(ids: readonly string[]): string[] {
  return [...new Set(ids)].sort();
}
