// Takes in what GitHub tells: receives webhooks, reads what they ask for, and works their jobs off.
export { createDefaultReader, createDeliveryReader } from "./delivery-reader.js";
export type { ReadDelivery } from "./delivery-reader.js";
export { groupOf } from "./group.js";
export { createListener } from "./listener.js";
export type { Listener, ListenerDeps, ListenerOptions } from "./listener.js";
export { readEvent } from "./read-event.js";
export { openStores, runListener, runWorker } from "./server-process.js";
export type { Running } from "./server-process.js";
export type { EventSettings, WebhookEvent } from "./types.js";
export { createWorker } from "./worker.js";
export type { Work, Worker, WorkerDeps, WorkerOptions } from "./worker.js";
