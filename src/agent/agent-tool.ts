import type { z } from "zod";
import { AccrueError } from "../shared/index.js";
import { defineTool, type Tool, type ToolContext } from "../tools/index.js";
import type { AgentEnd } from "./types.js";

/** A subagent as another agent sees it. */
export interface AgentToolDefinition<Input extends z.ZodObject> {
  name: string;
  description: string;
  input: Input;
  /** Whether it changes the workspace: then it runs alone, else several run side by side. */
  writes: boolean;
  timeoutMs: number;
  /** Runs the subagent with its own history, tools and share of the budget. */
  call(input: z.output<Input>, context: ToolContext, signal: AbortSignal): Promise<AgentEnd<unknown>>;
}

/** Makes a tool of a subagent: of all it says and does, only its validated output comes back. */
export function agentTool<Input extends z.ZodObject>(definition: AgentToolDefinition<Input>): Tool {
  const { call, writes, ...rest } = definition;
  const tool = defineTool({
    ...rest,
    kind: writes ? "write" : "read",
    async run(input, context, signal) {
      const end = await call(input, context, signal);
      if (end.reason === "GOAL") return JSON.stringify(end.output);
      signal.throwIfAborted();
      const detail = end.message === "" ? "" : `: ${end.message}`;
      const partial = end.output === null ? "" : `\nIts unfinished result: ${JSON.stringify(end.output)}`;
      throw new AccrueError(
        "AGENT_FAILED",
        `${definition.name} ended with ${end.reason} after ${end.turns} turns${detail}${partial}\nAsk for less, or go on without it.`,
      );
    },
  });
  return { ...tool, isAgent: true };
}
