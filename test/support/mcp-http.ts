import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { createTestServer } from "./mcp-server.mjs";

/** The stand-in MCP server over HTTP, at `/mcp` as streamable HTTP and at `/sse` as SSE. */
export interface McpHttp {
  url: string;
  /** How often a session was begun. */
  sessions(): number;
  /** The header `authorization` of each request. */
  authorizations: (string | undefined)[];
  /** Knows no session any more, as after a restart behind a proxy that keeps the connections. */
  forget(): void;
  /** Ends the open connections as well. */
  restart(): void;
  close(): Promise<void>;
}

/** Starts it; with a key it answers 401 to whoever does not send it. */
export async function openMcpHttp(mode: string, key?: string): Promise<McpHttp> {
  const streams = new Map<string, StreamableHTTPServerTransport>();
  const events = new Map<string, SSEServerTransport>();
  const authorizations: (string | undefined)[] = [];
  let begun = 0;

  async function streamable(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const id = String(request.headers["mcp-session-id"] ?? "");
    let transport = streams.get(id);
    if (id !== "" && transport === undefined) {
      const error = { jsonrpc: "2.0", error: { code: -32001, message: "Session not found" }, id: null };
      response.writeHead(404, { "content-type": "application/json" }).end(JSON.stringify(error));
      return;
    }
    if (transport === undefined) {
      begun += 1;
      const fresh = new StreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        onsessioninitialized: (session) => void streams.set(session, fresh),
      });
      transport = fresh;
      await createTestServer(mode).connect(fresh);
    }
    await transport.handleRequest(request, response);
  }

  async function sse(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    if (url.pathname === "/sse") {
      begun += 1;
      const transport = new SSEServerTransport("/messages", response);
      events.set(transport.sessionId, transport);
      await createTestServer(mode).connect(transport);
      return;
    }
    const transport = events.get(url.searchParams.get("sessionId") ?? "");
    if (transport) await transport.handlePostMessage(request, response);
    else response.writeHead(400).end("No transport found for sessionId");
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    authorizations.push(request.headers.authorization);
    if (key !== undefined && request.headers.authorization !== `Bearer ${key}`) {
      response.writeHead(401).end("who are you?");
      return;
    }
    void (url.pathname === "/mcp" ? streamable(request, response) : sse(request, response, url));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const forget = () => [streams, events].forEach((sessions) => sessions.clear());
  const restart = () => {
    forget();
    server.closeAllConnections();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sessions: () => begun,
    authorizations,
    forget,
    restart,
    async close() {
      server.close();
      restart();
      if (server.listening) await once(server, "close");
    },
  };
}
