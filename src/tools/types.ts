import type { z } from "zod";
import type { ToolCall, ToolResultBlock, ToolSpec } from "../model/index.js";
import type { Box, Files } from "../workspace/index.js";

/** What a tool may touch. */
export interface ToolContext {
  files: Files;
  box: Box;
  /** Folder outside the workspace for full outputs that were cut. */
  artefacts: string;
}

/** `read` calls of one turn run side by side, everything else alone and in order. */
export type ToolKind = "read" | "write" | "agent";

/** One clear atomic operation that a model can ask for. */
export interface Tool<Input = unknown> {
  name: string;
  description: string;
  input: z.ZodType<Input>;
  kind: ToolKind;
  timeoutMs: number;
  /** Contract: a returned text is the result; a thrown AccrueError goes back to the model as text; any other error ends the run. */
  run(input: Input, context: ToolContext, signal: AbortSignal): Promise<string>;
}

/** The tools of one agent. */
export interface Registry {
  /** Sorted by name. */
  specs(): ToolSpec[];
  /** Only the allowed ones: names, `*`, or `run(npm test)` for a command prefix. Deny wins. */
  filter(allow: readonly string[], deny?: readonly string[]): Registry;
  with(...tools: Tool[]): Registry;
  /** One result per call, in the order of the calls; unknown, invalid, timed-out and cancelled calls get one too. */
  execute(calls: readonly ToolCall[], context: ToolContext, signal: AbortSignal): Promise<ToolResultBlock[]>;
}
