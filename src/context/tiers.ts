import { type FilledFile, fillRoom, frameTokens } from "./fill.js";
import { takeBoth, takeKnowledge } from "./knowledge-items.js";
import { codeItems, outlineItem, symbolKey, textTokens, type ItemSources } from "./items.js";
import type { RankedFile } from "./rank.js";
import { chunkAt } from "./statistics.js";
import type { CallerItem, PackItem, PackRequest } from "./types.js";

/** Most of a pack that each part may take; what it leaves goes to the code. */
export const TIER_SHARES = {
  named: 0.5,
  rules: 0.15,
  requirement: 0.15,
  outline: 0.04,
  callers: 0.05,
  memory: 0.1,
};

const OUTLINE_SYMBOLS = 3;
/** So many tests that fit are named, apart from the rest: they would push the product aside. */
const TESTS = 2;
/** So many of the first definitions are taken for those that will change. */
const CHANGED_SYMBOLS = 5;

/** What the tiers are filled from. */
export interface TierSources extends ItemSources {
  product: readonly RankedFile[];
  tests: readonly RankedFile[];
  callers(keys: readonly string[]): readonly CallerItem[];
}

/** How large a pack and one file's part in it may be. */
export interface PackSize {
  tokens: number;
  perFile: number;
}

/** What fills a pack, and what was asked for and is not in it. */
export interface Filled {
  items: PackItem[];
  warnings: string[];
}

/** Fills the tiers in order, each with its share, and the code with what they leave. */
export async function fillTiers(request: PackRequest, size: PackSize, sources: TierSources): Promise<Filled> {
  const share = (tier: keyof typeof TIER_SHARES) => Math.floor(size.tokens * TIER_SHARES[tier]);
  const { taken, warnings } = takeNamed(request, { tokens: share("named"), perFile: size.perFile }, sources);
  const named = await codeItems([...taken.values()], "named", sources);
  const { rules, memory } =
    request.maxKnowledgeTokens === undefined
      ? {
          rules: takeKnowledge(request.rules ?? [], "rules", share("rules")),
          memory: takeKnowledge(request.memories ?? [], "memory", share("memory")),
        }
      : takeBoth(request, Math.min(request.maxKnowledgeTokens, size.tokens));
  const requirement = takeRequirement(request.requirement, share("requirement"));
  const outlineRoom = share("outline");
  const first = [...named, ...rules, ...requirement];
  const wished = size.tokens - sumOf([...first, ...memory]) - outlineRoom;
  const likely = fillRoom(sources.product, { tokens: wished, perFile: size.perFile, taken });
  const shown = [...named, ...(await codeItems(likely, "code", sources))];
  const users = sources.callers(definitionsIn(shown, sources.index).slice(0, CHANGED_SYMBOLS));
  const callers = takeCallers(
    users.filter((user) => !isShown(user, shown)),
    share("callers"),
  );
  const room = wished - sumOf(callers);
  const filled =
    callers.length > 0 ? fillRoom(sources.product, { tokens: room, perFile: size.perFile, taken }) : likely;
  const code = await codeItems(filled, "code", sources);
  const packed = new Set([...named, ...code].map(({ path }) => path));
  const outline = takeOutline(packed, outlineRoom, sources);
  return { items: [...first, ...code, ...outline, ...callers, ...memory], warnings };
}

function sumOf(items: readonly PackItem[]): number {
  return items.reduce((sum, { tokens }) => sum + tokens, 0);
}

interface Named {
  taken: Map<string, FilledFile>;
  warnings: string[];
}

/** The named symbols' chunks whole, then the best chunks of the named files. */
function takeNamed(
  { files = [], symbols = [] }: PackRequest,
  room: PackSize,
  { product, tests, index }: TierSources,
): Named {
  const byPath = new Map([...product, ...tests].map((ranked) => [ranked.candidate.path, ranked]));
  const taken = new Map<string, FilledFile>();
  const warnings: string[] = [];
  let left = room.tokens;
  for (const key of symbols) {
    const path = key.split("#", 1)[0] ?? "";
    const ranked = byPath.get(path);
    const symbol = index.facts(path)?.symbols.find((fact) => symbolKey(path, fact) === key);
    if (!ranked || !symbol) {
      warnings.push(`${key} is no definition of a mapped file: \`accrue map find\` shows keys.`);
      continue;
    }
    const { chunks } = ranked.candidate.statistics.parts();
    const last = chunkAt(chunks, symbol.to);
    let isWhole = true;
    for (let chunk = chunkAt(chunks, symbol.from); chunk <= last; chunk++) {
      const present = taken.get(path) ?? { ranked, chunks: [], tokens: frameTokens(path) };
      if (present.chunks.includes(chunk)) continue;
      const tokens = chunks[chunk]?.tokens ?? 0;
      const cost = tokens + (taken.has(path) ? 0 : present.tokens);
      if (cost > left || present.tokens + tokens > room.perFile) {
        isWhole = false;
        continue;
      }
      left -= cost;
      const all = [...present.chunks, chunk].sort((a, b) => a - b);
      taken.set(path, { ranked, chunks: all, tokens: present.tokens + tokens });
    }
    if (!isWhole) warnings.push(`${key} is not in the pack as a whole: ask for more tokens.`);
  }
  for (const path of files) {
    const ranked = byPath.get(path);
    if (!ranked) warnings.push(`${path} is no mapped file: correct its path, or read it as it is.`);
    if (!ranked || taken.has(path)) continue;
    // Alone it is the best: how it ranks among others says nothing once it is named.
    const [filled] = fillRoom([{ ...ranked, score: ranked.score || 1 }], {
      tokens: left,
      perFile: room.perFile,
    });
    if (!filled) {
      warnings.push(`${path} did not fit into the pack: ask for more tokens.`);
      continue;
    }
    left -= filled.tokens;
    taken.set(path, filled);
  }
  return { taken, warnings };
}

/** The requirement from its beginning, whole lines, as far as there is room. */
function takeRequirement(requirement: string | undefined, room: number): PackItem[] {
  if (!requirement?.trim()) return [];
  const lines: string[] = [];
  let tokens = 0;
  for (const line of requirement.trim().split("\n")) {
    const cost = textTokens(line);
    if (tokens + cost > room) break;
    tokens += cost;
    lines.push(line);
  }
  if (lines.length === 0) return [];
  const why = "what is asked for";
  return [
    {
      path: "",
      symbol: null,
      lines: null,
      tier: "requirement",
      score: 1,
      why,
      text: lines.join("\n"),
      tokens,
    },
  ];
}

function takeOutline(
  packed: ReadonlySet<string>,
  room: number,
  { product, tests, index }: TierSources,
): PackItem[] {
  const isNew = ({ candidate, score }: RankedFile) => score > 0 && !packed.has(candidate.path);
  const items: PackItem[] = [];
  let left = room;
  const next = [...tests.filter(isNew).slice(0, TESTS), ...product.filter(isNew)];
  for (const ranked of next) {
    const item = outlineItem(ranked, index, OUTLINE_SYMBOLS);
    if (item.tokens > left) break;
    left -= item.tokens;
    items.push(item);
  }
  return items;
}

/** Keys of what is defined in the lines shown, in their order: of an item that is a part of one definition, that one. */
function definitionsIn(items: readonly PackItem[], index: TierSources["index"]): string[] {
  const keys = items.flatMap(({ path, symbol, lines }) => {
    if (symbol !== null || lines === null) return symbol ?? [];
    const symbols = index.facts(path)?.symbols ?? [];
    const inside = symbols.filter(({ from }) => lines[0] <= from && from <= lines[1]);
    return inside.map((fact) => symbolKey(path, fact));
  });
  return [...new Set(keys)];
}

/** Whether a caller's own text is in the pack, which says more than its signature. */
function isShown({ path, line }: CallerItem, items: readonly PackItem[]): boolean {
  return items.some(
    (item) => item.path === path && item.lines && item.lines[0] <= line && line <= item.lines[1],
  );
}

function takeCallers(callers: readonly CallerItem[], room: number): PackItem[] {
  let left = room;
  const items: PackItem[] = [];
  for (const { path, symbol, line, signature } of callers) {
    const text = `${path}:${line} ${signature}`;
    const tokens = textTokens(text);
    if (tokens > left) break;
    left -= tokens;
    const why = "uses what will change";
    items.push({ path, symbol, lines: [line, line], tier: "callers", score: 0, why, text, tokens });
  }
  return items;
}
