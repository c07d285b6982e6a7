import { mkdir, stat } from "node:fs/promises";
import { AccrueError, isAccrueError, linkSignals } from "../../shared/index.js";
import type { Connection } from "./connect.js";
import { fillHostValues } from "./host-values.js";
import { type Note, type Offers, type Opened, offersOf } from "./offers.js";
import type { McpOptions, McpServer, McpTarget } from "./options.js";

const START_MS = 10_000;

/** What the servers of a run need of the host. */
export interface McpDeps {
  /** Where `ACCRUE_MCP_…` variables and a server's PATH come from. */
  env: Readonly<Record<string, string | undefined>>;
  /** Where a server's program runs unless its `cwd` says otherwise: no checkout, whose files the program might obey. */
  folder: string;
  /** How long a server may take to start, and then to list what it has. Default: 10 s. */
  startMs?: number;
}

/** The MCP servers of a run: what they offer stays the same until they are closed. */
export interface McpServers extends Offers {
  /** One for each server or tool that cannot be used, with the cure. Parts of it are the server's words. */
  problems: string[];
  /** Contract: call it when the run ends, however it ends; it does not throw. */
  close(): Promise<void>;
}

function noteOn(problems: string[]): Note {
  return (server, problem) => void problems.push(`MCP server "${server}": ${problem}`);
}

/** Lists what a server has. That it lists no prompts is no reason to go without its tools. */
async function listsOf(connection: Connection, note: Note, signal: AbortSignal) {
  const tools = await connection.tools(signal);
  const prompts = await connection.prompts(signal).catch((error: unknown) => {
    if (signal.aborted || !isAccrueError(error)) throw error;
    return { items: [], problems: [error.message] };
  });
  for (const problem of [...tools.problems, ...prompts.problems]) note(connection.server, problem);
  return { tools: tools.items, prompts: prompts.items };
}

/** Sees to it that there is a folder to start in: without one the system says that the program is missing. */
async function prepareFolder(target: McpTarget, folder: string): Promise<void> {
  if (target.kind !== "stdio") return;
  if (target.cwd === null) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return;
  }
  const isFolder = await stat(target.cwd).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new AccrueError("CONFIG_INVALID", `its cwd ${target.cwd} is no folder: correct it.`);
}

/** Starts a server and lists what it has; null and a note when that does not work. */
async function open(
  { name, server, problems }: { name: string; server: McpServer; problems: string[] },
  { env, folder, startMs = START_MS }: McpDeps,
  signal: AbortSignal,
): Promise<Opened | null> {
  const bounded = linkSignals([signal], startMs * 2);
  let connection: Connection | null = null;
  try {
    if (server.target === null) throw new AccrueError("CONFIG_INVALID", "give it a command or a url.");
    const filled = fillHostValues(name, server.target, env);
    await prepareFolder(filled.target, folder);
    // The SDK is only loaded where there is a server.
    const { connect } = await import("./connect.js");
    const { timeoutMs } = server;
    connection = connect({ ...filled, server: name, hostEnv: env, folder, startMs, timeoutMs });
    return { connection, server, ...(await listsOf(connection, noteOn(problems), bounded.signal)) };
  } catch (error) {
    await connection?.close();
    signal.throwIfAborted();
    if (bounded.timedOut()) noteOn(problems)(name, `it did not list its tools in ${(startMs * 2) / 1000} s.`);
    else if (isAccrueError(error, "MCP_FAILED")) problems.push(error.message);
    else if (isAccrueError(error)) noteOn(problems)(name, error.message);
    else throw error;
    return null;
  } finally {
    bounded.release();
  }
}

/** Starts the servers side by side. One that does not work is a problem, not an error: rejects only with the signal's reason. */
export async function openServers(
  options: McpOptions,
  deps: McpDeps,
  signal: AbortSignal,
): Promise<McpServers> {
  const problems: string[] = [];
  const opening = Object.entries(options).map(([name, server]) =>
    open({ name, server, problems }, deps, signal),
  );
  const settled = await Promise.allSettled(opening);
  const servers = settled.flatMap((each) => (each.status === "fulfilled" && each.value ? [each.value] : []));
  const close = async () => {
    await Promise.allSettled(servers.map(({ connection }) => connection.close()));
  };
  const failed = settled.find((each) => each.status === "rejected");
  if (failed) {
    await close();
    throw failed.reason;
  }
  return { ...offersOf(servers, noteOn(problems)), problems, close };
}
