import type { Block, Message, TextBlock, ToolResultBlock, ToolUseBlock } from "../model/index.js";
import type { Conversation, Entry } from "./conversation.js";
import type { Notices } from "./texts.js";

/** Nothing that a reader could see: the API refuses such a text, and a placeholder has to be more than that. */
function isBlank(text: string): boolean {
  return !/[^\s\p{C}\p{Z}]/u.test(text);
}

function text(content: string): TextBlock {
  return { type: "text", text: content };
}

/** The beginning: the task as it is, then what replaces messages that are gone. */
function headOf({ task, handOver, summary }: Conversation, texts: Notices): TextBlock[] {
  const blocks = [text(isBlank(task) ? texts["empty"] : task)];
  if (!isBlank(handOver)) blocks.push(text(`${texts["hand-over"]}\n\n${handOver}`));
  if (!isBlank(summary)) blocks.push(text(`${texts["summary"]}\n\n${summary}`));
  return blocks;
}

/** Thinking as it was given, unless it cannot be sent back; blank text is dropped; an answer never ends with thinking. */
function sendable(content: readonly Block[], keepThinking: boolean): Block[] {
  const blocks = content.filter((block) => {
    if (block.type === "text") return !isBlank(block.text);
    if (block.type === "thinking") return keepThinking && block.signature !== "";
    if (block.type === "redacted_thinking") return keepThinking;
    return block.type === "tool_use";
  });
  return blocks.slice(0, blocks.findLastIndex(({ type }) => !type.endsWith("thinking")) + 1);
}

/** A call that waits for its result: `id` as the model wrote it, `sent` as it is sent. */
interface OpenCall {
  id: string;
  sent: string;
  result: ToolResultBlock | null;
}

/** Messages that grow with the conversation. What was built once is never changed, only continued: the cached prefix holds. */
export interface Messages {
  add(entry: Entry): void;
  /** All so far, legal to be sent. Contract: not to be changed; they go on to grow. */
  built(): Message[];
}

/**
 * The one place that decides what is sent: every call is answered exactly once, in order and before anything else is said;
 * results of no call are dropped; ids are unique; neighbours of the same role are one message.
 */
export function createMessages(conversation: Conversation, texts: Notices): Messages {
  const messages: Message[] = [{ role: "user", content: headOf(conversation, texts) }];
  const usedIds = new Set<string>();
  let open: OpenCall[] = [];

  const push = (role: Message["role"], content: readonly Block[], model?: string) => {
    if (content.length === 0) return;
    const last = messages.at(-1);
    if (last?.role === role) last.content.push(...content);
    else messages.push({ role, content: [...content], ...(model !== undefined && { model }) });
  };
  const resultOf = ({ sent, result }: OpenCall): ToolResultBlock => {
    if (result === null) {
      return { type: "tool_result", tool_use_id: sent, content: texts["not-answered"], is_error: true };
    }
    const content = isBlank(result.content) ? texts["no-output"] : result.content;
    return { ...result, tool_use_id: sent, content };
  };
  const close = () => {
    push("user", open.map(resultOf));
    open = [];
  };
  const opened = (call: ToolUseBlock, n: number): ToolUseBlock => {
    const sent = usedIds.has(call.id) ? `${call.id}_${n}_${open.length}` : call.id;
    usedIds.add(sent);
    open.push({ id: call.id, sent, result: null });
    return sent === call.id ? call : { ...call, id: sent };
  };

  const add = ({ type, n, content, model }: Entry) => {
    if (type === "results") {
      for (const block of content) {
        if (block.type !== "tool_result") continue;
        const call = open.find(({ id, result }) => id === block.tool_use_id && result === null);
        if (call) call.result = block;
      }
      return;
    }
    close();
    if (type === "note") {
      push(
        "user",
        content.filter((block) => block.type === "text" && !isBlank(block.text)),
      );
      return;
    }
    const last = messages.at(-1);
    const isContinued = last?.role === "assistant" && last.model !== model;
    const blocks = sendable(content, !isContinued);
    push(
      "assistant",
      blocks.map((block) => (block.type === "tool_use" ? opened(block, n) : block)),
      model,
    );
  };

  for (const entry of conversation.entries) add(entry);
  return {
    add,
    built() {
      close();
      return messages;
    },
  };
}

/** What is sent for a conversation. */
export function toMessages(conversation: Conversation, texts: Notices): Message[] {
  return createMessages(conversation, texts).built();
}
