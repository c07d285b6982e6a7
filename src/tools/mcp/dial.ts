import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport, SseError } from "@modelcontextprotocol/sdk/client/sse.js";
import {
  StreamableHTTPClientTransport,
  StreamableHTTPError,
} from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { clipMiddle, linkSignals, messageOf } from "../../shared/index.js";
import { LineError } from "./line-error.js";
import { type McpTarget, PATIENCE } from "./options.js";
import { orAborted } from "./or-aborted.js";
import { createStdioTransport } from "./stdio-transport.js";

const PING_MS = 5000;
const CLOSE_MS = 1000;
const MAX_MESSAGE_CHARS = 1000;
/** Codes of connections that were never made. */
const NEVER_SENT = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN"]);
const BROKEN_OFF: number = ErrorCode.ConnectionClosed;
const TIMED_OUT: number = ErrorCode.RequestTimeout;
const SESSION_GONE = /\bsession/iu;

/** Where a server is and what its program gets of the host. */
export interface DialTarget {
  target: McpTarget;
  hostEnv: Readonly<Record<string, string | undefined>>;
  /** Where its program runs when the configuration names no folder. */
  folder: string;
  /** How long it may take until it has answered. */
  startMs: number;
}

/** One request of the protocol. */
export interface LineRequest<Schema extends z.ZodType> {
  method: "tools/list" | "tools/call" | "prompts/list" | "prompts/get";
  params: Record<string, unknown>;
  result: Schema;
  timeoutMs: number;
}

/** Sends a request; `isRead` says that it may be sent twice. */
export type Ask = <Schema extends z.ZodType>(
  request: Omit<LineRequest<Schema>, "timeoutMs">,
  isRead: boolean,
  signal: AbortSignal,
) => Promise<z.output<Schema>>;

/** An initialised connection to a server. */
export interface Line {
  /** Rejects with a {@link LineError}, or with the signal's reason. */
  request<Schema extends z.ZodType>(
    request: LineRequest<Schema>,
    signal: AbortSignal,
  ): Promise<z.output<Schema>>;
  offers(what: "tools" | "prompts"): boolean;
  /** True once it broke off: a new one is needed. */
  isClosed(): boolean;
  close(): Promise<void>;
}

type AnyTransport = Transport & { said?(): string; terminateSession?(): Promise<void> };

function transportTo({ target, hostEnv, folder }: DialTarget): AnyTransport {
  if (target.kind === "stdio") {
    return createStdioTransport({ ...target, hostEnv, folder: target.cwd ?? folder });
  }
  const options = { requestInit: { headers: target.headers } };
  return target.kind === "sse"
    ? new SSEClientTransport(new URL(target.url), options)
    : new StreamableHTTPClientTransport(new URL(target.url), options);
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause as { code?: unknown } | undefined) : undefined;
  return typeof cause?.code === "string" ? cause.code : "";
}

function statusOf(error: unknown): number {
  if (error instanceof StreamableHTTPError || error instanceof SseError) return error.code ?? 0;
  return Number(/\(HTTP (\d{3})\)/u.exec(messageOf(error))?.[1] ?? 0);
}

/** Reads the SDK's errors, of which several kinds share a code. */
function kindOf(error: unknown, message: string, isClosed: boolean): LineError["kind"] {
  if (error instanceof McpError) {
    if (error.code === BROKEN_OFF && isClosed) return "lost";
    if (error.code !== TIMED_OUT) return "refused";
    return SESSION_GONE.test(message) ? "expired" : "silent";
  }
  const status = statusOf(error);
  if (status === 404 || (status === 400 && SESSION_GONE.test(message))) return "expired";
  if (status === 401 || status === 403) return "denied";
  if (message === "Not connected" || NEVER_SENT.has(causeOf(error))) return "unsent";
  return error instanceof TypeError ? "lost" : "unclear";
}

function asLineError(error: unknown, isClosed: boolean, said: string): LineError {
  const message = messageOf(error).replace(/^MCP error -?\d+: /u, "");
  const [kind, status, code] = [kindOf(error, message, isClosed), statusOf(error), causeOf(error)];
  const text =
    error instanceof z.core.$ZodError
      ? "its answer has not the form that the protocol asks for"
      : kind === "lost"
        ? ["the connection broke off", code].filter(Boolean).join(": ")
        : [status > 0 && !message.includes(String(status)) ? `HTTP ${status}` : "", message, code]
            .filter(Boolean)
            .join(": ");
  return new LineError(kind, clipMiddle(text, MAX_MESSAGE_CHARS), { cause: error, said });
}

/** Notices a connection that is gone where the SDK only reports an error and lets requests wait for their time-out. */
function onErrorOf(client: Client): (error: Error) => void {
  let isAsking = false;
  const ask = async () => {
    isAsking = true;
    try {
      await client.ping({ timeout: PING_MS });
    } catch {
      await client.close();
    } finally {
      isAsking = false;
    }
  };
  return (error) => {
    if (error instanceof SseError) void client.close();
    else if (!isAsking && error.message.startsWith("SSE stream disconnected")) void ask();
  };
}

/**
 * Connects to a server; rejects with a {@link LineError}. The only file that knows the SDK's client: of it, only single requests are used, since its lists read
 * one page, and one schema that does not compile ends them.
 */
export async function dial(to: DialTarget, signal: AbortSignal): Promise<Line> {
  const transport = transportTo(to);
  const client = new Client({ name: "accrue-agent", version: "0" }, { capabilities: {} });
  let isClosed = false;
  Object.assign(client, { onclose: () => (isClosed = true) });
  const said = () => transport.said?.() ?? "";
  const close = async () => {
    if (!isClosed && transport.terminateSession) {
      const bounded = linkSignals([], CLOSE_MS);
      await orAborted(transport.terminateSession(), bounded.signal).catch(() => {});
      bounded.release();
    }
    await transport.close();
  };
  try {
    await orAborted(client.connect(transport, { signal }), signal);
  } catch (error) {
    await close();
    const { kind, message } = asLineError(error, isClosed, said());
    // Nothing was asked yet, so nothing can have been done.
    const isUnsent = kind === "lost" || kind === "silent" || kind === "unclear";
    throw new LineError(isUnsent ? "unsent" : kind, message, { cause: error, said: said() });
  }
  Object.assign(client, { onerror: onErrorOf(client) });
  return {
    offers: (what) => client.getServerCapabilities()?.[what] !== undefined,
    isClosed: () => isClosed,
    close,
    async request({ method, params, result, timeoutMs }, signal) {
      // The SDK never takes its listener off a signal: give it one that ends with the request.
      const linked = linkSignals([signal]);
      try {
        return await client.request({ method, params }, result, {
          signal: linked.signal,
          timeout: timeoutMs,
          maxTotalTimeout: timeoutMs * PATIENCE,
          resetTimeoutOnProgress: true,
          onprogress: () => {},
        });
      } catch (error) {
        // An abort carries the code of a time-out.
        if (signal.aborted) throw signal.reason;
        throw asLineError(error, isClosed, said());
      } finally {
        linked.release();
      }
    },
  };
}
