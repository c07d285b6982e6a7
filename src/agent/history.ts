import type { Block, Message, ToolResultBlock } from "../model/index.js";

/** What model and tools have said so far, legal to be sent at any time. */
export interface History {
  messages(): Message[];
  addAnswer(content: readonly Block[]): void;
  /** Contract: one result for each call of the last answer, in the order of the calls. */
  addResults(results: readonly ToolResultBlock[]): void;
  /** A word of the loop to the model; it comes after the results, because they have to be first. */
  addNote(text: string): void;
}

/** Starts a conversation with its task. Neighbours of the same role become one message, and an empty one is never made. */
export function createHistory(task: string): History {
  const messages: Message[] = [{ role: "user", content: [{ type: "text", text: task }] }];
  const add = (role: Message["role"], content: readonly Block[]) => {
    if (content.length === 0) return;
    const last = messages.at(-1);
    if (last?.role === role) last.content.push(...content);
    else messages.push({ role, content: [...content] });
  };
  return {
    messages: () => messages,
    addAnswer: (content) => add("assistant", content),
    addResults: (results) => add("user", results),
    addNote: (text) => add("user", [{ type: "text", text }]),
  };
}
