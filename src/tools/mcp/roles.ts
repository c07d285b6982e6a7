import { AccrueError, closest } from "../../shared/index.js";
import { callForText } from "./call-for-text.js";
import type { Connection } from "./connect.js";
import type { McpRoleTool, McpServer } from "./options.js";
import type { RemoteTool } from "./remote.js";
import { roleArguments, type RoleValues } from "./role-arguments.js";

const MAX_ANSWER_CHARS = 4000;
const MAX_ITEMS = 10;
const MAX_TEXT_CHARS = 100_000;

/** Where the team keeps its items. The phases call it themselves; what it says is marked as untrusted. */
export interface Tracker {
  server: string;
  /** Ids of items that a text names, each once, at most 10. */
  itemsIn(text: string): string[];
  /** What an item says, at most 4,000 characters. Rejects with an AccrueError. */
  fetch(id: string, signal: AbortSignal): Promise<string>;
  /** Writes to an item; the same text is written once in a run. Null when no tool for it is configured. */
  writeStatus: ((id: string, text: string, signal: AbortSignal) => Promise<void>) | null;
}

/** Where earlier solutions are written down. */
export interface Wiki {
  server: string;
  /** What it finds, at most 4,000 characters, marked as untrusted. Rejects with an AccrueError. */
  search(query: string, signal: AbortSignal): Promise<string>;
}

/** A server with all the tools that it listed, offered to the model or not. */
export interface RoleServer {
  connection: Connection;
  server: McpServer;
  tools: readonly RemoteTool[];
}

type RoleCall = (values: RoleValues, signal: AbortSignal) => Promise<string>;

/** Throws `CONFIG_INVALID` when the tool is not there or its arguments are not clear. */
function roleCall(
  { connection, tools }: RoleServer,
  configured: McpRoleTool,
  wanted: readonly (keyof RoleValues)[],
): RoleCall {
  const tool = tools.find(({ name }) => name === configured.tool);
  if (tool === undefined) {
    const near = closest(
      configured.tool,
      tools.map(({ name }) => name),
    );
    const hint = near ? `Did you mean ${near}?` : "Correct the name.";
    throw new AccrueError("CONFIG_INVALID", `it has no tool ${configured.tool} for its role. ${hint}`);
  }
  const argumentsOf = roleArguments(configured, tool, wanted);
  return (values, signal) =>
    callForText({ connection, tool, input: argumentsOf(values), maxChars: MAX_ANSWER_CHARS }, signal);
}

function itemsIn(text: string, form: string): string[] {
  const ids = new Set<string>();
  for (const match of text.slice(0, MAX_TEXT_CHARS).matchAll(new RegExp(form, "gu"))) {
    // A group in the form says which part is the id.
    const id = match[1] ?? match[0];
    if (id !== "") ids.add(id);
    if (ids.size === MAX_ITEMS) break;
  }
  return [...ids];
}

/** The tracker that a server is configured as, or null. Throws `CONFIG_INVALID` when its tools are not as configured. */
export function trackerOf(of: RoleServer): Tracker | null {
  const { role, roleTools, items } = of.server;
  if (role !== "tracker" || roleTools.fetch === undefined || items === null) return null;
  const fetch = roleCall(of, roleTools.fetch, ["item"]);
  const update = roleTools.update && roleCall(of, roleTools.update, ["item", "text"]);
  const written = new Map<string, Promise<string>>();
  return {
    server: of.connection.server,
    itemsIn: (text) => itemsIn(text, items),
    fetch: (item, signal) => fetch({ item }, signal),
    writeStatus:
      update === undefined
        ? null
        : async (item, text, signal) => {
            const key = JSON.stringify([item, text]);
            const writing = written.get(key) ?? update({ item, text }, signal);
            written.set(key, writing);
            try {
              await writing;
            } catch (error) {
              written.delete(key);
              throw error;
            }
          },
  };
}

/** The wiki that a server is configured as, or null. Throws `CONFIG_INVALID` when its tools are not as configured. */
export function wikiOf(of: RoleServer): Wiki | null {
  const { role, roleTools } = of.server;
  if (role !== "wiki" || roleTools.search === undefined) return null;
  const search = roleCall(of, roleTools.search, ["query"]);
  return { server: of.connection.server, search: (query, signal) => search({ query }, signal) };
}
