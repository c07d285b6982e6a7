import type { Confidence, ReferenceFact } from "../types.js";
import { isBuiltinMember } from "./builtins.js";
import type { Graph } from "./graph.js";
import { type Definition, type Meaning, asDefinitions, definitionsAmong } from "./meaning.js";
import { type Members, createMembers } from "./members.js";
import { type Owners, createOwners } from "./owners.js";
import { type Receiver, createReceivers } from "./receivers.js";
import type { RulesOf } from "./rules-of.js";
import { type Names, type Types, createTypes, isType } from "./types.js";
import type { View, Views } from "./views.js";

/** A definition that a use may be bound to, and how sure that is. */
export interface Target extends Definition {
  confidence: Confidence;
}

/** What binding one use asks. */
interface Sides {
  views: Views;
  rules: RulesOf;
  graph: Graph;
  members: Members;
  types: Types;
  owners: Owners;
  receiver(view: View, index: number): Receiver;
}

const MAX_GUESSES = 3;
const GUESS_DISTANCE = 2;
const MAX_DEPTH = 40;

/** Methods that belong to no class of the file, but to a type by its name: extensions. */
const WITH_EXTENSIONS = new Set(["kotlin", "swift"]);

/** Prepares what binds one use of a file. */
export function createUses(
  views: Views,
  rules: RulesOf,
  graph: Graph,
): (path: string, reference: number) => Target[] {
  const open = new Set<string>();
  const bound = (path: string, reference: number): Target[] => {
    const key = `targets ${path}\0${reference}`;
    // What is asked for while it is being found says nothing, and must not be kept.
    if (open.has(key) || open.size > MAX_DEPTH) return [];
    return views.once(key, () => {
      const view = views.of(path);
      if (!view) return [];
      open.add(key);
      try {
        return bind(sides, view, reference);
      } finally {
        open.delete(key);
      }
    });
  };
  const names: Names = { bare: (view, name) => bareName(rules, view, name), bound, rules: rules.of };
  const members = createMembers(views, bound);
  const types = createTypes(views, names, members);
  const owners = createOwners(types, members);
  const receiver = createReceivers(names, types, owners);
  const sides: Sides = { views, rules, graph, members, types, owners, receiver };
  return bound;
}

function bind(sides: Sides, view: View, index: number): Target[] {
  const fact = view.reference(index);
  if (!fact) return [];
  const isExtension = view.language.name === "swift" && view.symbol(fact.target)?.kind === "module";
  if (fact.target >= 0 && !isExtension) return sure(merged(view, fact.target), "certain");
  if (fact.kind === "import" && fact.receiver !== null) return sure(imported(sides, view, fact), "certain");
  return fact.receiver === null ? bindBare(sides, view, fact) : bindMember(sides, view, index);
}

/** A definition with the others that are the same thing: overloads, an interface said twice. */
function merged(view: View, index: number): Definition[] {
  const fact = view.symbol(index);
  if (!fact) return [];
  return view.children(fact.parent, fact.name).map((symbol) => ({ path: view.path, symbol }));
}

function imported({ rules }: Sides, view: View, { receiver, name, line }: ReferenceFact): Definition[] {
  const from = view.facts.imports.filter(({ source }) => source === receiver);
  const nearest = from.filter((fact) => fact.line <= line).at(-1) ?? from[0];
  const binding = nearest?.bindings.find((each) => each.name === name || each.local === name);
  if (!nearest || !binding) return [];
  const found = rules.of(view.language.modules).imported(view, nearest, binding.name);
  return definitionsAmong(found.flatMap((meaning) => asValue(rules, meaning)));
}

function bindBare({ rules, owners }: Sides, view: View, fact: ReferenceFact): Target[] {
  const { modules, membersInScope } = view.language;
  const inherited = membersInScope ? owners.inScope(view, fact) : [];
  if (inherited.length > 0) return sure(inherited, "likely");
  const brought = rules.of(modules).visible(view, fact.name);
  const meanings = brought.length > 0 ? brought : givenOut(rules, view, fact);
  const found = definitionsAmong(meanings.flatMap((meaning) => asValue(rules, meaning)));
  return sure(found, modules === "global" ? "likely" : "certain");
}

/** `export { a as b }` names `b`, too. */
function givenOut(rules: RulesOf, view: View, { kind, name }: ReferenceFact): Meaning[] {
  if (kind !== "import") return [];
  const said = view.facts.exports.filter((fact) => fact.name === name);
  return said.flatMap(({ local }) => bareName(rules, view, local));
}

/** A module that is one value (`module.exports = f`) stands for it. */
function asValue(rules: RulesOf, meaning: Meaning): Meaning[] {
  if (meaning.kind !== "module" || meaning.system !== "javascript") return [meaning];
  const value = rules.of(meaning.system).member(meaning.id, "default");
  return value.length > 0 ? value : [meaning];
}

/** What a name stands for at a file's top. */
function bareName(rules: RulesOf, view: View, name: string): Meaning[] {
  const asOwn = (found: readonly number[]) =>
    asDefinitions(found.map((symbol) => ({ path: view.path, symbol })));
  const own = view.top(name);
  const isModule = own.every((each) => view.symbol(each)?.kind === "module");
  if (own.length > 0 && !isModule) return asOwn(own);
  const brought = rules.of(view.language.modules).visible(view, name);
  // Rust's `mod a;` only says that a file is there.
  if (own.length > 0 && !brought.some(({ kind }) => kind === "module")) return asOwn(own);
  return brought.length > 0
    ? brought
    : asOwn(view.named(name).filter((each) => isType(view.symbol(each)?.kind)));
}

function bindMember(sides: Sides, view: View, index: number): Target[] {
  const fact = view.reference(index);
  if (!fact) return [];
  const { isKnown, isSelf, meanings } = sides.receiver(view, index);
  const found = definitionsAmong(sides.types.member(meanings, fact.name));
  if (found.length === 0) {
    const extensions = WITH_EXTENSIONS.has(view.language.name) ? extensionsOf(sides, view, fact) : [];
    return extensions.length > 0 || isKnown ? sure(extensions, "likely") : guess(sides, view, fact);
  }
  const isOwn =
    isSelf &&
    meanings.some((type) => type.kind !== "module" && sides.members.find(type, fact.name)[0]?.isOwn);
  return sure(found, isOwn || meanings.every(({ kind }) => kind === "module") ? "certain" : "likely");
}

/** What a file sees under a member's name that was defined for the receiver's type, which itself lies elsewhere. */
function extensionsOf({ views, rules }: Sides, view: View, fact: ReferenceFact): Definition[] {
  if (fact.receiverType === null) return [];
  return definitionsAmong(rules.of(view.language.modules).visible(view, fact.name)).filter(
    ({ path, symbol }) => views.of(path)?.symbol(symbol)?.qualified === `${fact.receiverType}.${fact.name}`,
  );
}

function guess({ views, graph }: Sides, { path }: View, { name, kind }: ReferenceFact): Target[] {
  if (kind !== "call" || isBuiltinMember(name)) return [];
  const near = graph.within(path, GUESS_DISTANCE);
  const found = views.index.defining(name).flatMap((at) => {
    const other = near.has(at) ? views.of(at) : null;
    const methods = (other?.named(name) ?? []).filter((each) => other?.symbol(each)?.kind === "method");
    return methods.map((symbol) => ({ path: at, symbol }));
  });
  return found.length > MAX_GUESSES ? [] : sure(found, "guess");
}

function sure(found: readonly Definition[], confidence: Confidence): Target[] {
  return found.map(({ path, symbol }) => ({ path, symbol, confidence }));
}
