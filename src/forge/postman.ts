import { createHmac } from "node:crypto";
import { linkSignals, messageOf } from "../shared/index.js";
import type { ForgeState } from "./state.js";
import type { ForgeDelivery } from "./types.js";

/** GitHub gives a listener this long. */
const WEBHOOK_TIMEOUT_MS = 10_000;
/** GitHub cuts what it keeps of an answer. */
const MAX_KEPT_ANSWER = 10_000;

/** A delivery with what the App's delivery log shows of it. */
export interface DeliveryRecord extends ForgeDelivery {
  installationId: number | null;
  repositoryId: number | null;
  deliveredAt: string;
  /** Seconds. */
  duration: number;
  requestHeaders: Record<string, string>;
  answerHeaders: Record<string, string>;
  answer: string | null;
  body: string;
}

/** Signs payloads and carries them to the App's address. */
export interface Postman {
  headersOf(delivery: { event: string; guid: string; body: string }): Record<string, string>;
  /** Tries once, as GitHub does. Contract: never rejects; the record says how it went. */
  deliver(record: DeliveryRecord): Promise<void>;
  setTarget(url: string | null): void;
}

/** Starts without an address: until one is set, deliveries are only recorded. */
export function createPostman(
  deps: { state: ForgeState; signal: AbortSignal },
  options: { secret: string },
): Postman {
  let target: string | null = null;
  const sign = (algorithm: string, body: string) =>
    `${algorithm}=${createHmac(algorithm, options.secret).update(body).digest("hex")}`;
  return {
    headersOf: ({ event, guid, body }) => ({
      accept: "*/*",
      "content-type": "application/json",
      "user-agent": "GitHub-Hookshot/0acc7e5",
      "x-github-delivery": guid,
      "x-github-event": event,
      "x-github-hook-id": String(deps.state.app.id),
      "x-github-hook-installation-target-id": String(deps.state.app.id),
      "x-github-hook-installation-target-type": "integration",
      "x-github-enterprise-host": new URL(deps.state.web).host,
      "x-github-enterprise-version": "3.19.0",
      "x-hub-signature": sign("sha1", body),
      "x-hub-signature-256": sign("sha256", body),
    }),
    async deliver(record) {
      if (target === null) return;
      const began = performance.now();
      const limit = linkSignals([deps.signal], WEBHOOK_TIMEOUT_MS);
      try {
        const answer = await fetch(target, {
          method: "POST",
          body: record.body,
          headers: record.requestHeaders,
          redirect: "manual",
          signal: limit.signal,
        });
        record.answer = (await answer.text()).slice(0, MAX_KEPT_ANSWER);
        record.answerHeaders = Object.fromEntries(answer.headers);
        record.statusCode = answer.status;
        record.status = answer.ok ? "OK" : `Invalid HTTP Response: ${answer.status}`;
      } catch (error) {
        // A listener that is away or too slow is news for the delivery log, not for whoever caused the event.
        record.status =
          error instanceof Error && error.name === "TimeoutError" ? "timed out" : messageOf(error);
      } finally {
        limit.release();
      }
      record.duration = Math.round(performance.now() - began) / 1000;
    },
    setTarget(url) {
      target = url;
    },
  };
}
