// Keeps deliveries and jobs so that none is lost and none is done twice, across crashes.
export { createQueue, RouteBody } from "./create-queue.js";
export { createRoster } from "./roster.js";
export type { Roster } from "./roster.js";
export type { QueueDeps, QueueOptions } from "./create-queue.js";
export type { Delivery, Heartbeat, Job, Lane, NewJob, Queue, StopRequest } from "./types.js";
