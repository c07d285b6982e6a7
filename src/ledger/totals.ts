import type { Group, LedgerEntry, Totals } from "./types.js";

/**
 * What a call weighs in tokens of uncached input of its own model: a cache read counts what it costs. Without a known
 * price every token counts as one.
 */
export function weightedTokens(
  entry: Pick<LedgerEntry, "usage" | "costNanoUsd" | "inputPriceNanoUsd">,
): number {
  if (entry.costNanoUsd !== null && entry.inputPriceNanoUsd) {
    return entry.costNanoUsd / entry.inputPriceNanoUsd;
  }
  const { input, cacheRead, cacheWrite, output } = entry.usage;
  return input + cacheRead + cacheWrite + output;
}

/**
 * How many calls of the provider's bill an entry stands for: a try that failed before it used a token is none, and neither is
 * one of which nobody knows what it used.
 */
export function billedCalls(entry: Pick<LedgerEntry, "usage" | "wasted" | "calls" | "isEstimate">): number {
  const { input, cacheRead, cacheWrite, output } = entry.usage;
  const isUnanswered = entry.wasted && input + cacheRead + cacheWrite + output === 0;
  return isUnanswered || entry.isEstimate ? 0 : (entry.calls ?? 1);
}

/** Adds entries up. A guess is in no sum: those are the provider's own numbers, exactly. */
export function totalsOf(entries: readonly LedgerEntry[]): Totals {
  const known = entries.filter((entry) => !entry.isEstimate);
  const guesses = entries.filter((entry) => entry.isEstimate);
  const sum = (part: (entry: LedgerEntry) => number) =>
    known.reduce((total, entry) => total + part(entry), 0);
  return {
    calls: sum(billedCalls),
    attempts: sum((entry) => entry.calls ?? 1) + guesses.length,
    input: sum((entry) => entry.usage.input),
    cacheRead: sum((entry) => entry.usage.cacheRead),
    cacheWrite: sum((entry) => entry.usage.cacheWrite),
    output: sum((entry) => entry.usage.output),
    weightedTokens: Math.round(sum(weightedTokens)),
    costNanoUsd: sum((entry) => entry.costNanoUsd ?? 0),
    unpricedCalls: sum((entry) => (entry.costNanoUsd === null ? billedCalls(entry) : 0)),
    wastedCalls: sum((entry) => (entry.wasted ? billedCalls(entry) : 0)),
    estimatedCalls: guesses.length,
    estimatedNanoUsd: guesses.reduce((total, entry) => total + (entry.costNanoUsd ?? 0), 0),
  };
}

/** Adds entries up per key, in the order in which the keys first appear. */
export function groupsOf<Key extends string>(
  entries: readonly LedgerEntry[],
  keyOf: (entry: LedgerEntry) => Key,
): (Group & { key: Key })[] {
  return [...entriesByKey(entries, keyOf)].map(([key, members]) => ({ key, ...totalsOf(members) }));
}

/** Splits entries by a key, keeping both orders. */
export function entriesByKey<Key extends string>(
  entries: readonly LedgerEntry[],
  keyOf: (entry: LedgerEntry) => Key,
): Map<Key, LedgerEntry[]> {
  const groups = new Map<Key, LedgerEntry[]>();
  for (const entry of entries) {
    const key = keyOf(entry);
    const members = groups.get(key);
    if (members) members.push(entry);
    else groups.set(key, [entry]);
  }
  return groups;
}
