import type { McpOptions, McpServer } from "./options.js";

/** Who wrote the servers of a run. */
export interface ServerSources {
  /** True on a server for many repositories: what a repository's file says must not start anything on the host. */
  fromFile: boolean;
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
export function allowedServers(file: McpOptions, { fromFile, operator }: ServerSources): AllowedServers {
  if (!fromFile) return { servers: { ...operator, ...file }, problems: [] };
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
