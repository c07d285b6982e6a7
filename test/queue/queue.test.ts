import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Database, openDatabase } from "../../src/db/index.js";
import {
  createQueue,
  type Delivery,
  type Job,
  type Lane,
  type Queue,
  RouteBody,
} from "../../src/queue/index.js";
import { createUlids } from "../../src/shared/index.js";

const LEASE_MS = 60_000;
const DAY_MS = 24 * 60 * 60 * 1000;

let folder: string;
let db: Database;
let time: number;
let queue: Queue;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "accrue-queue-"));
  db = openDatabase(join(folder, "q.db"), { synchronous: "normal" });
  time = Date.parse("2026-11-29T12:00:00Z");
  queue = openQueue();
});
afterEach(() => {
  db.close();
  rmSync(folder, { recursive: true });
});

function openQueue(): Queue {
  const clock = { now: () => time };
  return createQueue(db, { clock, newId: createUlids(clock) }, { leaseMs: LEASE_MS, maxAttempts: 3 });
}
function delivery(id: string, source = "1"): Delivery {
  return { source, id, event: "issues", action: "labeled", payload: '{"title":"héllo 😊"}' };
}
function enqueue(key: string, group = "g") {
  return queue.enqueue({ lane: "run", group, key, body: "{}" });
}
function claimed(lane: Lane = "run", worker = "w"): Job {
  const job = queue.claim(lane, worker);
  if (!job) throw new Error("nothing to claim");
  return job;
}

describe("deliveries", () => {
  it("are stored with a routing job that names them", () => {
    expect(queue.receive(delivery("d1"), "repo#1")).toBe("accepted");
    const job = claimed("route");
    expect(job).toMatchObject({ lane: "route", group: "repo#1", attempt: 1, fence: 1 });
    const { source, id } = RouteBody.parse(JSON.parse(job.body));
    expect(queue.delivery(source, id)).toEqual(delivery("d1"));
    expect(queue.delivery("1", "unknown")).toBeNull();
  });

  it("WH-02: come twice and are done once, also after a restart and when the first is done", () => {
    queue.receive(delivery("d1"), "g");
    expect(queue.receive(delivery("d1"), "g")).toBe("duplicate");
    queue.complete(claimed("route"), "ignored: no mention");
    queue = openQueue();
    expect(queue.receive(delivery("d1"), "g")).toBe("duplicate");
    expect(queue.claim("route", "w")).toBeNull();
  });

  it("WH-04: with one GUID from two hooks are two deliveries", () => {
    expect(queue.receive(delivery("d1", "1"), "g")).toBe("accepted");
    expect(queue.receive(delivery("d1", "2"), "g")).toBe("accepted");
    expect(queue.counts().waiting).toBe(2);
  });

  it("are forgotten a month after they were done, never before", () => {
    queue.receive(delivery("old"), "g");
    queue.receive(delivery("open"), "h");
    queue.complete(claimed("route"), "done");
    time += 29 * DAY_MS;
    expect(queue.receive(delivery("old"), "g")).toBe("duplicate");
    time += 2 * DAY_MS;
    queue.receive(delivery("new"), "g");
    expect(queue.delivery("1", "old")).toBeNull();
    expect(queue.delivery("1", "open")).not.toBeNull();
  });

  it("show what became of them, newest first", () => {
    for (const id of ["d1", "d2", "d3"]) queue.receive(delivery(id), id);
    for (const outcome of ["started", "ignored: no mention"]) {
      time += 1000;
      queue.complete(claimed("route"), outcome);
    }
    expect(queue.recent(5)).toEqual([
      {
        event: "issues",
        action: "labeled",
        delivery: "d2",
        outcome: "ignored: no mention",
        at: "2026-11-29T12:00:02.000Z",
      },
      {
        event: "issues",
        action: "labeled",
        delivery: "d1",
        outcome: "started",
        at: "2026-11-29T12:00:01.000Z",
      },
    ]);
    expect(queue.recent(1)).toHaveLength(1);
  });
});

describe("jobs", () => {
  it("of many are taken together, each once, and done one after the other in their group", () => {
    const many = ["a", "b", "c"].map((key) => ({ lane: "route" as const, group: "g", key, body: "{}" }));
    expect(queue.enqueueAll(many.slice(0, 2))).toBe(2);
    expect(queue.enqueueAll(many)).toBe(1);
    expect(claimed("route").key).toBe("a");
    expect(queue.claim("route", "w")).toBeNull();
  });

  it("with a known key are not taken again, not even when the first is done", () => {
    expect(enqueue("k")).toBe("queued");
    expect(enqueue("k")).toBe("known");
    queue.complete(claimed(), "done");
    expect(enqueue("k")).toBe("known");
    expect(queue.enqueue({ lane: "route", group: "g", key: "k", body: "{}" })).toBe("queued");
  });

  it("TR-16: of one group run one at a time and in order, other groups beside them", () => {
    for (const [key, group] of [
      ["a1", "a"],
      ["a2", "a"],
      ["b1", "b"],
    ])
      enqueue(key ?? "", group);
    const first = claimed();
    expect(first.key).toBe("a1");
    expect(claimed().key).toBe("b1");
    expect(queue.claim("run", "w")).toBeNull();
    queue.complete(first, "done");
    expect(claimed().key).toBe("a2");
  });

  it("of the two lanes do not wait for each other", () => {
    enqueue("long", "g");
    claimed();
    queue.receive(delivery("stop"), "g");
    expect(claimed("route").group).toBe("g");
  });

  it("put back wait their delay, and later ones of their group wait behind them", () => {
    enqueue("a1", "a");
    enqueue("a2", "a");
    expect(queue.fail(claimed(), "GitHub answered 502", 5000)).toBe(true);
    expect(queue.claim("run", "w")).toBeNull();
    time += 5000;
    expect(claimed()).toMatchObject({ key: "a1", attempt: 2 });
  });

  it("failed for good let the next of their group run", () => {
    enqueue("a1", "a");
    enqueue("a2", "a");
    queue.fail(claimed(), "no such repository", null);
    queue.fail(claimed(), "no such repository", null);
    expect(claimed().key).toBe("a2");
    expect(queue.counts()).toEqual({ waiting: 0, running: 1, done: 0, failed: 1 });
  });

  it("fail after too many attempts, whether they report or are lost", () => {
    enqueue("reports");
    for (let i = 0; i < 3; i++) queue.fail(claimed(), "again", 0);
    const reported = claimed();
    expect(reported).toMatchObject({ key: "reports", failure: "again" });
    queue.fail(reported, "again", null);
    enqueue("lost");
    for (let i = 0; i < 3; i++) {
      expect(claimed()).toMatchObject({ key: "lost", failure: null });
      time += LEASE_MS + 1;
    }
    const lost = claimed();
    expect(lost).toMatchObject({ key: "lost", failure: "The worker was lost 3 times while it did this." });
    queue.fail(lost, lost.failure ?? "", null);
    expect(queue.claim("run", "w")).toBeNull();
    expect(queue.counts()).toEqual({ waiting: 0, running: 0, done: 0, failed: 2 });
  });

  it("R11: that were given up are handed out until somebody tells people, though not for ever", () => {
    enqueue("k");
    expect(queue.fail(claimed(), "x is not a function", null)).toBe(true);
    for (let i = 0; i < 10; i++) {
      expect(claimed()).toMatchObject({ key: "k", failure: "x is not a function" });
      time += LEASE_MS + 1;
    }
    expect(queue.claim("run", "w")).toBeNull();
    expect(queue.counts().failed).toBe(1);
  });
});

describe("leases", () => {
  it("are kept by heartbeats", () => {
    enqueue("k");
    const job = claimed();
    for (let i = 0; i < 5; i++) {
      time += LEASE_MS - 1;
      expect(queue.heartbeat(job)).toEqual({ state: "held", stop: null });
    }
    expect(queue.claim("run", "other")).toBeNull();
  });

  it("that ran out go to another worker, and the fence refuses everything of the first", () => {
    enqueue("k");
    const first = claimed();
    time += LEASE_MS + 1;
    const second = claimed("run", "other");
    expect(second).toMatchObject({ id: first.id, fence: 2, attempt: 2 });
    expect(queue.heartbeat(first)).toEqual({ state: "lost" });
    expect(queue.complete(first, "too late")).toBe(false);
    expect(queue.fail(first, "too late", 0)).toBe(false);
    expect(queue.fail(first, "too late", null)).toBe(false);
    expect(queue.complete(second, "done")).toBe(true);
    expect(queue.complete(second, "done")).toBe(false);
  });

  it("that ran out unnoticed are still the worker's own", () => {
    enqueue("k");
    const job = claimed();
    time += LEASE_MS * 10;
    expect(queue.complete(job, "done")).toBe(true);
  });
});

describe("a stop request", () => {
  it("removes the group's waiting run jobs, signals the running one, and touches nothing else", () => {
    for (const key of ["k1", "k2", "k3"]) enqueue(key);
    enqueue("other", "h");
    queue.receive(delivery("d"), "g");
    const job = claimed();
    expect(queue.requestStop("g", { by: "lee", reason: "wrong approach" })).toEqual({
      removed: 2,
      signalled: 1,
    });
    expect(queue.heartbeat(job)).toEqual({ state: "held", stop: { by: "lee", reason: "wrong approach" } });
    expect(queue.counts()).toEqual({ waiting: 2, running: 1, done: 0, failed: 0 });
    expect(enqueue("k2")).toBe("known");
  });

  it("reaches the questions of a group, which wait for no run of it", () => {
    const question = (key: string) => queue.enqueue({ lane: "ask", group: "g", key, body: "{}" });
    enqueue("k1");
    claimed();
    question("q1");
    question("q2");
    expect(claimed("ask").key).toBe("q1");
    expect(queue.claim("ask", "w")).toBeNull();
    expect(queue.requestStop("g", { by: "lee", reason: "" })).toEqual({ removed: 1, signalled: 2 });
  });

  it("for a group without jobs does nothing", () => {
    expect(queue.requestStop("g", { by: "lee", reason: "" })).toEqual({ removed: 0, signalled: 0 });
  });

  it("outlives the worker, so that the next one ends the job properly", () => {
    enqueue("k");
    claimed();
    queue.requestStop("g", { by: "lee", reason: "closed" });
    time += LEASE_MS + 1;
    expect(queue.heartbeat(claimed())).toEqual({ state: "held", stop: { by: "lee", reason: "closed" } });
  });

  it("keeps a job that reports a passing failure from being tried again", () => {
    enqueue("k");
    const job = claimed();
    queue.requestStop("g", { by: "lee", reason: "closed" });
    expect(queue.fail(job, "GitHub answered 502", 0)).toBe(true);
    expect(claimed()).toMatchObject({ key: "k", failure: "closed" });
  });
});
