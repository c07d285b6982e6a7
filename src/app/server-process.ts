import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import type { Logger } from "pino";
import { openDatabase } from "../db/index.js";
import { type Ledger, createLedger } from "../ledger/index.js";
import type { Engine } from "../orchestrator/index.js";
import { type Queue, type Roster, createQueue, createRoster } from "../queue/index.js";
import { type Clock, createUlids } from "../shared/index.js";
import { type ReadDelivery, createJobs } from "./delivery-reader.js";
import { type ListenerOptions, createListener } from "./listener.js";
import { superviseWorker } from "./supervise-worker.js";
import { createWorker } from "./worker.js";

/** What listener and worker share: one database file with deliveries, jobs and the ledger. */
export interface ServerStores {
  queue: Queue;
  ledger: Ledger;
  roster: Roster;
  close(): void;
}

/** A part of the server that runs until it is closed. */
export interface Running {
  close(): Promise<void>;
}

// A worker that is silent for this long counts as dead. Its heartbeats come every second.
const LEASE_MS = 10_000;
const MAX_ATTEMPTS = 5;
const POLL_MS = 500;
const HEARTBEAT_MS = 1_000;
const ROUTE_SLOTS = 8;
const ASK_SLOTS = 2;
const WATCH_SLOTS = 4;
// GitHub sends no larger payload.
const MAX_BODY_BYTES = 25 * 1024 * 1024;

/** Opens the server's database in its data folder. */
export function openStores(clock: Clock, data: string): ServerStores {
  const db = openDatabase(join(data, "accrue.db"));
  const queue = createQueue(
    db,
    { clock, newId: createUlids(clock) },
    { leaseMs: LEASE_MS, maxAttempts: MAX_ATTEMPTS },
  );
  const roster = createRoster(join(data, "workers"));
  return { queue, ledger: createLedger(db), roster, close: () => db.close() };
}

/** What the listener process works with. */
export interface ListenerProcessDeps {
  stores: ServerStores;
  clock: Clock;
  log: Logger;
  startWorker(): ChildProcess;
  /** Told the worker's process id each time one is started. */
  workerStarted(pid: number): void;
}

/** Verifies, persists and answers deliveries, and keeps the worker process beside it alive. */
export async function runListener(
  deps: ListenerProcessDeps,
  options: Omit<ListenerOptions, "maxBodyBytes">,
): Promise<Running & { url: string }> {
  const { stores, clock, log } = deps;
  const { queue } = stores;
  const worker = superviseWorker({ start: deps.startWorker, started: deps.workerStarted, clock, log });
  const listener = createListener(
    { receive: queue.receive, wake: worker.wake, health: () => ({ ok: true, jobs: queue.counts() }), log },
    { ...options, maxBodyBytes: MAX_BODY_BYTES },
  );
  const { port } = await listener.start();
  const url = `http://${options.host}:${port}`;
  log.info({ url }, "listening");
  return {
    url,
    close: async () => {
      await listener.close();
      await worker.close();
      stores.close();
    },
  };
}

/** What the worker process works with. */
export interface WorkerProcessDeps {
  stores: ServerStores;
  clock: Clock;
  log: Logger;
  engine: Engine;
  read: ReadDelivery;
}

/** Reads deliveries, answers control intents at once, and does the long work. */
export function runWorker(
  deps: WorkerProcessDeps,
  options: { runSlots: number; graceMs: number; isOffered: boolean; watchMs: number },
): Running & { wake(): void } {
  const { stores, clock, log, engine, read } = deps;
  const { queue, roster } = stores;
  const name = createUlids(clock)();
  const membership = roster.join(name);
  const worker = createWorker(
    { queue, log, clock, isDead: roster.isDead, ...createJobs({ queue, engine, read, ...options }) },
    {
      name,
      runSlots: options.runSlots,
      askSlots: ASK_SLOTS,
      routeSlots: ROUTE_SLOTS,
      watchSlots: WATCH_SLOTS,
      pollMs: POLL_MS,
      heartbeatMs: HEARTBEAT_MS,
    },
  );
  worker.start();
  roster.sweep();
  return {
    wake: worker.wake,
    close: async () => {
      await worker.close(options.graceMs);
      membership.leave();
      stores.close();
    },
  };
}
