import { IMPORTED } from "./cost-rows.js";
import { formatTokens, formatUsd, NANO_PER_CENT } from "./format.js";
import { entriesByKey, totalsOf } from "./totals.js";
import { repeats } from "./waste.js";
import type { Anomaly, AnomalyName, CallType, LedgerEntry } from "./types.js";

// The thresholds are explained in docs/ledger.md. Each is far outside of what a run that goes well shows.
const REPEATS = 3;
const GROWN = { turns: 10, tokens: 100_000, times: 4 };
const OVERLONG: Readonly<Record<CallType, number>> = {
  plan: 4000,
  generate: 8000,
  validate: 2000,
  compress: 4000,
};
const EASY = { turns: 3, promptTokens: 8000, outputTokens: 1500 };
const DEAR_TIMES = 3;
const CACHE = { afterTurn: 3, turns: 3, promptTokens: 4000, share: 0.5 };
/** What a cached token saves of the price of an uncached one. */
const CACHE_SAVES = 0.9;
/** Less is not worth anybody's time. */
const MIN_STAKE_NANO_USD = NANO_PER_CENT;

/** What one rule has found: words about it, and what could have been saved; null when that is not known. */
interface Finding {
  name: AnomalyName;
  what: string;
  nanoUsd: number | null;
}

/** Finds spending that stands out, agent by agent; dearest first. */
export function anomaliesOf(entries: readonly LedgerEntry[]): Anomaly[] {
  const answered = entries.filter((entry) => !entry.wasted && entry.stopReason !== IMPORTED);
  const cheapest = Math.min(...answered.flatMap((entry) => entry.inputPriceNanoUsd ?? []));
  const agents = entriesByKey(answered, ({ repository, requirement, run, task, agent }) =>
    JSON.stringify([repository, requirement, run, task, agent]),
  );
  return [...agents.values()]
    .flatMap((calls) =>
      [
        repetition(calls),
        growingContext(calls),
        overlongOutput(calls),
        dearModel(calls, cheapest),
        cacheMiss(calls),
      ].flatMap((finding) => (finding === null ? [] : anomalyOf(finding, calls))),
    )
    .sort((a, b) => b.nanoUsd - a.nanoUsd);
}

function anomalyOf({ name, what, nanoUsd }: Finding, [first]: readonly LedgerEntry[]): Anomaly[] {
  if (first === undefined || (nanoUsd !== null && nanoUsd < MIN_STAKE_NANO_USD)) return [];
  const { requirement, run, task, agent } = first;
  const money = nanoUsd === null ? "cost unknown" : `about ${formatUsd(nanoUsd)}`;
  const message = `${agent} on ${task} of ${requirement}, run ${run}: ${what} (${money})`;
  return [{ name, message, requirement, run, task, agent, nanoUsd: nanoUsd ?? 0 }];
}

function repetition(calls: readonly LedgerEntry[]): Finding | null {
  const groups = repeats(calls).filter(({ length }) => length >= REPEATS);
  if (groups.length === 0) return null;
  const most = Math.max(...groups.map(({ length }) => length));
  return {
    name: "repetition",
    what: `asked exactly the same ${most} times; see \`accrue trace\` for what it was stuck on`,
    nanoUsd: costOf(groups.flatMap(([, ...again]) => again)),
  };
}

function growingContext(calls: readonly LedgerEntry[]): Finding | null {
  const prompts = calls.map(promptOf);
  const [first = 0, last = 0] = [prompts[0], prompts.at(-1)];
  const hasGrown = last >= GROWN.tokens && last >= first * GROWN.times && calls.length >= GROWN.turns;
  if (!hasGrown || first === 0) return null;
  const grown = calls.map((call) => {
    const prompt = promptOf(call);
    const share = Math.max(0, 1 - first / prompt);
    return call.costNanoUsd === null ? null : Math.round(call.costNanoUsd * share);
  });
  return {
    name: "growing-context",
    what:
      `the prompt grew from ${formatTokens(first)} to ${formatTokens(last)} tokens in ${calls.length} turns; ` +
      "compress earlier, or split the task",
    nanoUsd: sumOrNull(grown),
  };
}

function overlongOutput(calls: readonly LedgerEntry[]): Finding | null {
  const long = calls.filter(({ usage, callType }) => usage.output >= OVERLONG[callType]);
  if (long.length === 0) return null;
  const longest = Math.max(...long.map(({ usage }) => usage.output));
  const times = long.length === 1 ? "an answer" : `${long.length} answers`;
  return {
    name: "overlong-output",
    what: `${times} of up to ${formatTokens(longest)} tokens; ask for edits instead of whole files, or for less`,
    nanoUsd: costOf(long),
  };
}

function dearModel(calls: readonly LedgerEntry[], cheapest: number): Finding | null {
  const [first] = calls;
  const price = first?.inputPriceNanoUsd;
  // Planning is what the dear model is there for.
  if (!first || !price || calls.some(({ callType }) => callType === "plan")) return null;
  const isEasy =
    calls.length <= EASY.turns &&
    calls.every((call) => promptOf(call) <= EASY.promptTokens) &&
    totalsOf(calls).output <= EASY.outputTokens;
  if (!isEasy || price < cheapest * DEAR_TIMES) return null;
  const cost = costOf(calls);
  return {
    name: "dear-model",
    what: `${first.model} for ${calls.length === 1 ? "one short turn" : `${calls.length} short turns`}; a cheaper model may do`,
    nanoUsd: cost === null ? null : Math.round(cost * (1 - cheapest / price)),
  };
}

function cacheMiss(calls: readonly LedgerEntry[]): Finding | null {
  const later = calls.slice(CACHE.afterTurn).filter((call) => promptOf(call) >= CACHE.promptTokens);
  if (later.length < CACHE.turns) return null;
  const { input, cacheRead, cacheWrite } = totalsOf(later);
  const share = cacheRead / (input + cacheRead + cacheWrite);
  if (share >= CACHE.share) return null;
  const missed = later.map(({ usage, inputPriceNanoUsd }) =>
    inputPriceNanoUsd === null
      ? null
      : Math.round((usage.input + usage.cacheWrite) * inputPriceNanoUsd * CACHE_SAVES),
  );
  return {
    name: "cache-miss",
    what:
      `only ${Math.round(100 * share)} % of the input came from the cache in ${later.length} turns after the third; ` +
      "something at the start of the prompt changes, or the turns are minutes apart",
    nanoUsd: sumOrNull(missed),
  };
}

function promptOf({ usage }: LedgerEntry): number {
  return usage.input + usage.cacheRead + usage.cacheWrite;
}

function costOf(calls: readonly LedgerEntry[]): number | null {
  return sumOrNull(calls.map(({ costNanoUsd }) => costNanoUsd));
}

function sumOrNull(parts: readonly (number | null)[]): number | null {
  return parts.reduce<number | null>((sum, part) => (sum === null || part === null ? null : sum + part), 0);
}
