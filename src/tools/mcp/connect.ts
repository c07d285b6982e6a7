import type { z } from "zod";
import { AccrueError } from "../../shared/index.js";
import type { Ask, DialTarget, Line } from "./dial.js";
import type { FilledTarget } from "./host-values.js";
import { LineError, type LineErrorKind } from "./line-error.js";
import { createLineKeeper } from "./line-keeper.js";
import { type Listed, listAll } from "./list-all.js";
import { RemoteMessages, RemotePrompt, RemoteResult, RemoteTool } from "./remote.js";

/** A server that stays usable over broken connections and expired sessions. Contract: rejects with `MCP_FAILED` or the signal's reason. */
export interface Connection {
  server: string;
  tools(signal: AbortSignal): Promise<Listed<RemoteTool>>;
  prompts(signal: AbortSignal): Promise<Listed<RemotePrompt>>;
  call(tool: RemoteTool, input: unknown, signal: AbortSignal): Promise<RemoteResult>;
  prompt(
    name: string,
    values: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<RemoteMessages>;
  /** Takes the host's secrets out of what the server said. */
  redact(text: string): string;
  close(): Promise<void>;
}

/** What a connection needs to know of its server. */
export interface ConnectOptions extends Omit<DialTarget, "target">, FilledTarget {
  server: string;
  timeoutMs: number;
}

const CURES: Readonly<Record<LineErrorKind, string>> = {
  unsent: "Check its entry under mcp in the configuration, and whether the server runs.",
  expired: "Check its url; a server that speaks SSE needs type: sse.",
  lost: "It may have been done or not: look before you ask again.",
  silent: "It may have been done or not: look before you ask again. The time is set by the server's timeout.",
  denied: "Check its headers, and that the variable they name holds a valid key.",
  refused: "Correct what the server complains about.",
  unclear: "It may have been done or not: look before you ask again.",
};

/** Whether a failed request may be sent once more without anything being done twice. */
function mayRepeat(error: unknown, isRead: boolean): boolean {
  if (!(error instanceof LineError)) return false;
  return error.kind === "expired" || error.kind === "unsent" || (error.kind === "lost" && isRead);
}

/** Prepares the connection to a server; it is dialled with the first request. */
export function connect(options: ConnectOptions): Connection {
  const { server, startMs, redact } = options;
  const keeper = createLineKeeper(options);

  const ask: Ask = async (request, isRead, signal) => {
    // What a call may take says nothing about lists: they belong to the start.
    const isList = request.method.endsWith("/list");
    const timeoutMs = isList ? Math.max(startMs, options.timeoutMs) : options.timeoutMs;
    const attempt = (line: Line) => line.request({ ...request, timeoutMs }, signal);
    const isDialled = keeper.isClosed();
    const line = await keeper.get(signal);
    try {
      return await attempt(line);
    } catch (error) {
      // One connection more for one request, not two.
      if (isDialled || !mayRepeat(error, isRead)) throw error;
      await keeper.drop(line);
      return await attempt(await keeper.get(signal));
    }
  };

  const translated = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof LineError)) throw error;
      const tail = error.said === "" ? "" : `\nIt last said:\n${error.said}`;
      const text = `MCP server "${server}": ${what} failed: ${error.message}. ${CURES[error.kind]}${tail}`;
      throw new AccrueError("MCP_FAILED", redact(text), { cause: error });
    }
  };

  const listed = <Item>(what: "tools" | "prompts", item: z.ZodType<Item>, signal: AbortSignal) =>
    translated(`listing its ${what}`, async () =>
      (await keeper.get(signal)).offers(what)
        ? await listAll(ask, { what, item }, signal)
        : { items: [], problems: [] },
    );

  return {
    server,
    redact,
    tools: (signal) => listed("tools", RemoteTool, signal),
    prompts: (signal) => listed("prompts", RemotePrompt, signal),
    call: ({ name, annotations }, input, signal) => {
      const params = { name, arguments: input };
      return translated(name, () =>
        ask({ method: "tools/call", params, result: RemoteResult }, annotations.readOnlyHint, signal),
      );
    },
    prompt: (name, values, signal) => {
      const params = { name, arguments: values };
      return translated(name, () =>
        ask({ method: "prompts/get", params, result: RemoteMessages }, true, signal),
      );
    },
    close: () => keeper.close(),
  };
}
