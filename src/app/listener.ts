import { isUtf8 } from "node:buffer";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { AccrueError } from "../shared/index.js";
import {
  createWebhooks,
  WEBHOOK_PATH,
  type WebhookDeps,
  type WebhookHandler,
  type WebhookOptions,
} from "./webhooks.js";

/** What the listener needs from outside. */
export interface ListenerDeps extends WebhookDeps {
  /** What `/healthz` answers; throws when the server is not well. */
  health(): object;
}

/** Where the listener listens, and how much it takes. */
export interface ListenerOptions extends WebhookOptions {
  host: string;
  /** 0 for any that is free. */
  port: number;
  /** GitHub sends at most 25 MiB. */
  maxBodyBytes: number;
}

/** The HTTP server that GitHub talks to. */
export interface Listener {
  start(): Promise<{ port: number }>;
  /** Lets answers that are under way finish. */
  close(): Promise<void>;
}

const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const CLOSE_TIMEOUT_MS = 5000;
/** A body that is too large is read up to this many times the limit, so that its sender gets to see the answer. */
const DRAIN_FACTOR = 2;

/**
 * Makes the server that receives webhooks. It only stores and answers: the work is done elsewhere.
 * Contract: throws `CONFIG_MISSING` without a webhook secret.
 */
export function createListener(deps: ListenerDeps, options: ListenerOptions): Listener {
  if (options.webhookSecrets.length === 0 || options.webhookSecrets.some((secret) => secret.trim() === "")) {
    throw new AccrueError(
      "CONFIG_MISSING",
      "There is no webhook secret, so anybody could send events: set WEBHOOK_SECRET to the secret of the app's webhook.",
    );
  }
  let server: Server | null = null;

  return {
    async start() {
      const webhooks = await createWebhooks(deps, options);
      server = createServer(
        { headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS },
        (request, response) => {
          route(request, response, { deps, webhooks, maxBodyBytes: options.maxBodyBytes }).catch(
            (error: unknown) => {
              deps.log.error({ err: error, url: request.url }, "a request failed");
              if (!response.headersSent) reply(response, 500, { error: "internal error" });
            },
          );
        },
      );
      await listen(server, options);
      return { port: (server.address() as AddressInfo).port };
    },
    async close() {
      if (!server?.listening) return;
      const closed = once(server, "close");
      server.close();
      const timer = setTimeout(() => server?.closeAllConnections(), CLOSE_TIMEOUT_MS);
      await closed;
      clearTimeout(timer);
    },
  };
}

async function listen(server: Server, { host, port }: ListenerOptions): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (cause) {
    throw new AccrueError(
      "CONFIG_INVALID",
      `Cannot listen on ${host}:${port}: choose another port or stop what uses it.`,
      { cause },
    );
  }
}

async function route(
  request: IncomingMessage,
  response: ServerResponse,
  to: { deps: ListenerDeps; webhooks: WebhookHandler; maxBodyBytes: number },
): Promise<void> {
  const [path] = (request.url ?? "").split("?");
  if (path === "/healthz" && (request.method === "GET" || request.method === "HEAD")) {
    reply(response, 200, to.deps.health());
    return;
  }
  if (path !== WEBHOOK_PATH || request.method !== "POST") {
    reply(response, 404, { error: `there is no ${request.method} ${path}` });
    return;
  }
  const body = await readBody(request, to.maxBodyBytes);
  if (body === null) {
    reply(response, 413, { error: `the body is larger than ${to.maxBodyBytes} bytes` });
    return;
  }
  // The signature is over bytes and Probot checks it over text, so the text must stand for the same bytes.
  const text = isUtf8(body) ? body.toString("utf8") : null;
  if (text === null || !/^\s*\{/.test(text)) {
    reply(response, 400, { error: "the body is no JSON object in UTF-8" });
    return;
  }
  await to.webhooks(request, response, text);
}

/** Null when it is too large; what is over the limit is not kept. */
async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= maxBytes) chunks.push(chunk);
    else chunks.length = 0;
    if (bytes > maxBytes * DRAIN_FACTOR) break;
  }
  return bytes > maxBytes ? null : Buffer.concat(chunks);
}

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(`${JSON.stringify(body)}\n`);
}
