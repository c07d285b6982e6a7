import type { ModuleSystem } from "../languages.js";
import type { ReferenceFact, SymbolKind } from "../types.js";
import { type Definition, type Meaning, asDefinitions, definitionsAmong } from "./meaning.js";
import type { Members } from "./members.js";
import type { ModuleRules } from "./rules.js";
import { nameOfType } from "./type-text.js";
import type { View, Views } from "./views.js";

const TYPES: ReadonlySet<SymbolKind> = new Set(["class", "interface", "enum", "type"]);
const SUPER = new Set(["super", "base", "parent"]);
const OWN_TYPE = new Set(["Self", "static", "self", "cls"]);
const SEPARATOR = /(?:\?\.|!\.|\.|::|->|\\)(?=[^.:>\\]+$)/;
const MAX_DEPTH = 8;

/** What is known of the thing before a member's dot. */
export interface Receiver {
  /** True when it is known what it is, even when that is nothing in the tree. */
  isKnown: boolean;
  isSelf: boolean;
  meanings: Meaning[];
}

/** What receivers stand for, and what they have. */
export interface Values {
  receiver(view: View, reference: number): Receiver;
  member(meanings: readonly Meaning[], name: string): Meaning[];
}

/** What the values' side needs of the names' side. */
export interface Names {
  bare(view: View, name: string): Meaning[];
  bound(path: string, reference: number): readonly Definition[];
  rules(system: ModuleSystem): ModuleRules;
}

/** Prepares what finds out what receivers stand for. */
export function createValues(views: Views, names: Names, members: Members): Values {
  const typed = (path: string, written: string, depth = 0): Receiver => {
    const view = views.of(path);
    if (!view || depth > MAX_DEPTH) return UNKNOWN;
    if (written.endsWith("()")) return called(dotted(view, written.slice(0, -2)), depth + 1);
    const name = nameOfType(written);
    if (name === null) return { ...UNKNOWN, isKnown: true };
    const found = definitionsAmong(dotted(view, name)).filter(({ path: at, symbol }) =>
      TYPES.has(views.of(at)?.symbol(symbol)?.kind ?? "variable"),
    );
    return known(found.map((definition) => ({ kind: "instance", ...definition })));
  };
  const dotted = (view: View, name: string): Meaning[] => {
    const [first = "", ...rest] = name.split(/\.|::|\\/);
    return rest.reduce<Meaning[]>((meanings, part) => member(meanings, part), names.bare(view, first));
  };
  const called = (meanings: readonly Meaning[], depth: number): Receiver => {
    const results = definitionsAmong(meanings).map((definition): Receiver => {
      const fact = views.of(definition.path)?.symbol(definition.symbol);
      if (!fact) return UNKNOWN;
      if (TYPES.has(fact.kind)) return known([{ kind: "instance", ...definition }]);
      return fact.type === null ? UNKNOWN : typed(definition.path, fact.type, depth);
    });
    return results.find(({ meanings: some }) => some.length > 0) ?? results[0] ?? UNKNOWN;
  };
  const ofDefinition = (definition: Definition): Meaning[] => {
    const fact = views.of(definition.path)?.symbol(definition.symbol);
    const isValue = fact?.kind === "constant" || fact?.kind === "variable" || fact?.kind === "method";
    const type = isValue && fact.type !== null ? typed(definition.path, fact.type).meanings : [];
    return [...type, { kind: "definition", ...definition }];
  };
  const member = (meanings: readonly Meaning[], name: string): Meaning[] => {
    for (const meaning of meanings) {
      if (meaning.kind === "module") {
        const found = names.rules(meaning.system).member(meaning.id, name);
        if (found.length > 0) return found;
        const value = names.rules(meaning.system).member(meaning.id, "default");
        const inner = value.length > 0 ? member(value.flatMap((each) => expand(each)), name) : [];
        if (inner.length > 0) return inner;
      } else {
        const found = members.find(meaning, name);
        if (found.length > 0) return asDefinitions(found);
        const field = members.field(meaning, name);
        if (field) return typed(field.path, field.type).meanings;
      }
    }
    return [];
  };
  const expand = (meaning: Meaning): Meaning[] => (meaning.kind === "definition" ? ofDefinition(meaning) : [meaning]);

  const receiver = (view: View, index: number, depth = 0): Receiver => {
    const reference = view.reference(index);
    if (!reference || reference.receiver === null || depth > MAX_DEPTH) return UNKNOWN;
    const isCall = reference.receiver.endsWith("()");
    const said = isCall ? reference.receiver.slice(0, -2) : reference.receiver;
    if (reference.receiverType !== null) return typed(view.path, reference.receiverType);
    if (said === "?") return UNKNOWN;
    const own = isCall ? null : selfOf(view, said, reference.within);
    if (own) return own;
    const before = useBefore(view, index, said);
    if (before === -1) return UNKNOWN;
    const meanings = meaningOf(view, before, depth);
    if (!meanings) return UNKNOWN;
    return isCall ? called(meanings, 0) : known(meanings.flatMap(expand));
  };
  /** What a use before the dot stands for; null when nothing is known of it. */
  const meaningOf = (view: View, index: number, depth: number): Meaning[] | null => {
    const reference = view.reference(index);
    if (!reference) return null;
    if (reference.receiver === null) {
      const bound = asDefinitions([...names.bound(view.path, index)]);
      const found = bound.length > 0 ? bound : names.bare(view, reference.name);
      return found.length > 0 ? found : view.imported(reference.name).length > 0 ? [] : null;
    }
    const outer = receiver(view, index, depth + 1);
    if (!outer.isKnown) return null;
    const found = member(outer.meanings, reference.name);
    return found.length > 0 || outer.meanings.length === 0 ? found : null;
  };
  const selfOf = (view: View, said: string, within: number): Receiver | null => {
    const isSuper = SUPER.has(said);
    if (!isSuper && !view.language.self.includes(said) && !OWN_TYPE.has(said)) return null;
    const owner = ownerOf(view, within);
    if (!owner) return UNKNOWN;
    const types = isSuper ? members.bases(owner) : [owner];
    return {
      isKnown: true,
      isSelf: !isSuper,
      meanings: types.map((type) => ({ kind: "instance", ...type })),
    };
  };
  /** The type (or the object) that a definition is a member of. */
  const ownerOf = (view: View, within: number): Definition | null => {
    for (let at = within; at !== -1; at = view.symbol(at)?.parent ?? -1) {
      const fact = view.symbol(at);
      if (!fact) return null;
      if (TYPES.has(fact.kind)) return { path: view.path, symbol: at };
      if (fact.kind !== "method") continue;
      const outer = fact.qualified.slice(0, fact.qualified.lastIndexOf("."));
      if (fact.parent === -1 && outer !== "") return detachedOwner(view, outer);
      if (view.symbol(fact.parent)?.kind === "constant") return { path: view.path, symbol: fact.parent };
    }
    return null;
  };
  const detachedOwner = (view: View, outer: string): Definition | null => {
    const here = view.qualified(outer)[0];
    if (here !== undefined) return { path: view.path, symbol: here };
    return definitionsAmong(dotted(view, outer))[0] ?? null;
  };
  return { receiver, member };
}

const UNKNOWN: Receiver = { isKnown: false, isSelf: false, meanings: [] };

function known(meanings: Meaning[]): Receiver {
  return { isKnown: true, isSelf: false, meanings };
}

/** The use that ends where a member's receiver ends: of `a.b` before `.c`, the use of `b`; -1 when a local stands there. */
function useBefore(view: View, index: number, said: string): number {
  const reference = view.reference(index);
  if (!reference) return -1;
  const [outer, last] = said.split(SEPARATOR);
  const name = last ?? outer ?? "";
  const receiver = last === undefined ? null : (outer ?? null);
  const uses = view.uses(name);
  for (let at = uses.length - 1; at >= 0; at--) {
    const candidate = uses[at] ?? -1;
    if (candidate >= index) continue;
    const use = view.reference(candidate);
    return use && use.receiver === receiver && isNear(use, reference) ? candidate : -1;
  }
  return -1;
}

const MAX_LINES_BETWEEN = 3;

function isNear(use: ReferenceFact, member: ReferenceFact): boolean {
  if (use.within !== member.within || member.line - use.line > MAX_LINES_BETWEEN) return false;
  if (use.line !== member.line) return true;
  const between = member.column - use.column - use.name.length;
  // A dot, `?.`, `::`, or the parentheses of a call between the two.
  return between >= 1 && (between <= 3 || (member.receiver?.endsWith("()") ?? false));
}
