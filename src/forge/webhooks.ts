import { createHmac, randomUUID } from "node:crypto";
import { AccrueError, messageOf, type Clock } from "../shared/index.js";
import { accountJson } from "./json/account.js";
import { repositoryJson } from "./json/repository.js";
import type { ExchangeLog } from "./log.js";
import {
  gitHubTime,
  installationOn,
  nameOf,
  nextId,
  nodeId,
  type Account,
  type ForgeState,
  type Installation,
  type Repository,
} from "./state.js";
import type { ForgeDelivery } from "./types.js";
import type { WebhookName, WebhookSubject } from "./webhook-types.js";

/** GitHub gives a listener this long. */
const WEBHOOK_TIMEOUT_MS = 10_000;
/** Older deliveries are forgotten, as GitHub forgets them after three days. */
const MAX_DELIVERIES = 5000;
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

/** One thing that happened, for whoever subscribed to it. */
export interface WebhookInput<Name extends WebhookName> {
  name: Name;
  repository: Repository;
  sender: Account;
  subject: WebhookSubject<Name>;
}

/** Sends the App what GitHub would send it, and keeps the log of it. */
export interface Webhooks {
  send<Name extends WebhookName>(input: WebhookInput<Name>): void;
  /** Events about the installation itself: sent always, subscribed or not. */
  sendInstallation(
    name: "installation.created" | "installation.suspend" | "installation.unsuspend",
    installation: Installation,
    subject: WebhookSubject<"installation.created">,
    sender: Account,
  ): void;
  deliveries(): DeliveryRecord[];
  redeliver(id: number): Promise<void>;
  setTarget(url: string | null): void;
  settle(): Promise<void>;
}

/** Makes the sender; unfinished sends end with the signal. */
export function createWebhooks(
  deps: { state: ForgeState; clock: Clock; log: ExchangeLog; signal: AbortSignal },
  options: { secret: string },
): Webhooks {
  const { state, clock, log, signal } = deps;
  const records: DeliveryRecord[] = [];
  const pending = new Set<Promise<void>>();
  let target: string | null = null;

  const sign = (algorithm: string, body: string) =>
    `${algorithm}=${createHmac(algorithm, options.secret).update(body).digest("hex")}`;

  function headersOf(record: { event: string; guid: string; body: string }): Record<string, string> {
    return {
      accept: "*/*",
      "content-type": "application/json",
      "user-agent": "GitHub-Hookshot/0acc7e5",
      "x-github-delivery": record.guid,
      "x-github-event": record.event,
      "x-github-hook-id": String(state.app.id),
      "x-github-hook-installation-target-id": String(state.app.id),
      "x-github-hook-installation-target-type": "integration",
      "x-github-enterprise-host": new URL(state.web).host,
      "x-github-enterprise-version": "3.19.0",
      "x-hub-signature": sign("sha1", record.body),
      "x-hub-signature-256": sign("sha256", record.body),
    };
  }

  async function deliver(record: DeliveryRecord): Promise<void> {
    if (target === null) return;
    const began = performance.now();
    try {
      const answer = await fetch(target, {
        method: "POST",
        body: record.body,
        headers: record.requestHeaders,
        redirect: "manual",
        signal: AbortSignal.any([signal, AbortSignal.timeout(WEBHOOK_TIMEOUT_MS)]),
      });
      record.answer = (await answer.text()).slice(0, MAX_KEPT_ANSWER);
      record.answerHeaders = Object.fromEntries(answer.headers);
      record.statusCode = answer.status;
      record.status = answer.ok ? "OK" : `Invalid HTTP Response: ${answer.status}`;
    } catch (error) {
      // A listener that is away or too slow is news for the delivery log, not for whoever caused the event.
      record.status = error instanceof Error && error.name === "TimeoutError" ? "timed out" : messageOf(error);
    }
    record.duration = Math.round(performance.now() - began) / 1000;
  }

  function launch(record: DeliveryRecord): Promise<void> {
    records.push(record);
    if (records.length > MAX_DELIVERIES) records.shift();
    const sent = deliver(record).finally(() => pending.delete(sent));
    pending.add(sent);
    return sent;
  }

  function post(
    name: string,
    target: { installation: Installation; repository: Repository | null },
    payload: object,
  ): void {
    const [event = name, action = null] = name.split(".");
    const full = action === null ? payload : { action, ...payload };
    log.webhook({ event, action, payload: full });
    const body = JSON.stringify(full);
    const guid = randomUUID();
    void launch({
      id: nextId(state),
      guid,
      event,
      action,
      repository: target.repository && nameOf(target.repository),
      redelivery: false,
      statusCode: 0,
      status: "pending",
      payload: full,
      installationId: target.installation.id,
      repositoryId: target.repository?.id ?? null,
      deliveredAt: gitHubTime(clock.now()),
      duration: 0,
      requestHeaders: headersOf({ event, guid, body }),
      answerHeaders: {},
      answer: null,
      body,
    });
  }

  return {
    send({ name, repository, sender, subject }) {
      const installation = installationOn(state, repository.owner);
      const subscribed = state.app.events.some((event) => event === name.split(".")[0]);
      if (!installation || installation.suspendedAt !== null || !subscribed) return;
      post(
        name,
        { installation, repository },
        {
          ...subject,
          repository: repositoryJson(state, repository),
          sender: accountJson(state, sender),
          installation: { id: installation.id, node_id: nodeId("INS", installation.id) },
        },
      );
    },
    sendInstallation(name, installation, subject, sender) {
      post(name, { installation, repository: null }, { ...subject, sender: accountJson(state, sender) });
    },
    deliveries: () => [...records],
    async redeliver(id) {
      const first = records.find((record) => record.id === id);
      if (!first) throw new AccrueError("INPUT_INVALID", `There is no delivery ${id}: see deliveries().`);
      await launch({
        ...first,
        id: nextId(state),
        redelivery: true,
        statusCode: 0,
        status: "pending",
        deliveredAt: gitHubTime(clock.now()),
        duration: 0,
        answerHeaders: {},
        answer: null,
      });
    },
    setTarget(url) {
      target = url;
    },
    async settle() {
      while (pending.size > 0) await Promise.all(pending);
    },
  };
}
