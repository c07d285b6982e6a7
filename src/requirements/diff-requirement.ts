import { type AliasNames, isSameByAlias, isSameText } from "./same-text.js";
import type { Criterion } from "./types.js";

/** What became of the criteria of a requirement. */
export interface RequirementDiff {
  /** `was` is the id before, where a criterion only got another one. */
  same: { id: string; was: string; text: string }[];
  changed: { id: string; before: string; after: string }[];
  added: Criterion[];
  removed: Criterion[];
}

/**
 * Compares the criteria of a requirement with what they were: by id, then by exact text, then by names that mean the same.
 * Contract: each criterion of either side is in exactly one part; ids are unique within a side.
 */
export function diffRequirement(
  before: readonly Criterion[],
  after: readonly Criterion[],
  groups: AliasNames = [],
): RequirementDiff {
  const diff: RequirementDiff = { same: [], changed: [], added: [], removed: [] };
  const old = new Map(before.map((criterion) => [criterion.id, criterion]));
  const news = after.filter(({ id, text }) => {
    const was = old.get(id);
    if (!was) return true;
    old.delete(id);
    if (isSameText(was.text, text) || isSameByAlias(was.text, text, groups))
      diff.same.push({ id, was: id, text });
    else diff.changed.push({ id, before: was.text, after: text });
    return false;
  });
  const isSame = [isSameText, (a: string, b: string) => isSameByAlias(a, b, groups)];
  let left = news;
  for (const fits of isSame) {
    left = left.filter(({ id, text }) => {
      const was = [...old.values()].find((candidate) => fits(candidate.text, text));
      if (!was) return true;
      old.delete(was.id);
      diff.same.push({ id, was: was.id, text });
      return false;
    });
  }
  return { ...diff, added: left, removed: [...old.values()] };
}

/**
 * Gives criteria that were written anew the ids that they had: whoever writes a list again numbers it again. A new one gets an id
 * that none had, also none of those that are gone. Contract: as many as given, in the given order, each id once.
 */
export function keepIds(
  before: readonly Criterion[],
  after: readonly Criterion[],
  groups: AliasNames = [],
  ever: readonly string[] = [],
): Criterion[] {
  const free = new Map(before.map((criterion) => [criterion.id, criterion]));
  const ids = after.map((): string | null => null);
  const give = (fits: (was: Criterion, now: Criterion) => boolean) => {
    for (const [index, now] of after.entries()) {
      const was = ids[index] === null ? [...free.values()].find((one) => fits(one, now)) : undefined;
      if (!was) continue;
      free.delete(was.id);
      ids[index] = was.id;
    }
  };
  give((was, now) => was.id === now.id && isSameText(was.text, now.text));
  give((was, now) => isSameText(was.text, now.text));
  give((was, now) => isSameByAlias(was.text, now.text, groups));
  give((was, now) => was.id === now.id);
  const taken = new Set([...ever, ...before.map(({ id }) => id), ...ids]);
  return after.map(({ id: given, text }, index) => {
    const id = ids[index] ?? (taken.has(given) ? nextId(taken) : given);
    taken.add(id);
    return { id, text };
  });
}

/** The id behind the highest of those that were ever given. */
export function nextId(taken: Iterable<string | null>): string {
  const numbers = [...taken].map((id) => Number(/^AC-(\d+)$/.exec(id ?? "")?.[1] ?? 0));
  return `AC-${Math.max(0, ...numbers) + 1}`;
}
