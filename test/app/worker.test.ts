import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  createWorker,
  type Work,
  type Worker,
  type WorkerDeps,
  type WorkerOptions,
} from "../../src/app/index.js";
import { type Database, openDatabase } from "../../src/db/index.js";
import { createQueue, type Queue } from "../../src/queue/index.js";
import { AccrueError, createUlids, sleep } from "../../src/shared/index.js";

let folder: string;
let db: Database;
let time: number;
let queue: Queue;
let workers: Worker[];
let lines: { level: number; delivery?: string; group?: string }[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "accrue-worker-"));
  db = openDatabase(join(folder, "q.db"), { synchronous: "normal" });
  time = Date.parse("2026-11-29T12:00:00Z");
  const clock = { now: () => time };
  queue = createQueue(db, { clock, newId: createUlids(clock) }, { leaseMs: 60_000, maxAttempts: 3 });
  workers = [];
  lines = [];
});
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.close(0)));
  db.close();
  rmSync(folder, { recursive: true });
});

function start(
  work: Partial<Pick<WorkerDeps, "route" | "run" | "watch" | "giveUp">>,
  options: Partial<WorkerOptions> = {},
): Worker {
  const idle: Work = async () => "nothing to do";
  const write = (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[number]);
  const worker = createWorker(
    {
      queue,
      route: idle,
      run: idle,
      watch: idle,
      giveUp: async () => {},
      ...work,
      isDead: () => false,
      log: pino({}, { write }),
      clock: { now: () => time },
    },
    {
      name: "w",
      routeSlots: 2,
      runSlots: 2,
      askSlots: 1,
      watchSlots: 1,
      pollMs: 10,
      heartbeatMs: 10,
      ...options,
    },
  );
  workers.push(worker);
  worker.start();
  return worker;
}
const enqueue = (key: string, group = key) => queue.enqueue({ lane: "run", group, key, body: "{}" });

async function until(condition: () => boolean): Promise<void> {
  for (let i = 0; i < 1000; i++) {
    if (condition()) return;
    await delay(5);
  }
  throw new Error("never came true");
}
function outcome(key: string): { state: string; outcome: string | null } {
  return db.prepare("select state, outcome from jobs where key = ?").get(key) as ReturnType<typeof outcome>;
}

describe("a worker", () => {
  it("does the jobs of both lanes and records what became of them", async () => {
    queue.receive({ source: "1", id: "d", event: "ping", action: null, payload: "{}" }, "g");
    enqueue("job");
    start({ route: async () => "ignored: a ping", run: async () => "opened #30" });
    await until(() => queue.counts().done === 2);
    expect(queue.recent(1)[0]?.outcome).toBe("ignored: a ping");
    expect(outcome("job")).toEqual({ state: "done", outcome: "opened #30" });
  });

  it("runs no more at once than it has slots, and routes beside full run slots", async () => {
    let running = 0;
    let most = 0;
    const release = new AbortController();
    const run: Work = async () => {
      most = Math.max(most, ++running);
      await sleep(60_000, release.signal).catch(() => {});
      running--;
      return "done";
    };
    for (const key of ["a", "b", "c", "d"]) enqueue(key);
    start({ run });
    await until(() => running === 2);
    queue.receive({ source: "1", id: "d", event: "ping", action: null, payload: "{}" }, "a");
    await until(() => queue.counts().done === 1);
    release.abort();
    await until(() => queue.counts().done === 5);
    expect(most).toBe(2);
  });

  it("looks at once when it is woken", async () => {
    const worker = start({}, { pollMs: 60_000 });
    enqueue("job");
    worker.wake();
    await until(() => queue.counts().done === 1);
  });

  it("hands a stop request to the running job, which then counts as stopped and not as failed", async () => {
    let reason: unknown;
    const run: Work = async (_, signal) => {
      await sleep(60_000, signal).catch((error: unknown) => {
        reason = error;
        throw error;
      });
      return "never";
    };
    enqueue("job", "g");
    start({ run });
    await until(() => queue.counts().running === 1);
    queue.requestStop("g", { by: "lee", reason: "wrong approach" });
    await until(() => queue.counts().done === 1);
    expect(reason).toMatchObject({ code: "RUN_STOPPED", retryable: false });
    expect(outcome("job")).toEqual({ state: "done", outcome: "wrong approach" });
  });

  it("aborts a job whose lease another worker has taken, and writes nothing about it", async () => {
    let reason: unknown;
    const run: Work = (_, signal) =>
      sleep(60_000, signal).then(
        () => "never",
        (error: unknown) => {
          reason = error;
          throw error;
        },
      );
    enqueue("job");
    start({ run }, { runSlots: 1 });
    await until(() => queue.counts().running === 1);
    db.exec("update jobs set fence = fence + 1");
    await until(() => reason !== undefined);
    expect(reason).toMatchObject({ code: "RUN_STOPPED", message: expect.stringMatching(/another worker/i) });
    expect(queue.counts().running).toBe(1);
  });
});

describe("a job that fails", () => {
  it("is tried again later when it says that this may help, a limited number of times", async () => {
    let tries = 0;
    const run: Work = async () => {
      tries++;
      throw new AccrueError("GITHUB_FAILED", "GitHub answered 502", { retryable: true });
    };
    enqueue("job");
    start({ run });
    for (const expected of [1, 2, 3]) {
      await until(() => tries === expected && queue.counts().running === 0);
      time += 5 * 60_000;
    }
    await until(() => queue.counts().failed === 1);
    expect(tries).toBe(3);
    expect(outcome("job").outcome).toBe("GitHub answered 502");
  });

  it.each<[string, Error]>([
    ["an error that will not pass", new AccrueError("GITHUB_DENIED", "no permission")],
    ["a programming error", new TypeError("x is not a function")],
  ])("is not tried again for %s, and is logged with its delivery and group", async (_, error) => {
    enqueue("job", "group");
    start({
      run: async () => {
        throw error;
      },
    });
    await until(() => queue.counts().failed === 1);
    expect(outcome("job").outcome).toBe(error.message);
    expect(lines.find(({ level }) => level === 50)).toMatchObject({ delivery: "job", group: "group" });
  });

  it("R11: is given up once people were told why, however often telling them fails for a while", async () => {
    const told: string[] = [];
    enqueue("job");
    start({
      run: async () => {
        throw new TypeError("x is not a function");
      },
      giveUp: async (_, failure) => {
        told.push(failure);
        if (told.length < 3)
          throw new AccrueError("GITHUB_FAILED", "GitHub answered 502", { retryable: true });
      },
    });
    for (const expected of [1, 2, 3]) {
      await until(() => told.length === expected && queue.counts().running === 0);
      time += 5 * 60_000;
    }
    await until(() => queue.counts().failed === 1);
    expect(told).toEqual(Array.from({ length: 3 }, () => "x is not a function"));
    expect(outcome("job").outcome).toBe("x is not a function");
  });
});

describe("closing a worker", () => {
  it("lets running jobs finish within the grace time and takes no new ones", async () => {
    const release = new AbortController();
    const run: Work = async () => {
      await sleep(60_000, release.signal).catch(() => {});
      return "finished";
    };
    enqueue("job");
    const worker = start({ run });
    await until(() => queue.counts().running === 1);
    enqueue("later");
    db.exec("update jobs set due_at = due_at + 1 where key = 'later'");
    const closed = worker.close(30_000);
    time += 10;
    release.abort();
    await closed;
    expect(outcome("job")).toEqual({ state: "done", outcome: "finished" });
    expect(outcome("later").state).toBe("waiting");
  });

  it("puts back what does not finish in time", async () => {
    enqueue("job");
    const worker = start({ run: (_, signal) => sleep(60_000, signal).then(() => "never") });
    await until(() => queue.counts().running === 1);
    await worker.close(0);
    expect(outcome("job").state).toBe("waiting");
    expect(queue.claim("run", "next")).toMatchObject({ key: "job", attempt: 1, fence: 2 });
  });
});
