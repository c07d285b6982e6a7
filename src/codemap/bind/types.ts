import type { ModuleSystem } from "../languages.js";
import type { SymbolKind } from "../types.js";
import { type Definition, type Meaning, asDefinitions, definitionsAmong } from "./meaning.js";
import type { Members } from "./members.js";
import type { ModuleRules } from "./rules.js";
import { nameOfType } from "./type-text.js";
import type { View, Views } from "./views.js";

/** What a value is known to be: nothing in the tree, too, may be known. */
export interface Known {
  isKnown: boolean;
  meanings: Meaning[];
}

/** What names stand for, as the types' side needs it. */
export interface Names {
  bare(view: View, name: string): Meaning[];
  bound(path: string, reference: number): readonly Definition[];
  rules(system: ModuleSystem): ModuleRules;
}

/** What written types, calls and members stand for. */
export interface Types {
  /** What a value is of a type as written in a file; `make()` is what calling `make` gives. */
  written(path: string, type: string): Known;
  /** What a dotted name stands for in a file. */
  dotted(view: View, name: string): Meaning[];
  /** What calling something gives. */
  called(meanings: readonly Meaning[]): Known;
  /** What a value has under a name. */
  member(meanings: readonly Meaning[], name: string): Meaning[];
  /** What things are as values: variables and accessors are what they hold, too. */
  value(meanings: readonly Meaning[]): Known;
}

/** Nothing is known. */
export const UNKNOWN: Known = { isKnown: false, meanings: [] };

const TYPES: ReadonlySet<SymbolKind> = new Set(["class", "interface", "enum", "type"]);
const HOLDERS: ReadonlySet<SymbolKind> = new Set(["constant", "variable", "method"]);
const MAX_DEPTH = 8;

/** Whether a definition is a type. */
export function isType(kind: SymbolKind | undefined): boolean {
  return kind !== undefined && TYPES.has(kind);
}

/** Prepares what follows types. */
export function createTypes(views: Views, names: Names, members: Members): Types {
  const symbolOf = ({ path, symbol }: Definition) => views.of(path)?.symbol(symbol) ?? null;

  const written = (path: string, type: string, depth = 0): Known => {
    const view = views.of(path);
    if (!view || depth > MAX_DEPTH) return UNKNOWN;
    if (type.endsWith("()")) return called(dotted(view, type.slice(0, -2)), depth + 1);
    const name = nameOfType(type);
    if (name === null) return { ...UNKNOWN, isKnown: true };
    const found = definitionsAmong(dotted(view, name)).filter((each) => isType(symbolOf(each)?.kind));
    return { isKnown: true, meanings: found.map((each) => ({ kind: "instance", ...each })) };
  };

  const dotted = (view: View, name: string): Meaning[] => {
    const [first = "", ...rest] = name.replace(/^\\/, "").split(/\.|::|\\/);
    return rest.reduce<Meaning[]>((meanings, part) => member(meanings, part), names.bare(view, first));
  };

  const called = (meanings: readonly Meaning[], depth = 0): Known => {
    const results = definitionsAmong(meanings).map((each): Known => {
      const fact = symbolOf(each);
      if (!fact) return UNKNOWN;
      if (isType(fact.kind)) return { isKnown: true, meanings: [{ kind: "instance", ...each }] };
      return fact.type === null ? UNKNOWN : written(each.path, fact.type, depth);
    });
    return results.find((known) => known.meanings.length > 0) ?? results[0] ?? UNKNOWN;
  };

  const held = (meaning: Meaning): Meaning[] => {
    if (meaning.kind !== "definition") return [meaning];
    const fact = symbolOf(meaning);
    if (!fact || fact.type === null || !HOLDERS.has(fact.kind)) return [meaning];
    return [...written(meaning.path, fact.type).meanings, meaning];
  };

  const member = (meanings: readonly Meaning[], name: string): Meaning[] => {
    for (const meaning of meanings) {
      if (meaning.kind === "module") {
        const rules = names.rules(meaning.system);
        const given = rules.member(meaning.id, name);
        if (given.length > 0) return given;
        // A CommonJS module is the value that it exports.
        const inner =
          meaning.system === "javascript" ? rules.member(meaning.id, "default").flatMap(held) : [];
        const found = inner.length > 0 ? member(inner, name) : [];
        if (found.length > 0) return found;
        continue;
      }
      const found = members.find(meaning, name);
      if (found.length > 0) return asDefinitions(found);
      const field = members.field(meaning, name);
      if (field) return written(field.path, field.type).meanings;
    }
    return [];
  };

  const value = (meanings: readonly Meaning[]): Known => {
    const isOpen = (meaning: Meaning) =>
      meaning.kind === "definition" &&
      symbolOf(meaning)?.type === null &&
      HOLDERS.has(symbolOf(meaning)?.kind ?? "type");
    return { isKnown: !meanings.some(isOpen), meanings: meanings.flatMap(held) };
  };

  return { written, dotted, called, member, value };
}
