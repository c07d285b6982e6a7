import { frameTokens } from "./fill.js";
import { closePack, textTokens } from "./items.js";
import type { KnowledgeItem, Pack, PackItem, PackRequest, Tier } from "./types.js";

/** Takes what others chose for the task, in their order, as far as there is room. */
export function takeKnowledge(items: readonly KnowledgeItem[], tier: Tier, room: number): PackItem[] {
  let left = room;
  return items.flatMap(({ path, text, score, why }) => {
    const tokens = textTokens(text) + frameTokens(path);
    if (tokens > left) return [];
    left -= tokens;
    return [{ path, symbol: null, lines: null, tier, score, why, text, tokens }];
  });
}

/** Rules and memories out of one room: what the rules leave is for the memories. */
export function takeBoth(
  { rules = [], memories = [] }: Pick<PackRequest, "rules" | "memories">,
  room: number,
): { rules: PackItem[]; memory: PackItem[] } {
  const taken = takeKnowledge(rules, "rules", room);
  const left = room - taken.reduce((sum, { tokens }) => sum + tokens, 0);
  return { rules: taken, memory: takeKnowledge(memories, "memory", left) };
}

/** A pack of knowledge alone, for who is shown no code. */
export function packKnowledge(request: Pick<PackRequest, "rules" | "memories">, maxTokens: number): Pack {
  const { rules, memory } = takeBoth(request, maxTokens);
  return closePack([...rules, ...memory], []);
}
