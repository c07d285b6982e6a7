import type { Form, Kind, PatternForm, Predicate } from "./query-forms.js";

/** One node that a pattern asks for. */
export interface Step {
  pattern: number;
  depth: number;
  /** 1 for each kind of node that will do. */
  kinds: Uint8Array;
  /** The field that it must stand in; 0 for any. */
  field: number;
  /** Fields that it must not have. */
  absent: readonly number[];
  isLast: boolean;
  /** What its text must say. */
  guards: readonly Guard[];
  captures: readonly number[];
  /** What must stand in it besides, of which nothing is captured. */
  inner: Branch | null;
  /** How the pattern goes on; null where it is complete. */
  next: Branch | null;
}

/** What a pattern asks for next: one of these steps, among the nodes at a depth that come after the last one there. */
export interface Branch {
  pattern: number;
  depth: number;
  steps: readonly Step[];
  /** True where the pattern may go on without it, with `otherwise`. */
  isOptional: boolean;
  otherwise: Branch | null;
  isAnchored: boolean;
  /** True where it does not matter which of several nodes is taken. */
  isAnyGood: boolean;
}

/** Whether a text says what a predicate wants. */
export type Guard = (said: string) => boolean;

/** What a query's names stand for in its grammar. */
export interface Symbols {
  /** 1 for each kind that has a name; the last one is that of errors. */
  isNamed: Uint8Array;
  /** The number of a kind; null where the grammar has none of that name. */
  kindOf(kind: Kind): number | null;
  fieldOf(name: string): number | null;
}

/** The patterns of a query by the kind of their outermost node. */
export interface Patterns {
  captureNames: readonly string[];
  isNamed: Uint8Array;
  /** Of those that are one node. */
  single: readonly (readonly Step[])[];
  /** Of those that ask for more within it. */
  nested: readonly (readonly Step[])[];
  /** 1 for each kind that any pattern tells from others; those without a name are in nobody's way. */
  kept: Uint8Array;
}

/** Makes the steps of a query's patterns. Throws for what its grammar does not have. */
export function compilePatterns(forms: readonly PatternForm[], symbols: Symbols): Patterns {
  const captureNames: string[] = [];
  const roots: Step[] = [];
  const kept = Uint8Array.from(symbols.isNamed);
  for (const [pattern, source] of forms.entries())
    roots.push(...compile(source, { pattern, symbols, captureNames, kept }).steps);
  const byKind = (steps: readonly Step[]) =>
    Array.from(symbols.isNamed, (_, kind) => steps.filter(({ kinds }) => kinds[kind] === 1));
  const isSingle = ({ inner, next }: Step) => inner === null && next === null;
  return {
    captureNames,
    isNamed: symbols.isNamed,
    single: byKind(roots.filter(isSingle)),
    nested: byKind(roots.filter((step) => !isSingle(step))),
    kept,
  };
}

interface Compiling {
  pattern: number;
  symbols: Symbols;
  captureNames: string[];
  kept: Uint8Array;
}

/** Goes from a pattern's end to its start, so that each step knows how it goes on. */
function compile(
  { place, form: whole, predicates }: PatternForm,
  { pattern, symbols, captureNames, kept }: Compiling,
): Branch {
  function branch(form: Form, depth: number, next: Branch | null): Branch {
    const { isOptional, isAnchored } = form;
    const steps = optionsOf(form).map((option) => stepOf(option, depth, next));
    const isAnyGood = !hasCapture(form) && next?.isAnchored !== true;
    return { pattern, depth, steps, isAnchored, isAnyGood, isOptional, otherwise: next };
  }

  function sequence(children: readonly Form[], depth: number, next: Branch | null): Branch | null {
    let first = next;
    for (const child of children.toReversed()) first = branch(child, depth, first);
    return first;
  }

  function stepOf(form: Form, depth: number, next: Branch | null): Step {
    const captures = form.captures.map(captureOf);
    const guards = predicates
      .filter(({ capture }) => form.captures.includes(capture))
      .map((predicate) => guardOf(predicate, place));
    const isNested = form.children.some(hasCapture);
    return {
      pattern,
      depth,
      kinds: kindsOf(form, depth),
      field: form.field === null ? 0 : fieldOf(form.field),
      absent: form.absent.map(fieldOf),
      isLast: form.isLast,
      guards,
      captures,
      inner: isNested ? null : sequence(form.children, depth + 1, null),
      next: isNested ? sequence(form.children, depth + 1, next) : next,
    };
  }

  function kindsOf({ kind, children }: Form, depth: number): Uint8Array {
    const { isNamed } = symbols;
    if (kind?.type === "_") {
      if (!kind.isNamed) kept.fill(1);
      const kinds = kind.isNamed ? Uint8Array.from(isNamed) : new Uint8Array(isNamed.length).fill(1);
      // What a broken tree has around it stands for a parent, but for nothing else.
      return kinds.fill(depth === 0 && children.length > 0 ? 1 : 0, isNamed.length - 1);
    }
    const number = kind && symbols.kindOf(kind);
    if (number === null) throw new Error(`${place}: the grammar has no node ${kind?.type}.`);
    kept[number] = 1;
    return new Uint8Array(isNamed.length).fill(1, number, number + 1);
  }

  function fieldOf(name: string): number {
    const field = symbols.fieldOf(name);
    if (field === null) throw new Error(`${place}: the grammar has no field ${name}.`);
    return field;
  }

  function captureOf(name: string): number {
    const present = captureNames.indexOf(name);
    return present >= 0 ? present : captureNames.push(name) - 1;
  }

  return branch(whole, 0, null);
}

/** The nodes that will do, with what is said of all of them said of each. */
function optionsOf(form: Form): Form[] {
  if (form.choice.length === 0) return [form];
  return form.choice.flatMap((option) =>
    optionsOf({
      ...option,
      field: option.field ?? form.field,
      captures: [...option.captures, ...form.captures],
      isLast: option.isLast || form.isLast,
    }),
  );
}

function hasCapture({ captures, choice, children }: Form): boolean {
  return captures.length > 0 || choice.some(hasCapture) || children.some(hasCapture);
}

function guardOf({ name, words }: Predicate, place: string): Guard {
  const [first = ""] = words;
  const isNot = name.startsWith("#not-");
  const kind = name.replace(/^#(?:not-)?/, "");
  if (kind === "match?") {
    const wanted = new RegExp(first);
    return (said) => wanted.test(said) !== isNot;
  }
  if (kind === "eq?" || kind === "any-of?") return (said) => words.includes(said) !== isNot;
  throw new Error(`${place}: predicate ${name} is not known.`);
}
