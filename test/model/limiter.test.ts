import { describe, expect, it } from "vitest";
import { createLimiter } from "../../src/model/index.js";

const NEVER = new AbortController().signal;

/** Work that ends when it is told to. */
function held() {
  let end = () => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { work: () => ended, end };
}
const soon = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("a limiter", () => {
  it("lets so many work at once per key, the others in the order in which they came", async () => {
    const limiter = createLimiter({ random: () => 0 }, { parallel: 2 });
    const works = [held(), held(), held(), held()];
    const begun: number[] = [];
    const run = (at: number, key = "a") =>
      limiter.run(key, () => (begun.push(at), (works[at] ?? held()).work()), NEVER);
    const all = [run(0), run(1), run(2), run(3)];
    const other = limiter.run("b", async () => void begun.push(9), NEVER);
    await other;
    expect(begun).toEqual([0, 1, 9]);
    works[1]?.end();
    await soon();
    expect(begun).toEqual([0, 1, 9, 2]);
    works[2]?.end();
    await soon();
    expect(begun).toEqual([0, 1, 9, 2, 3]);
    works[0]?.end();
    works[3]?.end();
    await Promise.all(all);
  });

  it("gives a place back when work fails or a waiting caller gives up", async () => {
    const limiter = createLimiter({ random: () => 0 }, { parallel: 1 });
    await expect(limiter.run("a", () => Promise.reject(new Error("broke")), NEVER)).rejects.toThrow("broke");
    const first = held();
    const running = limiter.run("a", first.work, NEVER);
    const stop = new AbortController();
    const waiting = limiter.run("a", () => Promise.resolve(1), stop.signal);
    const last = limiter.run("a", () => Promise.resolve(2), NEVER);
    stop.abort(new Error("stopped"));
    await expect(waiting).rejects.toThrow("stopped");
    first.end();
    expect(await last).toBe(2);
    await running;
  });

  it("lets nobody begin during a pause of their key, and honours the signal meanwhile", async () => {
    const limiter = createLimiter({ random: () => 0 });
    limiter.pause("a", 60_000);
    const stop = new AbortController();
    let hasBegun = false;
    const waiting = limiter.run("a", async () => void (hasBegun = true), stop.signal);
    expect(await limiter.run("b", () => Promise.resolve("other key"), NEVER)).toBe("other key");
    stop.abort(new Error("stopped"));
    await expect(waiting).rejects.toThrow("stopped");
    expect(hasBegun).toBe(false);
    const paused = createLimiter({ random: () => 1 });
    paused.pause("a", 40);
    expect(await paused.run("a", () => Promise.resolve("after"), NEVER)).toBe("after");
  });
});
