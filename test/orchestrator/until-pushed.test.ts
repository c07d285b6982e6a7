import { describe, expect, it } from "vitest";
import { MOVED, untilPushed } from "../../src/orchestrator/until-pushed.js";

/** A branch that takes what was computed from its tip only, as git does. */
function branch(workMs: number) {
  let tip = 0;
  const seen: number[] = [];
  const mirror = { fetch: () => Promise.resolve() };
  return {
    seen,
    write: (name: string) => {
      let tries = 0;
      return untilPushed(
        { what: name, mirror, clock: { now: () => performance.now() } },
        async () => {
          tries += 1;
          const head = tip;
          await new Promise((resolve) => setTimeout(resolve, workMs));
          if (tip !== head) return MOVED;
          tip += 1;
          seen.push(tries);
          return tip;
        },
        new AbortController().signal,
      );
    },
  };
}

describe("pushing what was computed from the newest state", () => {
  it("KN-56: succeeds for each of fifty who begin at once, each exactly once", async () => {
    const { write, seen } = branch(2);
    const tips = await Promise.all(Array.from({ length: 50 }, (_, index) => write(`writer ${index}`)));
    expect(tips.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
    expect(Math.max(...seen)).toBeLessThan(40);
  });

  it("stops between two tries when it is stopped", async () => {
    const stop = new AbortController();
    const never = untilPushed(
      { what: "The fold", mirror: { fetch: () => Promise.resolve() }, clock: { now: () => 0 } },
      () => {
        stop.abort(new Error("enough"));
        return Promise.resolve(MOVED);
      },
      stop.signal,
    );
    await expect(never).rejects.toThrow("enough");
  });
});
