import type { z } from "zod";
import type { Tool, ToolKind } from "./types.js";

const DEFAULT_TIMEOUT_MS = 60_000;

/** Makes a tool whose `run` gets what its schema describes. */
export function defineTool<Schema extends z.ZodObject>(definition: {
  name: string;
  description: string;
  input: Schema;
  kind: ToolKind;
  timeoutMs?: number;
  run: Tool<z.output<Schema>>["run"];
}): Tool {
  const { run, timeoutMs = DEFAULT_TIMEOUT_MS, ...rest } = definition;
  // The registry parses every input with the tool's own schema before it calls run.
  return { ...rest, timeoutMs, run: (input, ...others) => run(input as z.output<Schema>, ...others) };
}
