import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Database, openDatabase } from "../../src/db/index.js";
import { createQueue, createRoster, type Job, type Queue } from "../../src/queue/index.js";
import { createUlids } from "../../src/shared/index.js";

const LEASE_MS = 60_000;
const MODULES = new URL("../../dist/queue/index.js", import.meta.url).href;

let folder: string;
let db: Database;
let time: number;
let queue: Queue;
let children: ChildProcess[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "accrue-takeover-"));
  db = openDatabase(join(folder, "q.db"), { synchronous: "normal" });
  time = Date.parse("2026-11-29T12:00:00Z");
  const clock = { now: () => time };
  queue = createQueue(db, { clock, newId: createUlids(clock) }, { leaseMs: LEASE_MS, maxAttempts: 3 });
  children = [];
});
afterEach(async () => {
  await Promise.all(children.map((child) => kill(child)));
  db.close();
  rmSync(folder, { recursive: true });
});

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}
function claimed(worker = "w"): Job {
  const job = queue.claim("run", worker);
  if (!job) throw new Error("nothing to claim");
  return job;
}
const enqueue = (key: string, group = "g") => queue.enqueue({ lane: "run", group, key, body: "{}" });

describe("a job that is given back", () => {
  it("waits for nobody and has used up no attempt, however often that happens", () => {
    enqueue("k");
    for (let fence = 1; fence <= 10; fence++) {
      const job = claimed();
      expect(job).toMatchObject({ key: "k", fence, attempt: 1 });
      expect(queue.release(job, "the worker shuts down")).toBe(true);
    }
    expect(queue.counts()).toMatchObject({ waiting: 1, failed: 0 });
  });

  it("keeps its place before later ones of its group", () => {
    enqueue("first");
    enqueue("second");
    queue.release(claimed(), "the worker shuts down");
    expect(claimed().key).toBe("first");
  });

  it("is only told of when somebody asked it to stop meanwhile", () => {
    enqueue("k");
    const job = claimed();
    queue.requestStop("g", { by: "lee", reason: "wrong" });
    queue.release(job, "the worker shuts down");
    expect(claimed()).toMatchObject({ key: "k", failure: "wrong" });
  });

  it("is not given back by a worker that lost it", () => {
    enqueue("k");
    const job = claimed();
    time += LEASE_MS + 1;
    claimed("other");
    expect(queue.release(job, "too late")).toBe(false);
  });
});

describe("the jobs of a dead worker", () => {
  it("are taken over without waiting for their leases, those of the living are not", () => {
    enqueue("a", "a");
    enqueue("b", "b");
    claimed("dead");
    claimed("alive");
    expect(queue.expire("run", (worker) => worker === "dead")).toBe(1);
    expect(claimed("next")).toMatchObject({ key: "a", fence: 2, attempt: 2 });
    expect(queue.claim("run", "next")).toBeNull();
  });

  it("are still its own when it was only thought dead and nobody took them", () => {
    enqueue("k");
    const job = claimed("thought-dead");
    queue.expire("run", () => true);
    expect(queue.heartbeat(job)).toEqual({ state: "held", stop: null });
    expect(queue.claim("run", "next")).toBeNull();
  });
});

describe("the roster", () => {
  async function member(name: string): Promise<ChildProcess> {
    const script = `const { createRoster } = await import(${JSON.stringify(MODULES)});
      globalThis.membership = createRoster(${JSON.stringify(folder)}).join(${JSON.stringify(name)});
      process.stdout.write("joined"); setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    children.push(child);
    await once(child.stdout, "data");
    return child;
  }

  it("tells a killed worker from one that lives, and from one that it never knew", async () => {
    const roster = createRoster(folder);
    const child = await member("one");
    expect([roster.isDead("one"), roster.isDead("stranger")]).toEqual([false, false]);
    child.kill("SIGSTOP");
    expect(roster.isDead("one")).toBe(false);
    await kill(child);
    expect(roster.isDead("one")).toBe(true);
  });

  it("forgets the dead and those who left, and keeps the living", async () => {
    const roster = createRoster(folder);
    const [dead] = [await member("dead"), await member("alive")];
    const self = roster.join("self");
    const left = roster.join("left");
    left.leave();
    await kill(dead);
    roster.sweep();
    expect(
      readdirSync(folder)
        .filter((name) => name.endsWith(".lock"))
        .toSorted(),
    ).toEqual(["alive.lock", "self.lock"]);
    self.leave();
  });
});
