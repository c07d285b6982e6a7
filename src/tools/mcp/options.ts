import { z } from "zod";

const MAX_SERVERS = 20;
const MAX_TIMEOUT_MS = 3_600_000;
const DEFAULT_TIMEOUT_MS = 60_000;
/** A call whose server reports progress may take this many times the timeout. */
export const PATIENCE = 10;

const Names = z.array(z.string().min(1));
/** YAML makes numbers and booleans of values that a process and a header take as texts. */
const Values = z.record(z.string().min(1), z.union([z.string(), z.number(), z.boolean()]).transform(String));
const HttpUrl = z.url({ protocol: /^https?$/ });

/** A tool that the host calls itself: its name, or its name and arguments with `{{item}}`, `{{text}}` or `{{query}}` in them. */
const RoleTool = z
  .union([
    z.string().min(1),
    z.strictObject({ tool: z.string().min(1), arguments: z.record(z.string(), z.unknown()) }),
  ])
  .transform((written) => (typeof written === "string" ? { tool: written, arguments: null } : written));
const RoleTools = z.strictObject({
  fetch: RoleTool.optional().describe("Reads one item of the tracker."),
  search: RoleTool.optional().describe("Searches the wiki."),
  update: RoleTool.optional().describe("Writes the status to an item. Never offered to the model."),
});

/** As people write it, here and in the files of other MCP clients. */
const Written = z.strictObject({
  type: z.enum(["stdio", "http", "streamable-http", "streamableHttp", "sse"]).optional(),
  command: z.string().min(1).optional().describe("The program of a local server."),
  args: z.array(z.string()).optional(),
  env: Values.optional().describe("Its environment; ${ACCRUE_MCP_…} stands for a variable of the host."),
  cwd: z.string().min(1).optional(),
  url: HttpUrl.optional().describe("A remote server: streamable HTTP, or SSE with type: sse."),
  httpUrl: HttpUrl.optional(),
  headers: Values.optional().describe("Sent with each request; ${ACCRUE_MCP_…} as in env."),
  timeout: z.int().min(1).max(MAX_TIMEOUT_MS).optional().describe("Milliseconds that a call may be silent."),
  trust: z.boolean().optional().describe("Whether all of its tools may be called without asking a person."),
  include_tools: Names.optional().describe("Only these tools; naming one allows it."),
  includeTools: Names.optional(),
  exclude_tools: Names.optional().describe("Not these tools."),
  excludeTools: Names.optional(),
  role: z.enum(["tracker", "wiki"]).optional().describe("What the phases use the server for."),
  role_tools: RoleTools.optional(),
  items: z.string().min(1).optional().describe("A regular expression of item ids, such as [A-Z]+-\\d+."),
});
type Written = z.output<typeof Written>;

/** How a server is reached. */
export type McpTarget =
  | { kind: "stdio"; command: string; args: string[]; env: Record<string, string>; cwd: string | null }
  | { kind: "http" | "sse"; url: string; headers: Record<string, string> };

/** What is wrong with a server as a whole; each key by itself was fine. */
function contradictions(written: Written): { key: keyof Written; message: string }[] {
  const { command, type, role, items, role_tools: roles } = written;
  const url = written.url ?? written.httpUrl;
  const wrong: [boolean, keyof Written, string][] = [
    [command !== undefined && url !== undefined, "command", "a server has a command or a url, not both"],
    [written.url !== undefined && written.httpUrl !== undefined, "httpUrl", "write url or httpUrl, not both"],
    [type === "stdio" && url !== undefined, "type", "stdio goes with a command, not with a url"],
    [type !== undefined && type !== "stdio" && command !== undefined, "type", `${type} goes with a url`],
    [Boolean(written.include_tools && written.includeTools), "includeTools", "write include_tools only"],
    [Boolean(written.exclude_tools && written.excludeTools), "excludeTools", "write exclude_tools only"],
    [role === "tracker" && !items, "items", "a tracker needs the form of its item ids, such as [A-Z]+-\\d+"],
    [role === "tracker" && !roles?.fetch, "role_tools", "a tracker needs role_tools.fetch, a tool's name"],
    [role === "wiki" && !roles?.search, "role_tools", "a wiki needs role_tools.search, a tool's name"],
    [role === undefined && roles !== undefined, "role", "role_tools needs role: tracker or role: wiki"],
    [items !== undefined && !isPattern(items), "items", "this is no regular expression"],
  ];
  return wrong.filter(([holds]) => holds).map(([, key, message]) => ({ key, message }));
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, "u").source !== "";
  } catch {
    return false;
  }
}

function targetOf(written: Written): McpTarget | null {
  const { command, args = [], env = {}, cwd = null, headers = {}, type } = written;
  if (command !== undefined) return { kind: "stdio", command, args, env, cwd };
  const url = written.url ?? written.httpUrl;
  return url === undefined ? null : { kind: type === "sse" ? "sse" : "http", url, headers };
}

/** One server of `mcp:`, in one form however it was written. */
export const McpServer = Written.transform((written, context) => {
  for (const { key, message } of contradictions(written)) {
    context.addIssue({ code: "custom", path: [key], message });
  }
  const included = written.include_tools ?? written.includeTools ?? null;
  return {
    /** Null where a repository only narrows a server that the operator named. */
    target: targetOf(written),
    timeoutMs: written.timeout ?? DEFAULT_TIMEOUT_MS,
    trust: written.trust ?? false,
    /** Null means all. */
    includeTools: included,
    excludeTools: written.exclude_tools ?? written.excludeTools ?? [],
    /** Tools that may be called without asking, since somebody with the right to say so named them. */
    grantedTools: included ?? [],
    role: written.role ?? null,
    roleTools: written.role_tools ?? {},
    items: written.items ?? null,
  };
});
/** See the schema of the same name. */
export type McpServer = z.output<typeof McpServer>;

/** A tool of a role as it is configured. */
export type McpRoleTool = z.output<typeof RoleTool>;

const ServerName = z
  .string()
  .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u, "a name has letters, digits, spaces, dots, _ and -");

/** `mcp:` of `.github/agent.yml`: MCP servers by name, as in other MCP clients. */
export const McpOptions = z
  .record(ServerName, McpServer)
  .refine((servers) => Object.keys(servers).length <= MAX_SERVERS, `at most ${MAX_SERVERS} servers`);

/** See the schema of the same name. */
export type McpOptions = z.output<typeof McpOptions>;
