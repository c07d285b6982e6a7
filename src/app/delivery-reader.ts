import type { Ask, Decision, Engine, GivenUp, Work } from "../orchestrator/index.js";
import { type Job, type Queue, RouteBody } from "../queue/index.js";
import { AccrueError, isAccrueError } from "../shared/index.js";
import { arrivalsOf } from "./arrivals.js";
import { Envelope } from "./payload.js";
import { readEvent } from "./read-event.js";
import type { EventSettings, WebhookEvent } from "./types.js";
import { welcome } from "./welcome.js";

/** What a repository's configuration says about who is listened to, and to which words. */
export interface ListeningSettings {
  mention: string;
  label: string;
  permissions: { allowed_bots: string[] };
}

export interface ReaderDeps {
  settings(place: {
    owner: string;
    name: string;
    installation: number | null;
    defaultBranch: string;
  }): Promise<ListeningSettings>;
  /** Settings of a repository whose own cannot be read: the engine then says what is wrong with them. */
  defaults: ListeningSettings;
  identity(): Promise<{ appId: number | null; slug: string }>;
}

/** Reads an event with the settings of its own repository. */
export type ReadDelivery = (event: WebhookEvent) => Promise<Ask | { ignored: string }>;

/** Events that can ask for anything; for all others no configuration is fetched. */
const ASKING = [
  "issues",
  "issue_comment",
  "pull_request",
  "pull_request_review",
  "pull_request_review_comment",
  "check_run",
];

/** Makes the reader that App, Action and replay share. */
export function createDeliveryReader(deps: ReaderDeps): ReadDelivery {
  return async (event) => {
    const [settings, { appId, slug }] = await Promise.all([settingsOf(deps, event), deps.identity()]);
    const { mention, label, permissions } = settings;
    const read: EventSettings = {
      mention,
      label,
      handle: slug,
      appId,
      allowedBots: permissions.allowed_bots,
    };
    return readEvent(event, read);
  };
}

/** Reads events where nobody can be asked about their repository: a recorded delivery without credentials. */
export function createDefaultReader(defaults: ListeningSettings): ReadDelivery {
  const identity = () => Promise.resolve({ appId: null, slug: "accrue" });
  return createDeliveryReader({ settings: () => Promise.resolve(defaults), defaults, identity });
}

async function settingsOf(deps: ReaderDeps, event: WebhookEvent): Promise<ListeningSettings> {
  const envelope = Envelope.safeParse(event.payload);
  if (!envelope.success || !ASKING.includes(event.name)) return deps.defaults;
  const { repository, installation } = envelope.data;
  try {
    return await deps.settings({
      owner: repository.owner.login,
      name: repository.name,
      installation: installation?.id ?? null,
      defaultBranch: repository.default_branch,
    });
  } catch (error) {
    if (isAccrueError(error, "CONFIG_INVALID") || isAccrueError(error, "GITHUB_MISSING"))
      return deps.defaults;
    throw error;
  }
}

/** The two kinds of jobs that a worker gets: a delivery to be read and decided, and the long work that came of one. */
export function createJobs(deps: {
  queue: Pick<Queue, "delivery" | "enqueue" | "enqueueAll">;
  engine: Engine;
  read: ReadDelivery;
  /** False: repositories that the app is given are offered no scaffold. */
  isOffered: boolean;
}): {
  route(job: Job, signal: AbortSignal): Promise<string>;
  run(job: Job, signal: AbortSignal): Promise<string>;
  giveUp(job: Job, failure: string, signal: AbortSignal): Promise<void>;
} {
  function eventOf(job: Job): { body: RouteBody; event: WebhookEvent } {
    const body = RouteBody.parse(JSON.parse(job.body));
    const { source, id } = body;
    const delivery = deps.queue.delivery(source, id);
    if (!delivery)
      throw new AccrueError(
        "DATABASE_FAILED",
        `Delivery ${id} of ${source} is queued and not stored: redeliver it from the app's settings.`,
      );
    return { body, event: { name: delivery.event, id, payload: JSON.parse(delivery.payload) } };
  }

  return {
    route: async (job, signal) => {
      const { body, event } = eventOf(job);
      const arrivals = arrivalsOf(event);
      if (arrivals) return welcome(deps, { body, arrivals }, signal);
      const ask = await deps.read(event);
      if ("ignored" in ask) return `ignored: ${ask.ignored}`;
      return settle(deps.queue, ask, await deps.engine.decide(ask, job.fence, signal));
    },
    run: (job, signal) => deps.engine.work(JSON.parse(job.body) as Work, signal),
    giveUp: async (job, failure, signal) => {
      const work =
        job.lane === "run" ? (JSON.parse(job.body) as Work) : await undecided(deps.read(eventOf(job).event));
      const ending = { message: failure, isStopped: job.stopBy !== null };
      if (work) await deps.engine.giveUp(work, ending, signal);
    },
  };
}

async function undecided(read: Promise<Ask | { ignored: string }>): Promise<GivenUp | null> {
  const ask = await read;
  return "ignored" in ask ? null : { kind: "ask", ask };
}

function settle(queue: Pick<Queue, "enqueue">, ask: Ask, decision: Decision): string {
  if (decision.kind === "answered") return decision.outcome;
  const { group, work } = decision;
  const state = queue.enqueue({
    lane: "run",
    group,
    key: `${ask.key}/${work.kind}`,
    body: JSON.stringify(work),
  });
  return `${state} ${work.kind} for ${group}`;
}
