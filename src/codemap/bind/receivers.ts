import type { ReferenceFact, ReferenceKind } from "../types.js";
import { type Meaning, asDefinitions } from "./meaning.js";
import type { Owners } from "./owners.js";
import { type Known, type Names, type Types, UNKNOWN } from "./types.js";
import type { View } from "./views.js";

/** What stands before a member's dot. */
export interface Receiver extends Known {
  isSelf: boolean;
}

const PATH_START = new Set(["crate", "super", "self"]);
const TYPE_USES: ReadonlySet<ReferenceKind> = new Set(["type", "inherit", "implement"]);
const SEPARATOR = /(?:\?\.|!\.|\.|::|->|\\)(?=[^.:>\\]+$)/;
const MAX_DEPTH = 8;
const MAX_LINES_BETWEEN = 3;

/** Prepares what says of a member's use what stands before its dot. */
export function createReceivers(
  names: Names,
  types: Types,
  owners: Owners,
): (view: View, index: number) => Receiver {
  const receiver = (view: View, index: number, depth = 0): Receiver => {
    const reference = view.reference(index);
    if (!reference || reference.receiver === null || depth > MAX_DEPTH) return plain(UNKNOWN);
    if (reference.receiverType !== null) return plain(types.written(view.path, reference.receiverType));
    const isCall = reference.receiver.endsWith("()");
    const said = isCall ? reference.receiver.slice(0, -2) : reference.receiver;
    if (said === "?") return plain(UNKNOWN);
    // Python's `super()` is a call.
    const own = isCall && said !== "super" ? null : owners.self(view, said, reference.within);
    if (own) return selfOf(own);
    const before = useBefore(view, index, said);
    const meanings = before === -1 ? pathOf(view, said, reference.kind) : meaningOf(view, before, depth);
    if (!meanings) return plain(UNKNOWN);
    return plain(isCall ? types.called(meanings) : types.value(meanings));
  };
  /** What a path such as `crate::io`, or what stands before a type, stands for, whose parts are no uses by themselves; else null. */
  const pathOf = (view: View, said: string, kind: ReferenceKind): Meaning[] | null => {
    // Locals stand before no type; what JavaScript calls new is a value.
    const isBeforeType = TYPE_USES.has(kind) || (kind === "new" && view.language.modules !== "javascript");
    if (!isBeforeType && !/::|\\/.test(said) && !PATH_START.has(said)) return null;
    const found = types.dotted(view, said);
    return found.length > 0 ? found : null;
  };
  /** What a use before the dot stands for; null when nothing is known of it. */
  const meaningOf = (view: View, index: number, depth: number): Meaning[] | null => {
    const reference = view.reference(index);
    if (!reference) return null;
    if (reference.receiver === null) {
      const bound = asDefinitions(names.bound(view.path, index));
      const isModule = view.symbol(reference.target)?.kind === "module";
      const bare = bound.length === 0 || isModule ? names.bare(view, reference.name) : [];
      const found = bare.length > 0 ? bare : bound;
      const field =
        found.length === 0 && view.language.membersInScope ? owners.fieldInScope(view, reference) : null;
      if (field) return types.written(field.path, field.type).meanings;
      // A name imported from outside of the tree is known to be nothing in it.
      return found.length > 0 ? found : view.imported(reference.name).length > 0 ? [] : null;
    }
    const outer = receiver(view, index, depth + 1);
    if (!outer.isKnown) return null;
    const found = types.member(outer.meanings, reference.name);
    return found.length > 0 || outer.meanings.length === 0 ? found : null;
  };
  return receiver;
}

function plain({ isKnown, meanings }: Known): Receiver {
  return { isKnown, meanings, isSelf: false };
}

function selfOf(own: NonNullable<ReturnType<Owners["self"]>>): Receiver {
  return {
    isKnown: own.types.length > 0,
    isSelf: !own.isSuper,
    meanings: own.types.map((type) => ({ kind: "instance", ...type })),
  };
}

/** The use that ends where a member's receiver ends: of `a.b` before `.c`, the use of `b`; -1 when a local stands there. */
function useBefore(view: View, index: number, said: string): number {
  const reference = view.reference(index);
  if (!reference) return -1;
  const [outer, last] = said.split(SEPARATOR);
  const name = last ?? outer ?? "";
  const receiver = last === undefined ? null : (outer ?? null);
  const before =
    view
      .uses(name)
      .filter((candidate) => candidate < index)
      .at(-1) ?? -1;
  const use = view.reference(before);
  return use && use.receiver === receiver && isNear(use, reference) ? before : -1;
}

function isNear(use: ReferenceFact, member: ReferenceFact): boolean {
  if (use.within !== member.within || member.line - use.line > MAX_LINES_BETWEEN) return false;
  if (use.line !== member.line) return true;
  const between = member.column - use.column - use.name.length;
  // A dot, `?.`, `::`, or the parentheses of a call between the two.
  return between >= 1 && (between <= 3 || (member.receiver?.endsWith("()") ?? false));
}
