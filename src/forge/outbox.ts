import { randomUUID } from "node:crypto";
import { AccrueError, type Clock } from "../shared/index.js";
import { gitHubTime, nameOf, nextId } from "./lookup.js";
import type { DeliveryRecord, Postman } from "./postman.js";
import type { ForgeState, Installation, Repository } from "./state.js";

/** Older deliveries are forgotten, as GitHub forgets them after three days. */
const MAX_DELIVERIES = 5000;

/** A payload on its way out. */
interface Letter {
  event: string;
  action: string | null;
  installation: Installation;
  repository: Repository | null;
  payload: Record<string, unknown>;
}

/** The App's delivery log: every attempt to deliver, and those still under way. */
export interface Outbox {
  post(letter: Letter): void;
  deliveries(): DeliveryRecord[];
  /** Tries again under the same GUID; resolves when it was answered or given up. */
  redeliver(id: number): Promise<void>;
  /** Waits for all attempts under way. */
  settle(): Promise<void>;
}

/** Starts empty. */
export function createOutbox(deps: { state: ForgeState; clock: Clock; postman: Postman }): Outbox {
  const { state, clock, postman } = deps;
  const records: DeliveryRecord[] = [];
  const pending = new Set<Promise<void>>();

  const fresh = () => ({
    id: nextId(state),
    statusCode: 0,
    status: "pending",
    deliveredAt: gitHubTime(clock.now()),
    duration: 0,
    answerHeaders: {},
    answer: null,
  });

  function launch(record: DeliveryRecord): Promise<void> {
    records.push(record);
    if (records.length > MAX_DELIVERIES) records.shift();
    const sent = postman.deliver(record).finally(() => pending.delete(sent));
    pending.add(sent);
    return sent;
  }

  return {
    post({ event, action, installation, repository, payload }) {
      const guid = randomUUID();
      const body = JSON.stringify(payload);
      void launch({
        ...fresh(),
        guid,
        event,
        action,
        payload,
        body,
        repository: repository && nameOf(repository),
        redelivery: false,
        installationId: installation.id,
        repositoryId: repository?.id ?? null,
        requestHeaders: postman.headersOf({ event, guid, body }),
      });
    },
    deliveries: () => [...records],
    async redeliver(id) {
      const first = records.find((record) => record.id === id);
      if (!first) throw new AccrueError("INPUT_INVALID", `There is no delivery ${id}: see deliveries().`);
      await launch({ ...first, ...fresh(), redelivery: true });
    },
    async settle() {
      while (pending.size > 0) await Promise.all(pending);
    },
  };
}
