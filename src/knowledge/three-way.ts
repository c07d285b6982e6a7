/** One value on the three sides; undefined where a side does not have it. */
export interface Sides<T> {
  base: T | undefined;
  ours: T | undefined;
  theirs: T | undefined;
}

/** What two sides made of one value: taken from whoever changed it, or changed by both. */
export type Taken<T> = { kind: "taken"; value: T | undefined } | { kind: "both" };

/** The side that changed a value; `both` when both did, in different ways. */
export function takeChanged<T>({ base, ours, theirs }: Sides<T>, isSame: (a: T, b: T) => boolean): Taken<T> {
  const same = (a: T | undefined, b: T | undefined) =>
    a === undefined || b === undefined ? a === b : isSame(a, b);
  if (same(ours, theirs) || same(base, theirs)) return { kind: "taken", value: ours };
  if (same(base, ours)) return { kind: "taken", value: theirs };
  return { kind: "both" };
}

/**
 * The keys of all sides in one order: ours, with what only theirs has behind its neighbour there.
 * Contract: each key once.
 */
export function mergedOrder(ours: readonly string[], theirs: readonly string[]): string[] {
  const order = [...ours];
  const held = new Set(ours);
  for (const [index, key] of theirs.entries()) {
    if (held.has(key)) continue;
    held.add(key);
    const before = theirs.slice(0, index).findLast((candidate) => held.has(candidate));
    order.splice(before === undefined ? order.length : order.indexOf(before) + 1, 0, key);
  }
  return order;
}

/** A list that two sides changed: what either added is in, what either took out is out. */
export function mergeLists(lists: {
  base: readonly string[];
  ours: readonly string[];
  theirs: readonly string[];
}): string[] {
  const { base, ours, theirs } = lists;
  const isKept = (item: string) => !base.includes(item) || (ours.includes(item) && theirs.includes(item));
  return mergedOrder([...new Set(ours)], [...new Set(theirs)]).filter(isKept);
}
