import type { Message } from "../model/index.js";
import {
  applyEdit,
  conversationTokens,
  tokensOf,
  withoutThinking,
  type Conversation,
  type Entry,
} from "./conversation.js";
import { createMessages } from "./messages.js";
import type { Notices } from "./texts.js";
import type { TranscriptLine } from "./transcript-line.js";

/** What model and tools have said so far: the transcript as a conversation. The same lines always give the same bytes. */
export interface History {
  add(line: TranscriptLine): void;
  conversation(): Conversation;
  /** What is to be sent now. */
  messages(): Message[];
  /** Tokens of the next request: what the provider reported last, and an estimate of what was said since. */
  size(): number;
  /** Scales a size by how much smaller a changed conversation is. */
  sizeOf(changed: Conversation): number;
}

/** Starts empty. `fixedTokens`: a rough size of system prompt and tools. */
export function createHistory(texts: Notices, fixedTokens: number): History {
  let entries: Entry[] = [];
  let conversation: Conversation = { task: "", handOver: "", summary: "", entries };
  let messages = createMessages(conversation, texts);
  let size = fixedTokens;

  const replace = (changed: Conversation) => {
    entries = [...changed.entries];
    conversation = { ...changed, entries };
    messages = createMessages(conversation, texts);
  };
  const keep = (entry: Entry) => {
    entries.push(entry);
    messages.add(entry);
  };
  const estimate = (of: Conversation) => fixedTokens + conversationTokens(of);
  const sizeOf = (changed: Conversation) => Math.round((size * estimate(changed)) / estimate(conversation));

  return {
    add(line) {
      if (line.type === "start") {
        replace({ task: line.task, handOver: "", summary: "", entries: [] });
        size = estimate(conversation);
      } else if (line.type === "answer") {
        const { n, content, model, usage } = line;
        const entry: Entry = { n, type: "answer", content, model };
        keep(entry);
        const reported = usage.input + usage.cacheRead + usage.cacheWrite + usage.output;
        size = reported > 0 ? reported : size + tokensOf(entry);
      } else if (line.type === "results" || line.type === "note") {
        const { n, type } = line;
        const entry: Entry = {
          n,
          type,
          content: line.type === "note" ? [{ type: "text", text: line.text }] : line.content,
        };
        keep(entry);
        size += tokensOf(entry);
      } else if (line.type === "compressed" && line.status === "COMPRESSED") {
        replace(applyEdit(conversation, line));
        size = line.after;
      } else if (line.type === "resumed" && line.isEdited) {
        replace({ ...conversation, entries: withoutThinking(entries) });
      }
    },
    conversation: () => conversation,
    messages: () => messages.built(),
    size: () => size,
    sizeOf,
  };
}
