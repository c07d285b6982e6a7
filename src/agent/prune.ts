import { SKILL_TOOL, writeArtefact, type ToolContext } from "../tools/index.js";
import { estimateTokens } from "../shared/index.js";
import { tokensOf, type Conversation, type Edit, type Entry } from "./conversation.js";

/** Smaller results cost less than what would stand in their place is worth. */
const MIN_TOKENS = 200;
/** What a skill said has to stay: the agent works by it. */
const NEVER_MOVED: ReadonlySet<string> = new Set([SKILL_TOOL]);

/** A result that can be moved to a file. */
export interface OldResult {
  n: number;
  id: string;
  tool: string;
  content: string;
}

function toolNames(entries: readonly Entry[]): Map<string, string> {
  const calls = entries.flatMap(({ content }) => content.filter((block) => block.type === "tool_use"));
  return new Map(calls.map(({ id, name }) => [id, name]));
}

/** The large tool results outside of the newest `protectedTokens` of a conversation. */
export function oldResults({ entries }: Conversation, protectedTokens: number): OldResult[] {
  const tools = toolNames(entries);
  const found: OldResult[] = [];
  let newer = 0;
  for (const entry of entries.toReversed()) {
    newer += tokensOf(entry);
    if (newer <= protectedTokens || entry.type !== "results") continue;
    for (const block of entry.content) {
      if (block.type !== "tool_result" || estimateTokens(block.content) < MIN_TOKENS) continue;
      const tool = tools.get(block.tool_use_id) ?? "result";
      if (NEVER_MOVED.has(tool)) continue;
      found.push({ n: entry.n, id: block.tool_use_id, tool, content: block.content });
    }
  }
  return found;
}

/** Moves results to files that the agent can read; gives what stands in their place. */
export async function moveToFiles(
  results: readonly OldResult[],
  context: ToolContext,
  notice: string,
): Promise<Edit["pruned"]> {
  const pruned: Edit["pruned"] = [];
  for (const { n, id, tool, content } of results) {
    const path = await writeArtefact(tool, content, context);
    pruned.push({ n, id, content: `${notice} read_file ${path}` });
  }
  return pruned;
}
