/** One value on the three sides of a merge; undefined where a side does not have it. */
export interface ThreeSides<T> {
  base: T | undefined;
  ours: T | undefined;
  theirs: T | undefined;
}

/** The side that changed a value, theirs where both say the same; `both` when both changed it, in different ways. */
export function changedSide<T>(
  { base, ours, theirs }: ThreeSides<T>,
  isSame: (a: T, b: T) => boolean,
): "ours" | "theirs" | "both" {
  const same = (a: T | undefined, b: T | undefined) =>
    a === undefined || b === undefined ? a === b : isSame(a, b);
  if (same(ours, theirs) || same(base, ours)) return "theirs";
  return same(base, theirs) ? "ours" : "both";
}

/** The keys of two sides in one order: theirs, with what only ours has behind its neighbour there. */
export function orderedKeys(theirs: readonly string[], ours: readonly string[]): string[] {
  const order = [...theirs];
  const held = new Set(theirs);
  for (const [index, key] of ours.entries()) {
    if (held.has(key)) continue;
    held.add(key);
    const before = ours.slice(0, index).findLast((candidate) => held.has(candidate));
    order.splice(before === undefined ? 0 : order.indexOf(before) + 1, 0, key);
  }
  return order;
}

/** A list that two sides changed: what either added is in, what either took out is out. */
export function mergeItems({ base, ours, theirs }: Record<keyof ThreeSides<string>, string[]>): string[] {
  const isKept = (item: string) => !base.includes(item) || (ours.includes(item) && theirs.includes(item));
  return orderedKeys([...new Set(theirs)], [...new Set(ours)]).filter(isKept);
}
