import type { Logger } from "pino";
import type { Job, Lane, Queue } from "../queue/index.js";
import { AccrueError, type Clock, isAccrueError, messageOf } from "../shared/index.js";

/** Why a job has nothing to do yet, and when it is looked at again. */
export interface NotYet {
  outcome: string;
  againMs: number;
}

/** Does one job and tells what became of it in a sentence. Contract: ends soon after the signal, with any error. */
export type Work = (job: Job, signal: AbortSignal) => Promise<string | NotYet>;

/** What a worker needs from outside; `run` does long work and answers questions. */
export interface WorkerDeps {
  queue: Queue;
  route: Work;
  run: Work;
  watch: Work;
  /** Tells people that a job was given up, and why. Contract: may be called again for the same job. */
  giveUp(job: Job, failure: string, signal: AbortSignal): Promise<void>;
  /** True for a worker whose process has ended: what it was doing is taken over at once. */
  isDead(worker: string): boolean;
  log: Logger;
  clock: Clock;
}

/** How much a worker does at once, and how often it looks. */
export interface WorkerOptions {
  name: string;
  routeSlots: number;
  runSlots: number;
  askSlots: number;
  watchSlots: number;
  pollMs: number;
  heartbeatMs: number;
}

/** Works jobs of both lanes off. */
export interface Worker {
  start(): void;
  /** Looks for jobs now rather than at the next poll. */
  wake(): void;
  /** Takes no more jobs; after the grace time, those that still run are put back for another worker. */
  close(graceMs: number): Promise<void>;
}

/** A person who says stop must not wait longer than this for it to be noticed. */
const MAX_HEARTBEAT_MS = 1000;
const BACKOFF_BASE_MS = 5000;
const MAX_BACKOFF_MS = 5 * 60 * 1000;
const ABORT_TIMEOUT_MS = 5000;

interface Execution {
  abort(why: Ending, message: string): void;
  done: Promise<void>;
}

type Ending = "stopped" | "lost" | "closing";

/** Makes a worker. Several may share one queue, in one process or many. */
export function createWorker(deps: WorkerDeps, options: WorkerOptions): Worker {
  const lanes: { lane: Lane; slots: number; work: Work; active: Set<Execution> }[] = [
    { lane: "route", slots: options.routeSlots, work: deps.route, active: new Set() },
    { lane: "run", slots: options.runSlots, work: deps.run, active: new Set() },
    { lane: "ask", slots: options.askSlots, work: deps.run, active: new Set() },
    { lane: "watch", slots: options.watchSlots, work: deps.watch, active: new Set() },
  ];
  const heartbeatMs = Math.min(options.heartbeatMs, MAX_HEARTBEAT_MS);
  let poll: NodeJS.Timeout | null = null;
  let closing = false;

  function fill(): void {
    if (closing) return;
    try {
      // Not of the route lane: what a dead worker sent to GitHub last may still arrive there, and only a lease's time later can
      // one look whether it did.
      const isGone = (worker: string) => worker !== options.name && deps.isDead(worker);
      deps.queue.expire("run", isGone);
      deps.queue.expire("ask", isGone);
      for (const { lane, slots, work, active } of lanes) {
        while (active.size < slots) {
          const job = deps.queue.claim(lane, options.name);
          if (!job) break;
          const execution = execute(deps, { job, work, heartbeatMs });
          active.add(execution);
          void execution.done.finally(() => {
            active.delete(execution);
            fill();
          });
        }
      }
    } catch (error) {
      deps.log.error({ err: error }, "jobs cannot be claimed; trying again at the next poll");
    }
  }

  const running = () => lanes.flatMap(({ active }) => [...active]);

  return {
    start() {
      poll ??= setInterval(fill, options.pollMs);
      fill();
    },
    // Later, so that the answer to the webhook goes out first.
    wake: () => void setImmediate(fill),
    async close(graceMs) {
      closing = true;
      if (poll) clearInterval(poll);
      await atMost(graceMs, Promise.all(running().map(({ done }) => done)));
      for (const execution of running()) execution.abort("closing", "The worker shuts down.");
      await atMost(ABORT_TIMEOUT_MS, Promise.all(running().map(({ done }) => done)));
    },
  };
}

function execute(
  deps: WorkerDeps,
  { job, work, heartbeatMs }: { job: Job; work: Work; heartbeatMs: number },
): Execution {
  const controller = new AbortController();
  const started = deps.clock.now();
  const about = { delivery: job.key, group: job.group, lane: job.lane, attempt: job.attempt };
  let ending: Ending | null = null;

  function abort(why: Ending, message: string): void {
    if (ending) return;
    ending = why;
    controller.abort(new AccrueError("RUN_STOPPED", message, { retryable: why !== "stopped" }));
  }

  function beat(): void {
    try {
      const heartbeat = deps.queue.heartbeat(job);
      if (heartbeat.state === "lost") abort("lost", "Another worker has taken this job over.");
      else if (heartbeat.stop && job.failure === null) abort("stopped", heartbeat.stop.reason);
    } catch (error) {
      deps.log.error({ ...about, err: error }, "a heartbeat failed; trying again at the next one");
    }
  }

  async function perform(): Promise<void> {
    // At once: a job that is taken over may have been asked to stop before.
    beat();
    const timer = setInterval(beat, heartbeatMs);
    try {
      if (job.failure === null) {
        const outcome = await work(job, controller.signal);
        if (typeof outcome !== "string") {
          deps.queue.postpone(job, outcome.outcome, outcome.againMs);
          return;
        }
        const kept = deps.queue.complete(job, outcome);
        deps.log.info({ ...about, ms: deps.clock.now() - started, outcome, kept }, "job done");
      } else {
        await deps.giveUp(job, job.failure, controller.signal);
        const kept = deps.queue.fail(job, job.failure, null);
        deps.log.error({ ...about, failure: job.failure, kept }, "job given up");
      }
    } catch (error) {
      settle(error);
    } finally {
      clearInterval(timer);
    }
  }

  function settle(error: unknown): void {
    try {
      const kept = giveBack(deps.queue, job, ending, error);
      const line = { ...about, ms: deps.clock.now() - started, err: error, ending, kept };
      if (ending) deps.log.info(line, "job ended early");
      else deps.log.error(line, "job failed");
    } catch (failure) {
      deps.log.error({ ...about, err: failure }, "the end of a job was not recorded; its lease will run out");
    }
  }

  return { abort, done: perform() };
}

/** Records the end of a job that did not finish. */
function giveBack(queue: Queue, job: Job, ending: Ending | null, error: unknown): boolean {
  if (ending === "lost") return false;
  if (ending === "stopped") return queue.complete(job, messageOf(error));
  if (ending === "closing") return queue.release(job, messageOf(error));
  const backoffMs = Math.min(BACKOFF_BASE_MS * 2 ** (job.attempt - 1), MAX_BACKOFF_MS);
  const isPassing = isAccrueError(error) && error.retryable;
  return queue.fail(job, job.failure ?? messageOf(error), isPassing ? backoffMs : null);
}

async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, timeout]);
  clearTimeout(timer);
}
