import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Database, openDatabase } from "../../src/db/index.js";
import { type Job, type Lane, type Queue, createQueue } from "../../src/queue/index.js";
import { createUlids } from "../../src/shared/index.js";

const LEASE_MS = 60_000;

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
function claimed(lane: Lane = "run"): Job {
  const job = queue.claim(lane, "w");
  if (!job) throw new Error("nothing to claim");
  return job;
}

describe("what is looked at again and again", () => {
  const watch = (key: string, delayMs?: number) =>
    queue.enqueue({ lane: "watch", group: "repo#1", key, body: "{}" }, delayMs);

  it("is due after its delay, also after a restart, and uses up no attempt however often there is nothing yet", () => {
    watch("gate", 1000);
    expect(queue.claim("watch", "w")).toBeNull();
    queue = openQueue();
    for (let look = 1; look <= 10; look++) {
      time += 1000;
      const job = claimed("watch");
      expect(job).toMatchObject({ attempt: 1, fence: look, failure: null });
      expect(queue.postpone(job, "nobody has decided yet", 1000)).toBe(true);
      expect(queue.claim("watch", "w")).toBeNull();
    }
  });

  it("is due at once when something happens in its group, and only there", () => {
    watch("gate", 60_000);
    expect(queue.hasten("watch", "repo#2")).toBe(0);
    expect(queue.claim("watch", "w")).toBeNull();
    expect(queue.hasten("watch", "repo#1")).toBe(1);
    expect(claimed("watch").key).toBe("gate");
  });

  it("keeps nothing else of its group waiting", () => {
    watch("gate");
    claimed("watch");
    queue.enqueue({ lane: "run", group: "repo#1", key: "run", body: "{}" });
    expect(claimed().key).toBe("run");
  });

  it("has a lane in a database that an earlier version made, whose jobs stay", () => {
    const old = openDatabase(join(folder, "old.db"), { synchronous: "normal" });
    const first = new URL("../../migrations/queue/0001_create_queue.sql", import.meta.url);
    old.exec(readFileSync(first, "utf8"));
    old.exec(
      "create table migrations (store text not null, version integer not null, name text not null, primary key (store, version)) strict",
    );
    old.exec("insert into migrations values ('queue', 1, '0001_create_queue.sql')");
    old.exec(
      "insert into jobs (seq, id, lane, group_key, key, body, state, due_at) values (7, 'a', 'run', 'g', 'k', '{}', 'waiting', 0)",
    );
    const clock = { now: () => time };
    const opened = createQueue(
      old,
      { clock, newId: createUlids(clock) },
      { leaseMs: LEASE_MS, maxAttempts: 3 },
    );
    expect(opened.claim("run", "w")).toMatchObject({ id: "a", key: "k" });
    expect(opened.enqueue({ lane: "run", group: "g", key: "k", body: "{}" })).toBe("known");
    expect(opened.enqueue({ lane: "watch", group: "g", key: "k", body: "{}" })).toBe("queued");
    old.close();
  });
});
