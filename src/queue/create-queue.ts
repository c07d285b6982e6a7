import { z } from "zod";
import { type Database, MIGRATIONS, migrate, transact } from "../db/index.js";
import { type Clock, isoTime } from "../shared/index.js";
import type { Delivery, Job, Lane, NewJob, Queue } from "./types.js";

/** What the queue needs from outside. */
export interface QueueDeps {
  clock: Clock;
  newId(): string;
}

/** How long a worker may be silent before its job is taken over, and how often a job is tried before it is given up. */
export interface QueueOptions {
  leaseMs: number;
  maxAttempts: number;
}

/** The body of a routing job: which delivery to read, and of one about many repositories whose turn it is. */
export const RouteBody = z.strictObject({
  source: z.string(),
  id: z.string(),
  repository: z.string().optional(),
});
export type RouteBody = z.infer<typeof RouteBody>;

// GitHub redelivers for three days; after a month nobody asks any more, and payloads are large.
const KEEP_ENDED_MS = 30 * 24 * 60 * 60 * 1000;
/** How often telling people about a job that was given up is tried. */
const MAX_TELL_ATTEMPTS = 10;

/** Opens the queue of deliveries and jobs in a database that several processes may share. */
export function createQueue(db: Database, deps: QueueDeps, options: QueueOptions): Queue {
  migrate(db, MIGRATIONS, "queue");
  const sql = prepareStatements(db);
  const now = () => deps.clock.now();
  const { maxAttempts } = options;
  const maxClaims = maxAttempts + MAX_TELL_ATTEMPTS;

  function insert(job: NewJob, delayMs = 0): boolean {
    return sql.insertJob.run({ ...job, id: deps.newId(), dueAt: now() + delayMs }).changes === 1;
  }

  function receive(delivery: Delivery, group: string): "accepted" | "duplicate" {
    return transact(db, () => {
      if (sql.insertDelivery.run({ ...delivery, now: now() }).changes === 0) return "duplicate";
      const body: RouteBody = { source: delivery.source, id: delivery.id };
      insert({ lane: "route", group, key: `${delivery.source}/${delivery.id}`, body: JSON.stringify(body) });
      const before = now() - KEEP_ENDED_MS;
      sql.forgetJobs.run({ before });
      sql.forgetDeliveries.run({ before });
      return "accepted";
    });
  }

  return {
    receive,
    delivery: (source, id) => sql.delivery.get(source, id) ?? null,
    enqueue: (job, delayMs) => transact(db, () => (insert(job, delayMs) ? "queued" : "known")),
    enqueueAll: (jobs) => transact(db, () => jobs.filter((job) => insert(job)).length),
    claim: (lane, worker) =>
      transact(db, () => {
        const at = now();
        sql.bury.run({ lane, now: at, maxClaims });
        sql.giveUpLost.run({ lane, now: at, maxAttempts });
        return (
          sql.claim.get({ lane, worker, now: at, leaseUntil: at + options.leaseMs, maxAttempts }) ?? null
        );
      }),
    heartbeat: ({ id, fence }) =>
      transact(db, () => {
        const row = sql.heartbeat.get({ id, fence, leaseUntil: now() + options.leaseMs });
        if (!row) return { state: "lost" };
        return { state: "held", stop: row.by === null ? null : { by: row.by, reason: row.reason ?? "" } };
      }),
    ...createEndings(db, sql, { now, maxAttempts, maxClaims }),
    expire: (lane, isDead) => {
      const dead = sql.holders.all(lane).filter(isDead);
      return transact(db, () =>
        dead.reduce((freed, worker) => freed + sql.expire.run({ lane, worker }).changes, 0),
      );
    },
    hasten: (lane, group) => transact(db, () => sql.hasten.run({ lane, group, now: now() }).changes),
    requestStop: (group, stop) =>
      transact(db, () => ({
        removed: sql.removeWaiting.run({
          group,
          outcome: `removed: ${stop.by}: ${stop.reason}`,
          now: now(),
        }).changes,
        signalled: sql.signal.run({ group, ...stop }).changes,
      })),
    counts: () => sql.counts.get() ?? { waiting: 0, running: 0, done: 0, failed: 0 },
    recent: (limit) => sql.recent.all(limit).map((row) => ({ ...row, at: isoTime(row.at) })),
  };
}

/** The ways in which a holder lets go of a job; each is refused when its fence is stale. */
function createEndings(
  db: Database,
  sql: Statements,
  options: { now: () => number; maxAttempts: number; maxClaims: number },
): Pick<Queue, "complete" | "fail" | "release" | "postpone"> {
  const { now, maxAttempts, maxClaims } = options;
  function end({ id, fence }: Job, state: "done" | "failed", outcome: string): boolean {
    return transact(db, () => sql.end.run({ id, fence, state, outcome, now: now() }).changes === 1);
  }
  function postpone({ id, fence, attempt }: Job, outcome: string, delayMs: number): boolean {
    return transact(db, () => {
      const again = { id, fence, outcome, dueAt: now() + delayMs, attempts: attempt - 1, maxAttempts };
      return sql.putBack.run(again).changes === 1;
    });
  }
  return {
    complete: (job, outcome) => end(job, "done", outcome),
    fail: (job, outcome, delayMs) => {
      const { id, fence, attempt } = job;
      const isTelling = job.failure !== null;
      if (isTelling && (delayMs === null || attempt >= maxClaims)) return end(job, "failed", outcome);
      const givesUp = !isTelling && (delayMs === null || attempt >= maxAttempts);
      const attempts = givesUp ? maxAttempts : attempt;
      return transact(db, () => {
        const dueAt = now() + (givesUp ? 0 : (delayMs ?? 0));
        return sql.putBack.run({ id, fence, outcome, dueAt, attempts, maxAttempts }).changes === 1;
      });
    },
    postpone,
    release: (job, outcome) => postpone(job, outcome, 0),
  };
}

interface Held {
  id: string;
  fence: number;
}

type Statements = ReturnType<typeof prepareStatements>;

function prepareStatements(db: Database) {
  return { ...deliveryStatements(db), ...claimStatements(db), ...endStatements(db) };
}

function deliveryStatements(db: Database) {
  return {
    insertDelivery: db.prepare<[Delivery & { now: number }]>(`
      insert into deliveries (source, id, event, action, payload, received_at)
      values (@source, @id, @event, @action, @payload, @now)
      on conflict do nothing`),
    delivery: db.prepare<[string, string], Delivery>(
      "select source, id, event, action, payload from deliveries where source = ? and id = ?",
    ),
    forgetJobs: db.prepare<[{ before: number }]>("delete from jobs where ended_at < @before"),
    forgetDeliveries: db.prepare<[{ before: number }]>(`
      delete from deliveries where received_at < @before and not exists (
        select 1 from jobs where lane = 'route' and key = deliveries.source || '/' || deliveries.id)`),
    recent: db.prepare<
      [number],
      { event: string; action: string | null; delivery: string; outcome: string; at: number }
    >(`
      select d.event, d.action, d.id as delivery, coalesce(j.outcome, '') as outcome, j.ended_at as at
      from jobs j join deliveries d
        on d.source = json_extract(j.body, '$.source') and d.id = json_extract(j.body, '$.id')
      where j.lane = 'route' and j.ended_at is not null
      order by j.ended_at desc, j.seq desc limit ?`),
  };
}

function claimStatements(db: Database) {
  return {
    insertJob: db.prepare<
      [{ id: string; lane: string; group: string; key: string; body: string; dueAt: number }]
    >(`
      insert into jobs (id, lane, group_key, key, body, state, due_at)
      values (@id, @lane, @group, @key, @body, 'waiting', @dueAt)
      on conflict (lane, key) do nothing`),
    bury: db.prepare<[{ lane: string; now: number; maxClaims: number }]>(`
      update jobs set state = 'failed', worker = null, ended_at = @now
      where lane = @lane and state = 'running' and lease_until < @now and attempt >= @maxClaims`),
    giveUpLost: db.prepare<[{ lane: string; now: number; maxAttempts: number }]>(`
      update jobs set state = 'waiting', worker = null, lease_until = null, due_at = @now,
        outcome = coalesce(stop_reason, 'The worker was lost ' || attempt || ' times while it did this.')
      where lane = @lane and state = 'running' and lease_until < @now and attempt = @maxAttempts`),
    claim: db.prepare<
      [{ lane: string; worker: string; now: number; leaseUntil: number; maxAttempts: number }],
      Job
    >(`
      update jobs set state = 'running', fence = fence + 1, attempt = attempt + 1,
        worker = @worker, lease_until = @leaseUntil
      where seq = (
        select j.seq from jobs j
        where j.lane = @lane and (
          (j.state = 'running' and j.lease_until < @now)
          or (j.state = 'waiting' and j.due_at <= @now
            and not exists (select 1 from jobs r
              where r.lane = j.lane and r.group_key = j.group_key and r.state = 'running')
            and not exists (select 1 from jobs e
              where e.lane = j.lane and e.group_key = j.group_key and e.state = 'waiting' and e.seq < j.seq)))
        order by j.seq limit 1)
      returning id, lane, group_key as "group", key, body, fence, attempt, stop_by as stopBy,
        case when attempt > @maxAttempts then coalesce(outcome, '') end as failure`),
    holders: db
      .prepare<[Lane], string>(
        "select distinct worker from jobs where lane = ? and state = 'running' and lease_until > 0",
      )
      .pluck(),
    expire: db.prepare<[{ lane: Lane; worker: string }]>(
      "update jobs set lease_until = 0 where lane = @lane and state = 'running' and worker = @worker",
    ),
    heartbeat: db.prepare<[Held & { leaseUntil: number }], { by: string | null; reason: string | null }>(`
      update jobs set lease_until = @leaseUntil where id = @id and fence = @fence and state = 'running'
      returning stop_by as "by", stop_reason as reason`),
  };
}

function endStatements(db: Database) {
  return {
    end: db.prepare<[Held & { state: "done" | "failed"; outcome: string; now: number }]>(`
      update jobs set state = @state, outcome = @outcome, ended_at = @now, worker = null, lease_until = null
      where id = @id and fence = @fence and state = 'running'`),
    // A job that was asked to stop is not tried again; what is left of it is to tell so.
    putBack: db.prepare<[Held & { outcome: string; dueAt: number; attempts: number; maxAttempts: number }]>(`
      update jobs set state = 'waiting', worker = null, lease_until = null, due_at = @dueAt,
        attempt = case when stop_by is null then @attempts else max(@attempts, @maxAttempts) end,
        outcome = coalesce(stop_reason, @outcome)
      where id = @id and fence = @fence and state = 'running'`),
    hasten: db.prepare<[{ lane: Lane; group: string; now: number }]>(`
      update jobs set due_at = @now
      where lane = @lane and group_key = @group and state = 'waiting' and due_at > @now`),
    removeWaiting: db.prepare<[{ group: string; outcome: string; now: number }]>(`
      update jobs set state = 'removed', outcome = @outcome, ended_at = @now
      where lane in ('run', 'ask') and group_key = @group and state = 'waiting'`),
    signal: db.prepare<[{ group: string; by: string; reason: string }]>(`
      update jobs set stop_by = @by, stop_reason = @reason
      where lane in ('run', 'ask') and group_key = @group and state = 'running'`),
    counts: db.prepare<[], { waiting: number; running: number; done: number; failed: number }>(`
      select count(*) filter (where state = 'waiting') as waiting,
        count(*) filter (where state = 'running') as running,
        count(*) filter (where state = 'done') as done,
        count(*) filter (where state = 'failed') as failed
      from jobs`),
  };
}
