import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { superviseWorker } from "../../src/app/supervise-worker.js";

const WAITS = ["-e", "process.on('message', () => {}); setInterval(() => {}, 1000)"];

let supervised: ReturnType<typeof superviseWorker> | null = null;
afterEach(async () => {
  await supervised?.close();
  supervised = null;
});

function supervise(started: ChildProcess[]): ReturnType<typeof superviseWorker> {
  const log = { info: () => {}, error: () => {} };
  const start = () => {
    const child = spawn(process.execPath, WAITS, { stdio: ["ignore", "ignore", "ignore", "ipc"] });
    started.push(child);
    return child;
  };
  return superviseWorker({ start, started: () => {}, clock: { now: () => Date.now() }, log });
}

describe("the worker beside the listener", () => {
  it("is started again when it was killed", async () => {
    const started: ChildProcess[] = [];
    supervised = supervise(started);
    await once(started[0] as ChildProcess, "spawn");
    started[0]?.kill("SIGKILL");
    while (started.length < 2) await delay(10);
    expect(started[1]?.pid).not.toBe(started[0]?.pid);
  });

  it("does not take the listener with it when news come at the moment of its death", async () => {
    const started: ChildProcess[] = [];
    supervised = supervise(started);
    const [first] = started as [ChildProcess];
    await once(first, "spawn");
    process.kill(first.pid ?? 0, "SIGKILL");
    // Its end is not known here yet, so that the channel still counts as open.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    supervised.wake();
    while (started.length < 2) await delay(10);
    expect(started).toHaveLength(2);
  });
});
