import type { Ask, Decision, Engine, GateWatch, GivenUp, Work } from "../orchestrator/index.js";
import { type Job, type Queue, RouteBody } from "../queue/index.js";
import { AccrueError, isAccrueError } from "../shared/index.js";
import { arrivalsOf } from "./arrivals.js";
import { Envelope } from "./payload.js";
import { readEvent } from "./read-event.js";
import type { EventSettings, WebhookEvent } from "./types.js";
import { welcome } from "./welcome.js";
import type { NotYet, Work as DoJob } from "./worker.js";

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

/** What the jobs of a worker are done with. */
export interface JobDeps {
  queue: Pick<Queue, "delivery" | "enqueue" | "enqueueAll" | "hasten">;
  engine: Engine;
  read: ReadDelivery;
  /** False: repositories that the app is given are offered no scaffold. */
  isOffered: boolean;
  /** How long it is until something that is waited for is looked at again. */
  watchMs: number;
}

/**
 * The three kinds of jobs that a worker gets: a delivery to be read and decided, the long work that came of one, and a look at what
 * people are waited for with.
 */
export function createJobs(deps: JobDeps): {
  route: DoJob;
  run: DoJob;
  watch: DoJob;
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
      const outcome =
        "ignored" in ask
          ? `ignored: ${ask.ignored}`
          : settle(deps.queue, ask, await deps.engine.decide(ask, job.fence, signal));
      // GitHub sends nothing for a 👍, so whatever happens on its thread is an occasion to look.
      deps.queue.hasten("watch", job.group);
      return outcome;
    },
    run: async (job, signal) => {
      const { outcome, watch } = await deps.engine.work(JSON.parse(job.body) as Work, signal);
      if (watch) {
        const { host, owner, name } = watch.start.ask.repository;
        const group = `${host}/${owner}/${name}#${watch.issue}`;
        deps.queue.enqueue({ lane: "watch", group, key: watch.start.run, body: JSON.stringify(watch) });
      }
      return outcome;
    },
    watch: (job, signal) => look(deps, job, signal),
    giveUp: async (job, failure, signal) => {
      // Who waits for a 👍 can still be answered in words.
      if (job.lane === "watch") return;
      const work =
        job.lane === "route"
          ? await undecided(deps.read(eventOf(job).event))
          : (JSON.parse(job.body) as Work);
      const ending = { message: failure, isStopped: job.stopBy !== null };
      if (work) await deps.engine.giveUp(work, ending, signal);
    },
  };
}

/** Looks once; what GitHub does not answer now is looked at again later, for as long as it takes. */
async function look(
  { queue, engine, watchMs }: JobDeps,
  job: Job,
  signal: AbortSignal,
): Promise<string | NotYet> {
  try {
    const watched = await engine.watch(JSON.parse(job.body) as GateWatch, signal);
    if (watched.kind === "waiting") return { outcome: "nobody has decided yet", againMs: watchMs };
    if (watched.kind === "over") return watched.outcome;
    const { group, key, work, outcome } = watched;
    queue.enqueue({ lane: "run", group, key, body: JSON.stringify(work) });
    return outcome;
  } catch (error) {
    if (!isAccrueError(error) || !error.retryable || error.code === "RUN_STOPPED") throw error;
    return { outcome: error.message, againMs: watchMs };
  }
}

async function undecided(read: Promise<Ask | { ignored: string }>): Promise<GivenUp | null> {
  const ask = await read;
  return "ignored" in ask ? null : { kind: "ask", ask };
}

function settle(queue: Pick<Queue, "enqueue">, ask: Ask, decision: Decision): string {
  if (decision.kind === "answered") return decision.outcome;
  const { group, work } = decision;
  const state = queue.enqueue({
    lane: work.kind === "question" ? "ask" : "run",
    group,
    key: `${ask.key}/${work.kind}`,
    body: JSON.stringify(work),
  });
  return `${state} ${work.kind} for ${group}`;
}
