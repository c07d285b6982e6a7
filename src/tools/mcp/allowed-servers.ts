import { type McpDeps, type McpServers, openServers } from "./open-servers.js";
import type { McpOptions, McpServer } from "./options.js";

/** Who wrote the servers of a run. */
export interface ServerSources {
  /** True on a server for many repositories: what a repository's file says must not start anything on the host. */
  isShared: boolean;
  /** What the operator of the host configured. */
  operator: McpOptions;
}

/** The servers that may be started, and what of the file was refused. */
export interface AllowedServers {
  servers: McpOptions;
  problems: string[];
}

/** Takes tools away from what the operator allows; adds none, and allows nothing that the operator did not. */
function narrowed(operator: McpServer, file: McpServer): McpServer {
  const { includeTools: own } = operator;
  const wanted = file.includeTools;
  const includeTools = wanted === null ? own : wanted.filter((name) => own === null || own.includes(name));
  const excludeTools = [...new Set([...operator.excludeTools, ...file.excludeTools])];
  return { ...operator, includeTools, excludeTools };
}

/**
 * Decides which servers a run may use. On a host for many repositories only the operator's are started; a repository may leave
 * out some of their tools.
 */
export function allowedServers(file: McpOptions, { isShared, operator }: ServerSources): AllowedServers {
  if (!isShared) return { servers: { ...operator, ...file }, problems: [] };
  const servers = { ...operator };
  const problems: string[] = [];
  for (const [name, written] of Object.entries(file)) {
    const own = Object.hasOwn(operator, name) ? operator[name] : undefined;
    if (written.target !== null || own === undefined) {
      problems.push(
        `mcp.${name}: a repository starts no MCP server on this host. Ask its operator to configure one; here, only include_tools and exclude_tools of it count.`,
      );
    }
    if (own !== undefined) servers[name] = narrowed(own, written);
  }
  return { servers, problems };
}

/** Starts, for each run, the servers that it may use. */
export function createServers(
  deps: McpDeps,
  sources: ServerSources,
): (file: McpOptions, signal: AbortSignal) => Promise<McpServers> {
  return async (file, signal) => {
    const { servers, problems } = allowedServers(file, sources);
    const opened = await openServers(servers, deps, signal);
    return { ...opened, problems: [...problems, ...opened.problems] };
  };
}
