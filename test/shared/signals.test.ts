import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { linkSignals } from "../../src/shared/index.js";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** What waits on a linked signal, without keeping the link itself. */
function waitOn(sources: AbortSignal[], timeoutMs?: number): Promise<unknown> {
  const { signal } = linkSignals(sources, timeoutMs);
  return new Promise((resolve) =>
    signal.addEventListener("abort", () => resolve(signal.reason), { once: true }),
  );
}

describe("linked signals", () => {
  it("fire for whoever waits, also after everything else was collected", async () => {
    const source = new AbortController();
    const waiting = waitOn([linkSignals([source.signal]).signal, new AbortController().signal]);
    for (let round = 0; round < 5; round++) {
      collect();
      await new Promise((next) => setImmediate(next));
    }
    source.abort("now");
    expect(await waiting).toBe("now");
  });

  it("tell their own time from the others' reasons", async () => {
    const late = linkSignals([new AbortController().signal], 1);
    await new Promise((over) => late.signal.addEventListener("abort", over, { once: true }));
    expect([late.timedOut(), (late.signal.reason as Error).name]).toEqual([true, "TimeoutError"]);
    const stopped = linkSignals([AbortSignal.abort("stop")], 60_000);
    expect([stopped.timedOut(), stopped.signal.reason]).toEqual([false, "stop"]);
  });

  it("may be many on one signal, without a warning", async () => {
    const warnings: string[] = [];
    const warn = ({ name }: Error) => void warnings.push(name);
    process.on("warning", warn);
    const source = new AbortController();
    const links = Array.from({ length: 50 }, () => linkSignals([source.signal]));
    await new Promise((next) => setImmediate(next));
    process.off("warning", warn);
    expect(warnings).toEqual([]);
    source.abort();
    expect(links.every(({ signal }) => signal.aborted)).toBe(true);
  });

  it("follow nobody any more once they are released", () => {
    const source = new AbortController();
    const link = linkSignals([source.signal]);
    link.release();
    source.abort();
    expect(link.signal.aborted).toBe(false);
  });
});
