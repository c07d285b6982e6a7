import type { Arrival, Engine } from "../orchestrator/index.js";
import type { Queue, RouteBody } from "../queue/index.js";

/** What greeting repositories needs. */
export interface WelcomeDeps {
  queue: Pick<Queue, "enqueueAll">;
  engine: Pick<Engine, "welcome">;
  /** False where the operator switched it off. */
  isOffered: boolean;
}

/**
 * Offers the scaffold to the repositories that an event gave the app: first one job each is queued, then each is done. All of one
 * account wait in one row, so that hundreds of them never keep people waiting.
 */
export async function welcome(
  { queue, engine, isOffered }: WelcomeDeps,
  { body, arrivals }: { body: RouteBody; arrivals: readonly Arrival[] },
  signal: AbortSignal,
): Promise<string> {
  if (!isOffered) return "ignored: ACCRUE_OFFER_INIT is false";
  if (body.repository === undefined) {
    const jobs = arrivals.map((arrival) => jobFor(arrival, body));
    return `queued ${queue.enqueueAll(jobs)} offers of the scaffold`;
  }
  const turn = arrivals.find((arrival) => nameOf(arrival) === body.repository);
  return turn ? engine.welcome(turn, signal) : `ignored: ${body.repository} is not of this delivery`;
}

function jobFor(arrival: Arrival, { source, id }: RouteBody): Parameters<Queue["enqueue"]>[0] {
  const repository = nameOf(arrival);
  const { host, owner } = arrival.repository;
  const body: RouteBody = { source, id, repository };
  const key = `${source}/${id}/${repository}`;
  return { lane: "route", group: `${host}/${owner} arrivals`, key, body: JSON.stringify(body) };
}

function nameOf({ repository }: Arrival): string {
  return `${repository.owner}/${repository.name}`;
}
