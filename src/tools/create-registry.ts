import { z } from "zod";
import { AccrueError } from "../shared/index.js";
import type { ToolCall, ToolResultBlock, ToolSpec } from "../model/index.js";
import { executeCall } from "./execute-call.js";
import { permit } from "./permissions.js";
import type { Registry, Tool } from "./types.js";

const MAX_PARALLEL_READS = 8;
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

function index(tools: readonly Tool[]): Map<string, Tool> {
  const byName = new Map<string, Tool>();
  for (const tool of tools.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (!TOOL_NAME.test(tool.name) || byName.has(tool.name)) {
      throw new AccrueError(
        "CONFIG_INVALID",
        `The tool name "${tool.name}" is taken or not valid. Give it another: up to 64 of A-Z, a-z, 0-9, _ and -.`,
      );
    }
    byName.set(tool.name, tool);
  }
  return byName;
}

function specOf({ name, description, input }: Tool): ToolSpec {
  const { $schema: _, ...inputSchema } = z.toJSONSchema(input, { io: "input" });
  return { name, description, inputSchema };
}

/** Calls in groups that may run side by side: consecutive reads together, everything else alone. */
function groups(calls: readonly ToolCall[], tools: ReadonlyMap<string, Tool>): ToolCall[][] {
  const grouped: ToolCall[][] = [];
  const isRead = (call: ToolCall | undefined) => tools.get(call?.name ?? "")?.kind === "read";
  for (const call of calls) {
    const last = grouped.at(-1);
    if (last && isRead(call) && isRead(last[0]) && last.length < MAX_PARALLEL_READS) last.push(call);
    else grouped.push([call]);
  }
  return grouped;
}

/** Puts tools behind one door: what they are called, what they take, and how their calls are run. */
export function createRegistry(tools: readonly Tool[]): Registry {
  const byName = index(tools);
  const specs = [...byName.values()].map(specOf);
  return {
    specs: () => specs,
    filter: (allow, deny = []) => createRegistry(permit([...byName.values()], allow, deny)),
    with: (...more) => createRegistry([...byName.values(), ...more]),
    withoutAgents: () => createRegistry([...byName.values()].filter(({ isAgent }) => isAgent !== true)),
    async execute(calls, context, signal) {
      const results: ToolResultBlock[] = [];
      for (const group of groups(calls, byName)) {
        const done = await Promise.all(group.map((call) => executeCall(call, byName, context, signal)));
        results.push(...done);
      }
      return results;
    },
  };
}
