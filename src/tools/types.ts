import type { z } from "zod";
import type { CodeMap } from "../codemap/index.js";
import type { ToolCall, ToolResultBlock, ToolSpec } from "../model/index.js";
import type { Box, Files } from "../workspace/index.js";
import type { SeenFiles } from "./seen-files.js";

/** What a tool may touch. */
export interface ToolContext {
  files: Files;
  box: Box;
  /** Folder outside the workspace for full outputs that were cut. */
  artefacts: string;
  /** The agent's hand-over file, outside the workspace: it survives compression and restarts. */
  handOver: string;
  /** What is wrong with a file that was just written, such as a syntax error with its line; null when nothing is known to be. */
  problemOf(path: string, signal: AbortSignal): Promise<string | null>;
  /** Which files this agent has read, and as what: it overwrites nothing that it does not know. */
  seen: SeenFiles;
  /** The workspace's code map, brought up to date at each call; null where there is none. */
  map: ((signal: AbortSignal) => Promise<CodeMap>) | null;
  /** What earlier work says about a definition, by its key, in one line each; null where nothing is remembered. */
  history: ((key: string, signal: AbortSignal) => Promise<readonly string[]>) | null;
  /** Shows the agent's own list to people. */
  showTodo(items: readonly TodoItem[]): void;
  /** Asks a person to allow something; null where nobody can answer. The agent's clock stands still meanwhile. */
  askPerson: ((question: string, signal: AbortSignal) => Promise<boolean>) | null;
}

/** One line of an agent's own list. */
export interface TodoItem {
  text: string;
  state: "open" | "active" | "done";
}

/** `read` calls of one turn run side by side, everything else alone and in order. */
export type ToolKind = "read" | "write";

/** One clear atomic operation that a model can ask for. */
export interface Tool<Input = unknown> {
  name: string;
  description: string;
  input: z.ZodType<Input>;
  /** The JSON Schema shown to the model, where it is not ours: an object's. Default: that of `input`. */
  inputSchema?: Record<string, unknown>;
  kind: ToolKind;
  timeoutMs: number;
  /** True for a subagent called as a tool: subagents themselves are never offered one. */
  isAgent?: boolean;
  /** Contract: a returned text is the result; a thrown AccrueError goes back to the model as text; any other error ends the run. */
  run(input: Input, context: ToolContext, signal: AbortSignal): Promise<string>;
}

/** The tools of one agent. */
export interface Registry {
  /** Sorted by name. */
  specs(): ToolSpec[];
  /**
   * Only the allowed ones: names, `*`, `mcp_jira_*`, or `run(npm test)` for a command prefix. Deny wins. Throws `CONFIG_INVALID`
   * for a name that no tool has.
   */
  filter(allow: readonly string[], deny?: readonly string[]): Registry;
  with(...tools: Tool[]): Registry;
  /** Without subagents. */
  withoutAgents(): Registry;
  /** One result per call, in the order of the calls; unknown, invalid, timed-out and cancelled calls get one too. */
  execute(calls: readonly ToolCall[], context: ToolContext, signal: AbortSignal): Promise<ToolResultBlock[]>;
}
