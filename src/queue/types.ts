/** One webhook POST after its signature was verified. */
export interface Delivery {
  /** The app or hook id: the same `X-GitHub-Delivery` may come to two hooks. */
  source: string;
  /** `X-GitHub-Delivery`. */
  id: string;
  event: string;
  action: string | null;
  /** The body as received, JSON text. */
  payload: string;
}

/**
 * `route` reads deliveries and acts on control intents at once; `run` does the long work, one job at a time per group; `ask` answers
 * questions, which wait for no run; `watch` looks again and again at what people are waited for with.
 */
export type Lane = "route" | "run" | "ask" | "watch";

/** A job to be put into the queue. */
export interface NewJob {
  lane: Lane;
  /** What is serialised: a requirement (`host/owner/repo#12`) or a repository's fold. FIFO within a group of a lane. */
  group: string;
  /** A second job with the same key is not taken: it makes enqueueing idempotent across a crash. */
  key: string;
  /** JSON text. */
  body: string;
}

/** A claimed job. The fence number grows with each claim; every write of an older holder is refused. */
export interface Job extends NewJob {
  id: string;
  fence: number;
  /** 1 on the first claim; a job that was released counts no attempt for it. The fence tells whether it was claimed before. */
  attempt: number;
  /** Why the job was given up: people are to be told, nothing else is left to do. Null while it is to be done. */
  failure: string | null;
  /** Who asked the job to stop; null when nobody did. */
  stopBy: string | null;
}

/** Why a running job has to end. */
export interface StopRequest {
  by: string;
  reason: string;
}

/** What a worker learns at a heartbeat: go on, stop, or the lease was lost to another worker. */
export type Heartbeat = { state: "held"; stop: StopRequest | null } | { state: "lost" };

/** Deliveries and jobs that survive a crash. All calls are synchronous transactions on SQLite. */
export interface Queue {
  /**
   * Stores a delivery and its routing job in one transaction. `duplicate` if (source, id) is known already: nothing is stored.
   */
  receive(delivery: Delivery, group: string): "accepted" | "duplicate";
  delivery(source: string, id: string): Delivery | null;
  /** The job is due at once, or after `delayMs`. */
  enqueue(job: NewJob, delayMs?: number): "queued" | "known";
  /** The same for many at once; gives how many are new. */
  enqueueAll(jobs: readonly NewJob[]): number;
  /** The oldest job that is due and whose group is idle in this lane, or null. Takes over jobs whose lease has run out. */
  claim(lane: Lane, worker: string): Job | null;
  heartbeat(job: Job): Heartbeat;
  /** False when the fence is stale: then nothing was written. `outcome` is a short sentence for people, such as an ignore reason. */
  complete(job: Job, outcome: string): boolean;
  /** Puts a job back that its worker has to give up for no fault of the job, such as a shutdown: it uses up no attempt. */
  release(job: Job, message: string): boolean;
  /** Puts a job back that has nothing to do yet: it is due again after `delayMs`, and uses up no attempt. */
  postpone(job: Job, message: string, delayMs: number): boolean;
  /** Makes the waiting jobs of a group due at once. Gives how many. */
  hasten(lane: Lane, group: string): number;
  /** Lets the leases of workers end that are known to be dead, so that nobody waits for them. Gives how many jobs that frees. */
  expire(lane: Lane, isDead: (worker: string) => boolean): number;
  /**
   * Puts the job back after `delayMs`. With null, or after too many attempts, it is given up: claimed once more with `failure`,
   * so that people can be told. A job with `failure` then ends as failed with null, and is told later with a delay.
   */
  fail(job: Job, message: string, delayMs: number | null): boolean;
  /** Removes the group's waiting jobs of long work and questions, and asks the running ones to stop. Gives how many of each. */
  requestStop(group: string, stop: StopRequest): { removed: number; signalled: number };
  counts(): { waiting: number; running: number; done: number; failed: number };
  /** The newest ended route jobs with what became of them, newest first: answers "why was my event ignored". */
  recent(
    limit: number,
  ): { event: string; action: string | null; delivery: string; outcome: string; at: string }[];
}
