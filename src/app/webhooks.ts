import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "pino";
import type { Delivery } from "../queue/index.js";
import { groupOfPayload } from "./group.js";

/** Where GitHub sends its webhooks. */
export const WEBHOOK_PATH = "/api/github/webhooks";

/** What webhooks need from outside. */
export interface WebhookDeps {
  /** Stores the delivery before it is acknowledged. */
  receive(delivery: Delivery, group: string): "accepted" | "duplicate";
  wake(): void;
  log: Logger;
}

/** Whose webhooks they are. */
export interface WebhookOptions {
  appId: number;
  privateKey: string;
  /** One, or two while a new one is being introduced. */
  webhookSecrets: readonly string[];
  baseUrl: string;
}

/** Answers one webhook whose body was read already. */
export type WebhookHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  body: string,
) => Promise<void>;

/**
 * Makes the part that checks a webhook's signature, stores the delivery and answers. Probot does the checking; it knows
 * one secret only, so there is one Probot per secret.
 */
export async function createWebhooks(deps: WebhookDeps, options: WebhookOptions): Promise<WebhookHandler> {
  // The listener alone needs it; the command line and the worker start faster without.
  const { createNodeMiddleware, Probot } = await import("probot");
  // Probot hands on the parsed payload; the text and the headers of the same request come by this way.
  const current = new AsyncLocalStorage<{ source: string; body: string }>();

  function store(event: { id: string; name: string; payload: unknown }): void {
    const received = current.getStore();
    if (!received) throw new Error(`The delivery ${event.id} came without its request`);
    const { source, body: payload } = received;
    const action = actionOf(event.payload);
    const delivery: Delivery = { source, id: event.id, event: event.name, action, payload };
    const outcome = deps.receive(delivery, groupOfPayload(event.payload));
    deps.log.info({ delivery: event.id, source, event: event.name, action, outcome }, "delivery received");
    if (outcome === "accepted") deps.wake();
  }

  const { appId, privateKey, baseUrl } = options;
  const doors = await Promise.all(
    options.webhookSecrets.map(async (secret) => {
      const probot = new Probot({ appId, privateKey, secret, baseUrl, log: deps.log });
      const middleware = await createNodeMiddleware(
        (app) => app.onAny(({ id, name, payload }) => store({ id, name, payload })),
        { probot, webhooksPath: WEBHOOK_PATH },
      );
      return { probot, middleware };
    }),
  );

  async function doorFor(body: string, signature: string | undefined) {
    if (doors.length > 1 && signature?.startsWith("sha256=")) {
      for (const door of doors) if (await door.probot.webhooks.verify(body, signature)) return door;
    }
    return doors[0];
  }

  return async (request, response, body) => {
    const door = await doorFor(body, header(request, "x-hub-signature-256"));
    // The same X-GitHub-Delivery may come from two hooks, so that it alone names no delivery.
    const source = header(request, "x-github-hook-id") ?? String(appId);
    request.body = body;
    await current.run({ source, body }, () => door?.middleware(request, response));
  };
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function actionOf(payload: unknown): string | null {
  const isObject = typeof payload === "object" && payload !== null;
  return isObject && "action" in payload && typeof payload.action === "string" ? payload.action : null;
}
