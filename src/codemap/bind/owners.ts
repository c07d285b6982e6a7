import type { ReferenceFact } from "../types.js";
import { type Definition, definitionsAmong } from "./meaning.js";
import type { FieldType, Members } from "./members.js";
import { type Types, isType } from "./types.js";
import type { View } from "./views.js";

const SUPER = "super";
/** Words of single languages for what a type inherits from, and for the type itself. */
const OTHER_SUPER: Partial<Record<string, string>> = { "c-sharp": "base", php: "parent" };
const OWN_TYPE: Partial<Record<string, readonly string[]>> = {
  rust: ["Self"],
  php: ["self", "static"],
  python: ["cls"],
};

/** The types that definitions are members of. */
export interface Owners {
  /** What `this`, `self` or `super` is inside a definition; null when the word is none of these. */
  self(view: View, word: string, within: number): { types: Definition[]; isSuper: boolean } | null;
  /** What a bare name stands for among the members, own and inherited, of the types around it. */
  inScope(view: View, reference: ReferenceFact): Definition[];
  /** The type of the field that a bare name stands for there; null when it is none. */
  fieldInScope(view: View, reference: ReferenceFact): FieldType | null;
}

/** Prepares the look-up of owners. */
export function createOwners(types: Types, members: Members): Owners {
  const ownerOf = (view: View, within: number): Definition | null => {
    for (let at = within; at !== -1; at = view.symbol(at)?.parent ?? -1) {
      const fact = view.symbol(at);
      if (!fact) return null;
      const isExtension = fact.kind === "module" && view.language.name === "swift";
      if (isType(fact.kind) || isExtension) return { path: view.path, symbol: at };
      if (fact.kind !== "method") continue;
      const outer = fact.qualified.slice(0, Math.max(0, fact.qualified.lastIndexOf(".")));
      if (fact.parent === -1 && outer !== "") return detached(view, outer);
      const parent = view.symbol(fact.parent);
      if (parent?.kind === "constant" || parent?.kind === "variable")
        return { path: view.path, symbol: fact.parent };
    }
    return null;
  };
  /** The type of a method that is defined apart from it. */
  const detached = (view: View, outer: string): Definition | null => {
    const here = view.qualified(outer)[0];
    if (here !== undefined) return { path: view.path, symbol: here };
    return definitionsAmong(types.dotted(view, outer))[0] ?? null;
  };
  return {
    fieldInScope: (view, { name, within }) => {
      const owner = ownerOf(view, within);
      return owner && members.field(owner, name);
    },
    self: (view, word, within) => {
      const { name, self } = view.language;
      const isSuper = word === (OTHER_SUPER[name] ?? SUPER);
      if (!isSuper && !self.includes(word) && !OWN_TYPE[name]?.includes(word)) return null;
      const owner = ownerOf(view, within);
      if (!owner) return { types: [], isSuper };
      return { types: isSuper ? members.bases(owner) : [owner], isSuper };
    },
    inScope: (view, { name, within, kind }) => {
      // What a type inherits from is named outside of it.
      const isHead = kind === "inherit" || kind === "implement";
      let owner = ownerOf(view, isHead ? (view.symbol(within)?.parent ?? -1) : within);
      while (owner !== null) {
        const found = members.find(owner, name);
        if (found.length > 0) return found;
        const outer: number = owner.path === view.path ? (view.symbol(owner.symbol)?.parent ?? -1) : -1;
        owner = ownerOf(view, outer);
      }
      return [];
    },
  };
}
