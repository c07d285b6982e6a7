import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Database, openDatabase } from "../../src/db/index.js";
import { createQueue, type Queue } from "../../src/queue/index.js";
import { createUlids } from "../../src/shared/index.js";
import { buildModules } from "./built-modules.js";

const fixture = fileURLToPath(new URL("worker.fixture.mjs", import.meta.url));
const clock = { now: () => Date.now() };
const LEASE_MS = 400;

let built: string;
beforeAll(() => {
  built = mkdtempSync(join(tmpdir(), "accrue-built-"));
  buildModules(built, ["shared", "db", "queue"]);
});
afterAll(() => rmSync(built, { recursive: true }));

let folder: string;
let db: Database;
let queue: Queue;
let children: ChildProcess[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "accrue-queue-"));
  db = openDatabase(join(folder, "q.db"), { synchronous: "normal" });
  queue = createQueue(db, { clock, newId: createUlids(clock) }, { leaseMs: LEASE_MS, maxAttempts: 50 });
  children = [];
});
afterEach(async () => {
  await Promise.all(children.map((child) => kill(child)));
  db.close();
  rmSync(folder, { recursive: true });
});

function work(name: string, mode: "work" | "wait" = "work"): ChildProcess {
  const child = spawn(
    process.execPath,
    [fixture, built, join(folder, "q.db"), join(folder, "log"), name, String(LEASE_MS), mode],
    { stdio: ["ignore", "ignore", "inherit"] },
  );
  children.push(child);
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}

function log(): { what: string; key: string; group: string; name: string }[] {
  if (!existsSync(join(folder, "log"))) return [];
  const lines = readFileSync(join(folder, "log"), "utf8").split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line) as ReturnType<typeof log>[number]);
}

async function until(condition: () => boolean): Promise<void> {
  for (let i = 0; i < 1500; i++) {
    if (condition()) return;
    await delay(10);
  }
  throw new Error(`never came true; log: ${JSON.stringify(log().slice(-5))}`);
}
const enqueue = (key: string, group: string) => queue.enqueue({ lane: "run", group, key, body: "{}" });

describe("queue with several processes", () => {
  it("does each job once and one at a time per group, in order, although workers are killed", async () => {
    for (let i = 0; i < 60; i++) enqueue(`job-${i}`, `group-${i % 6}`);
    const workers = ["a", "b", "c"].map((name) => work(name));
    await until(() => log().length > 10);
    for (const [index, worker] of workers.entries()) {
      await kill(worker);
      workers[index] = work(`again-${index}`);
    }
    await Promise.all(workers.map((worker) => once(worker, "exit")));

    const done = log().filter((line) => line.what === "done");
    expect(queue.counts()).toEqual({ waiting: 0, running: 0, done: 60, failed: 0 });
    for (let group = 0; group < 6; group++) {
      const keys = done.filter((line) => line.group === `group-${group}`).map((line) => line.key);
      const expected = Array.from({ length: 10 }, (_, i) => `job-${i * 6 + group}`);
      // A worker may be killed between its commit and its line in the log, so a line can be missing, never doubled.
      expect(expected.filter((key) => keys.includes(key))).toEqual(keys);
    }
    expect(db.pragma("integrity_check", { simple: true })).toBe("ok");
  });

  it("takes a killed worker's job over when its lease has run out, and not before", async () => {
    enqueue("job", "group");
    const worker = work("first", "wait");
    await until(() => log().length === 1);
    await kill(worker);
    const early = queue.claim("run", "second");
    let job = early;
    await until(() => (job ??= queue.claim("run", "second")) !== null);
    expect(early).toBeNull();
    expect(job).toMatchObject({ key: "job", fence: 2, attempt: 2 });
  });

  it("refuses the result of a worker that slept longer than its lease", async () => {
    enqueue("job", "group");
    const sleeper = work("sleeper", "wait");
    await until(() => log().length === 1);
    sleeper.kill("SIGSTOP");
    await until(() => queue.claim("run", "second") !== null);
    writeFileSync(join(folder, "log.go"), "");
    sleeper.kill("SIGCONT");
    await until(() => log().length === 2);
    expect(log().map((line) => line.what)).toEqual(["start", "stale"]);
    expect(queue.counts()).toMatchObject({ running: 1, done: 0 });
  });
});
