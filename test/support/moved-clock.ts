import type { Clock } from "../../src/shared/index.js";

/** A clock that stands still until a test moves it. */
export function movedClock(start = Date.UTC(2026, 10, 29)): Clock & { advance(ms: number): void } {
  let now = start;
  return { now: () => now, advance: (ms) => void (now += ms) };
}
