import { z } from "zod";
import { defineTool } from "../define-tool.js";
import type { TodoItem } from "../types.js";

const MAX_ITEMS = 20;
const MAX_ITEM_CHARS = 200;
const MARKS: Record<TodoItem["state"], string> = { open: "[ ]", active: "[>]", done: "[x]" };

/** The agent's own list of what is to be done; people see it while the agent works. */
export const todoTool = defineTool({
  name: "todo",
  description:
    "Replaces your own list of steps, which people see live. Give the whole list each time. For work of more than two steps.",
  kind: "write",
  input: z.strictObject({
    items: z
      .array(
        z.strictObject({
          text: z
            .string()
            .trim()
            .min(1)
            .max(MAX_ITEM_CHARS)
            .regex(/^[^\n\r]+$/, "must be one line"),
          state: z.enum(["open", "active", "done"]),
        }),
      )
      .max(MAX_ITEMS)
      .refine(
        (items) => items.filter(({ state }) => state === "active").length <= 1,
        "Only one item can be active: finish it or set it to open first",
      ),
  }),
  run({ items }, { showTodo }) {
    showTodo(items);
    const done = items.filter(({ state }) => state === "done").length;
    const lines = items.map(({ text, state }) => `${MARKS[state]} ${text}`);
    return Promise.resolve([`${done} of ${items.length} done`, ...lines].join("\n"));
  },
});
