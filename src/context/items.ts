import type { Index } from "../codemap/index.js";
import { estimateTokens, sha256 } from "../shared/index.js";
import { type FilledFile, frameTokens } from "./fill.js";
import type { RankedFile } from "./rank.js";
import type { Pack, PackItem, Tier } from "./types.js";

/** A symbol of a file as others name it: its path, its qualified name, and its number from the second of that name on. */
export function symbolKey(
  path: string,
  { qualified, ordinal }: { qualified: string; ordinal: number },
): string {
  return `${path}#${qualified}${ordinal > 0 ? `~${ordinal + 1}` : ""}`;
}

/** Where an item's text comes from. */
export interface ItemSources {
  index: Pick<Index, "facts" | "file">;
  lines(path: string): Promise<readonly string[] | null>;
}

/** Turns the chunks of files into items: neighbours become one. */
export async function codeItems(
  filled: readonly FilledFile[],
  tier: Tier,
  { index, lines }: ItemSources,
): Promise<PackItem[]> {
  const items: PackItem[] = [];
  const texts = await Promise.all(filled.map(({ ranked }) => lines(ranked.candidate.path)));
  for (const [at, { ranked, chunks }] of filled.entries()) {
    const { path } = ranked.candidate;
    const text = texts[at];
    if (!text) continue;
    const symbols = index.facts(path)?.symbols ?? [];
    const partial = index.file(path)?.partial ?? null;
    for (const [place, { from, to, symbol, tokens }] of runsOf(ranked, chunks).entries()) {
      const found = symbols[symbol];
      items.push({
        path,
        symbol: found ? symbolKey(path, found) : null,
        lines: [from, to],
        tier,
        score: ranked.score,
        why: reasonOf(ranked),
        text: text.slice(from - 1, to).join("\n"),
        tokens: tokens + (place === 0 ? frameTokens(path) : 0),
        ...(partial === null ? {} : { partial }),
      });
    }
  }
  return items;
}

interface Run {
  from: number;
  to: number;
  /** The definition of the best of its chunks. */
  symbol: number;
  tokens: number;
}

function runsOf({ candidate, chunks: scores }: RankedFile, chunks: readonly number[]): Run[] {
  const { chunks: all } = candidate.statistics.parts();
  const runs: (Run & { best: number; last: number })[] = [];
  for (const index of chunks) {
    const chunk = all[index];
    if (!chunk) continue;
    const score = scores[index] ?? 0;
    const run = runs.at(-1);
    if (run?.last !== index - 1) {
      runs.push({ ...chunk, best: score, last: index });
      continue;
    }
    run.to = chunk.to;
    run.tokens += chunk.tokens;
    run.last = index;
    if (score > run.best) Object.assign(run, { best: score, symbol: chunk.symbol });
  }
  return runs;
}

const SIGNALS = [
  ["words", "words"],
  ["path", "path"],
  ["chunk", "best part"],
  ["messages", "past commits"],
  ["recency", "changed lately"],
] as const;

/** What spoke for a file, each as a share of the best file's. */
export function reasonOf({ signals }: RankedFile): string {
  const parts = SIGNALS.filter(([key]) => signals[key] >= 0.01);
  return parts.map(([key, name]) => `${name} ${signals[key].toFixed(2)}`).join(", ") || "nothing better";
}

/** A line that names a file and some of its definitions, those of its best parts first. */
export function outlineItem(ranked: RankedFile, index: ItemSources["index"], most: number): PackItem {
  const { path, statistics } = ranked.candidate;
  const symbols = index.facts(path)?.symbols ?? [];
  const { chunks } = statistics.parts();
  const best = [...chunks.keys()].sort((a, b) => (ranked.chunks[b] ?? 0) - (ranked.chunks[a] ?? 0) || a - b);
  const names = new Set<string>();
  for (const chunk of best) {
    const name = symbols[chunks[chunk]?.symbol ?? -1]?.name;
    if (name && names.size < most) names.add(name);
  }
  const text = names.size > 0 ? `${path}: ${[...names].join(", ")}` : path;
  const why = reasonOf(ranked);
  return {
    path,
    symbol: null,
    lines: null,
    tier: "outline",
    score: ranked.score,
    why,
    text,
    tokens: textTokens(text),
  };
}

/** What a line or a text takes, with what divides it from the next. */
export function textTokens(text: string): number {
  return estimateTokens(text) + 2;
}

/** Closes a pack: its sum, and the hash over all that it says. */
export function closePack(items: readonly PackItem[], warnings: readonly string[]): Pack {
  const canonical = items.map(({ path, symbol, lines, tier, score, why, text }) => [
    path,
    symbol,
    lines,
    tier,
    score,
    why,
    text,
  ]);
  const tokens = items.reduce((sum, item) => sum + item.tokens, 0);
  return {
    tokens,
    hash: sha256(JSON.stringify([canonical, warnings])),
    items: [...items],
    warnings: [...warnings],
  };
}
