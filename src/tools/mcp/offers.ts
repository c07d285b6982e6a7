import { closest, isAccrueError } from "../../shared/index.js";
import type { Tool } from "../types.js";
import { toolNames } from "./names.js";
import type { McpServer } from "./options.js";
import { type PromptCommand, promptCommand } from "./prompt-commands.js";
import type { RemotePrompt } from "./remote.js";
import { type OfferedTool, remoteTool } from "./remote-tools.js";
import { type RoleServer, type Tracker, trackerOf, type Wiki, wikiOf } from "./roles.js";

/** A server that answered, with all that it listed. */
export interface Opened extends RoleServer {
  prompts: RemotePrompt[];
}

/** What the servers of a run give to its agents and its phases. */
export interface Offers {
  tools: Tool[];
  /** Each under a name of its own. */
  commands: PromptCommand[];
  roles: { tracker: Tracker | null; wiki: Wiki | null };
}

/** Notes what is wrong with a server. */
export type Note = (server: string, problem: string) => void;

/** The tools that are offered to the model: as included and excluded, and never one that only the host calls. */
function offered({ connection, server, tools }: Opened): OfferedTool[] {
  const { includeTools, excludeTools, roleTools } = server;
  return tools
    .filter(({ name }, at) => tools.findIndex((other) => other.name === name) === at)
    .filter(({ name }) => includeTools === null || includeTools.includes(name))
    .filter(({ name }) => !excludeTools.includes(name) && name !== roleTools.update?.tool)
    .map((tool) => ({ connection, server, tool }));
}

function unknownNames({ server, tools }: Opened): string[] {
  const names = tools.map(({ name }) => name);
  return [...(server.includeTools ?? []), ...server.excludeTools]
    .filter((name) => !names.includes(name))
    .map((name) => {
      const near = closest(name, names);
      return `it has no tool ${name}, which include_tools or exclude_tools names.${near ? ` Did you mean ${near}?` : ""}`;
    });
}

/** Gives what the work gives, or notes the problem. */
function attempt<T>(work: () => T, note: (problem: string) => void): T | null {
  try {
    return work();
  } catch (error) {
    if (!isAccrueError(error)) throw error;
    note(error.message);
    return null;
  }
}

/** Under names that no two of them share, also over servers. */
function toolsOf(servers: readonly Opened[], note: Note): Tool[] {
  const all = servers.flatMap(offered);
  const names = toolNames(
    all.map(({ connection, tool }) => ({ server: connection.server, tool: tool.name })),
  );
  const tools = new Map<string, Tool>();
  all.forEach((each, at) => {
    const name = names[at] ?? "";
    const noteTool = (problem: string) => note(each.connection.server, `${each.tool.name}: ${problem}`);
    const tool = attempt(() => remoteTool(name, each), noteTool);
    if (tool && tools.has(name)) noteTool(`the name ${name} is taken.`);
    else if (tool) tools.set(name, tool);
  });
  return [...tools.values()];
}

function commandsOf(servers: readonly Opened[], note: Note): PromptCommand[] {
  const commands = new Map<string, PromptCommand>();
  for (const { connection, prompts } of servers) {
    for (const prompt of prompts) {
      const command = promptCommand(connection, prompt);
      if (commands.has(command.name)) note(connection.server, `the command /${command.name} is taken.`);
      else commands.set(command.name, command);
    }
  }
  return [...commands.values()];
}

function roleOf<Role>(
  servers: readonly Opened[],
  role: McpServer["role"],
  make: (server: RoleServer) => Role | null,
  note: Note,
): Role | null {
  const [own, ...others] = servers.filter(({ server }) => server.role === role);
  if (own === undefined) return null;
  for (const { connection } of others) {
    note(connection.server, `it is not used as ${role}: "${own.connection.server}" is it already.`);
  }
  return attempt(
    () => make(own),
    (problem) => note(own.connection.server, problem),
  );
}

/** Puts what all servers offer together. */
export function offersOf(servers: readonly Opened[], note: Note): Offers {
  for (const each of servers) {
    for (const problem of unknownNames(each)) note(each.connection.server, problem);
  }
  return {
    tools: toolsOf(servers, note),
    commands: commandsOf(servers, note),
    roles: {
      tracker: roleOf(servers, "tracker", trackerOf, note),
      wiki: roleOf(servers, "wiki", wikiOf, note),
    },
  };
}
