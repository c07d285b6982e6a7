import type { Binder, Index } from "../map-types.js";
import { findReferences } from "./find-references.js";
import { createGraph } from "./graph.js";
import { createRules } from "./rules-of.js";
import { createUses } from "./uses.js";
import { createViews } from "./views.js";

/** Binds the names of an index's files to their definitions. Answers are kept until the index lists its files anew. */
export function createBinder(index: Index): Binder {
  const views = createViews(index);
  const rules = createRules(views);
  const graph = createGraph(views, rules);
  const bound = createUses(views, rules, graph);
  return {
    targets: bound,
    references: (path, symbol) => findReferences({ views, graph, bound }, { path, symbol }),
    imports: graph.imports,
    importers: graph.importers,
    implementers: (path, symbol) =>
      findReferences({ views, graph, bound }, { path, symbol }).flatMap(
        ({ path: at, index: use, confidence }) => {
          const fact = views.of(at)?.reference(use);
          const isHead = fact?.kind === "inherit" || fact?.kind === "implement";
          return isHead && fact.within !== -1 ? [{ path: at, symbol: fact.within, confidence }] : [];
        },
      ),
  };
}
