import type { Binder, Index } from "../map-types.js";
import type { Confidence, ReferenceFact } from "../types.js";
import { isBuiltinMember } from "./builtins.js";
import { findReferences } from "./find-references.js";
import { createGraph } from "./graph.js";
import { type Definition, type Meaning, asDefinitions, definitionsAmong } from "./meaning.js";
import { createMembers } from "./members.js";
import { createRules } from "./rules-of.js";
import { createValues } from "./values.js";
import { type View, createViews } from "./views.js";

/** A definition that a use may be bound to, and how sure that is. */
export interface Target extends Definition {
  confidence: Confidence;
}

const MAX_GUESSES = 3;
const GUESS_DISTANCE = 2;
const MAX_BINDING_DEPTH = 40;

/** Binds the names of an index's files to their definitions. Answers are kept until the index lists its files anew. */
export function createBinder(index: Index): Binder {
  const views = createViews(index);
  const rules = createRules(views);
  const graph = createGraph(views, rules);
  let depth = 0;
  const bound = (path: string, reference: number): Target[] =>
    views.once(`targets ${path}\0${reference}`, () => {
      const view = views.of(path);
      const fact = view?.reference(reference);
      if (!view || !fact || depth > MAX_BINDING_DEPTH) return [];
      depth++;
      try {
        return bind(view, reference, fact);
      } finally {
        depth--;
      }
    });
  const bare = (view: View, name: string): Meaning[] => {
    const own = view.top(name);
    if (own.length > 0) return asDefinitions(own.map((symbol) => ({ path: view.path, symbol })));
    const brought = rules.of(view.language.modules).visible(view, name);
    if (brought.length > 0) return brought;
    return asDefinitions(view.named(name).filter((each) => isType(view, each)).map((symbol) => ({ path: view.path, symbol })));
  };
  const members = createMembers(views, bound);
  const values = createValues(views, { bare, bound, rules: rules.of }, members);

  const bind = (view: View, reference: number, fact: ReferenceFact): Target[] => {
    if (fact.target >= 0) return sure(merged(view, fact.target), "certain");
    if (fact.kind === "import" && fact.receiver !== null) return sure(imported(view, fact), "certain");
    if (fact.receiver === null) {
      const brought = rules.of(view.language.modules).visible(view, fact.name);
      return sure(definitionsAmong(brought.length > 0 ? brought.flatMap(asValue) : exported(view, fact)), "certain");
    }
    return bindMember(view, reference, fact);
  };
  const imported = (view: View, { receiver, name }: ReferenceFact): Definition[] =>
    definitionsAmong(
      view.facts.imports
        .filter(({ source }) => source === receiver)
        .flatMap((fact) =>
          fact.bindings
            .filter((binding) => binding.name === name || binding.local === name)
            .slice(0, 1)
            .flatMap((binding) => rules.of(view.language.modules).imported(view, fact, binding.name)),
        )
        .flatMap(asValue),
    );
  /** `export { a as b }` names `b`, too. */
  const exported = (view: View, { kind, name }: ReferenceFact): Meaning[] =>
    kind !== "import"
      ? []
      : view.facts.exports.filter((fact) => fact.name === name).flatMap(({ local }) => bare(view, local));
  /** A module that is one value (`module.exports = f`) stands for it. */
  const asValue = (meaning: Meaning): Meaning[] => {
    if (meaning.kind !== "module") return [meaning];
    const value = rules.of(meaning.system).member(meaning.id, "default");
    return value.length > 0 ? value : [meaning];
  };
  const bindMember = (view: View, reference: number, fact: ReferenceFact): Target[] => {
    const receiver = values.receiver(view, reference);
    const found = definitionsAmong(values.member(receiver.meanings, fact.name));
    if (found.length > 0) {
      const isOwn =
        receiver.isSelf &&
        receiver.meanings.some((type) => type.kind !== "module" && members.find(type, fact.name)[0]?.isOwn);
      const isModule = receiver.meanings.every(({ kind }) => kind === "module");
      return sure(found, isOwn || isModule ? "certain" : "likely");
    }
    return receiver.isKnown ? [] : guess(view, fact);
  };
  const guess = (view: View, { name, kind }: ReferenceFact): Target[] => {
    if (kind !== "call" || isBuiltinMember(name)) return [];
    const near = graph.within(view.path, GUESS_DISTANCE);
    const found = index.defining(name).flatMap((path) => {
      const other = near.has(path) ? views.of(path) : null;
      return (other?.named(name) ?? [])
        .filter((each) => other?.symbol(each)?.kind === "method")
        .map((symbol) => ({ path, symbol }));
    });
    return found.length > MAX_GUESSES ? [] : sure(found, "guess");
  };

  return {
    targets: bound,
    references: (path, symbol) => findReferences({ views, graph, bound }, { path, symbol }),
    imports: graph.imports,
    importers: graph.importers,
    implementers: (path, symbol) => {
      const name = views.of(path)?.symbol(symbol)?.name;
      if (name === undefined) return [];
      return findReferences({ views, graph, bound }, { path, symbol })
        .map((use) => ({ use, fact: views.of(use.path)?.reference(use.index) }))
        .filter(({ fact }) => (fact?.kind === "inherit" || fact?.kind === "implement") && fact.within !== -1)
        .map(({ use, fact }) => ({ path: use.path, symbol: fact?.within ?? -1, confidence: use.confidence }));
    },
  };
}

function isType(view: View, index: number): boolean {
  const kind = view.symbol(index)?.kind;
  return kind === "class" || kind === "interface" || kind === "enum" || kind === "type";
}

/** A definition with the others that are the same thing: overloads, an interface said twice. */
function merged(view: View, index: number): Definition[] {
  const fact = view.symbol(index);
  if (!fact) return [];
  return view.children(fact.parent, fact.name).map((symbol) => ({ path: view.path, symbol }));
}

function sure(found: readonly Definition[], confidence: Confidence): Target[] {
  return found.map(({ path, symbol }) => ({ path, symbol, confidence }));
}
