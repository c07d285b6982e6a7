import type { z } from "zod";
import type { Tool } from "../tools/index.js";

/** The tool that an agent ends its work with. */
export const COMPLETE_TASK = "complete_task";

/** Holds what `complete_task` has delivered, once it was valid. */
export interface Completion<Output> {
  tool: Tool;
  /** Takes what was delivered before a restart; what does not fit the schema any more is not taken. */
  restore(input: unknown): void;
  result(): { output: Output } | null;
}

/** Contract: the schema describes an object; what does not fit it goes back to the model as a tool error. */
export function createCompletion<Output>(schema: z.ZodType<Output>): Completion<Output> {
  let result: { output: Output } | null = null;
  return {
    tool: {
      name: COMPLETE_TASK,
      description: "Delivers the result and ends the work. Call it once, alone, when everything is done.",
      input: schema,
      kind: "write",
      timeoutMs: 10_000,
      run: (output) => {
        // The registry has parsed the input with the schema above.
        result = { output: output as Output };
        return Promise.resolve("Received.");
      },
    },
    restore(input) {
      const parsed = schema.safeParse(input);
      if (parsed.success) result = { output: parsed.data };
    },
    result: () => result,
  };
}
