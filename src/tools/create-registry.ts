import { AccrueError } from "../shared/index.js";
import type { ToolCall, ToolResultBlock } from "../model/index.js";
import { deferTools, intendedCall } from "./defer-tools.js";
import { executeCall } from "./execute-call.js";
import { permit } from "./permissions.js";
import { specOf } from "./spec-of.js";
import type { Registry, Tool } from "./types.js";

const MAX_PARALLEL_READS = 8;
/** About 30 tools of others. */
const DEFER_ABOVE_TOKENS = 5_000;
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** What a registry knows besides its tools. */
export interface RegistryOptions {
  /** Names that an allow or deny list may hold although no tool has them, such as agents that are not offered here. */
  known?: readonly string[];
  /** Tools of others (`mcp_*`, `ext_*`) beyond this many tokens are not listed but found by `search_tools`. */
  deferAboveTokens?: number;
}

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
export function createRegistry(tools: readonly Tool[], options: RegistryOptions = {}): Registry {
  const { shown, deferred } = deferTools(tools, {
    maxTokens: options.deferAboveTokens ?? DEFER_ABOVE_TOKENS,
  });
  const byName = index([...shown, ...deferred]);
  const specs = [...index(shown).values()].map(specOf);
  const known = [...(options.known ?? []), ...tools.map(({ name }) => name)];
  return {
    specs: () => specs,
    filter: (allow, deny = []) =>
      createRegistry(permit(tools, { allow, deny, known }), { ...options, known }),
    with: (...more) => createRegistry([...tools, ...more], options),
    withoutAgents: () =>
      createRegistry(
        tools.filter(({ isAgent }) => isAgent !== true),
        options,
      ),
    async execute(calls, context, signal) {
      const results: ToolResultBlock[] = [];
      const intended = calls.map((call) => intendedCall(call, deferred));
      for (const group of groups(intended, byName)) {
        const done = await Promise.all(group.map((call) => executeCall(call, byName, context, signal)));
        results.push(...done);
      }
      return results;
    },
  };
}
