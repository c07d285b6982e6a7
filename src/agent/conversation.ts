import type { Block } from "../model/index.js";
import { estimateTokens } from "../shared/index.js";
import type { LineOf } from "./transcript-line.js";

/** What was said in one line of the transcript, as it is sent now. */
export interface Entry {
  /** The line's number: it stays the same whatever happens to the content. */
  n: number;
  type: "answer" | "results" | "note";
  content: readonly Block[];
  /** Who wrote an answer. */
  model?: string;
}

/** All that a model is told besides system prompt and tools. */
export interface Conversation {
  task: string;
  /** The agent's own notes and the summary of what is gone; empty while nothing is. */
  handOver: string;
  summary: string;
  entries: readonly Entry[];
}

/** What a compression changes. */
export type Edit = Pick<LineOf<"compressed">, "pruned" | "summary" | "keepFrom" | "handOver">;

/** Without thinking: it is bound to what stood before it, and that has changed. */
export function withoutThinking(entries: readonly Entry[]): Entry[] {
  return entries.map((entry) =>
    entry.type === "answer"
      ? { ...entry, content: entry.content.filter(({ type }) => !type.endsWith("thinking")) }
      : entry,
  );
}

function withPruned(entry: Entry, contents: ReadonlyMap<string, string>): Entry {
  if (entry.type !== "results") return entry;
  const content = entry.content.map((block) => {
    const pruned = block.type === "tool_result" ? contents.get(`${entry.n} ${block.tool_use_id}`) : undefined;
    return pruned === undefined ? block : { ...block, content: pruned };
  });
  return { ...entry, content };
}

/** The conversation after a compression. The task stays verbatim. */
export function applyEdit(conversation: Conversation, edit: Edit): Conversation {
  const { keepFrom, summary, handOver } = edit;
  const contents = new Map(edit.pruned.map(({ n, id, content }) => [`${n} ${id}`, content]));
  const kept = conversation.entries
    .filter(({ n }) => keepFrom === null || n >= keepFrom)
    .map((entry) => withPruned(entry, contents));
  const entries = withoutThinking(kept);
  return summary === null
    ? { ...conversation, entries }
    : { task: conversation.task, handOver, summary, entries };
}

const known = new WeakMap<readonly Block[], number>();

/** A rough size of what was said; each content is measured once. */
export function tokensOf({ content }: Pick<Entry, "content">): number {
  const before = known.get(content);
  if (before !== undefined) return before;
  const tokens = estimateTokens(JSON.stringify(content));
  known.set(content, tokens);
  return tokens;
}

/** A rough size of the whole conversation. */
export function conversationTokens({ task, handOver, summary, entries }: Conversation): number {
  const head = estimateTokens(task) + estimateTokens(handOver) + estimateTokens(summary);
  return entries.reduce((sum, entry) => sum + tokensOf(entry), head);
}
