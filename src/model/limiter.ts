import { sleep } from "../shared/index.js";

const DEFAULT_PARALLEL = 16;
/** Of a common pause: those who wait together do not ask in the same instant. */
const JITTER = 0.25;

/** Lets parallel callers share what one key may do. */
export interface Limiter {
  /** Waits for a free place and for the end of a pause, then works. Contract: rejects with the signal's reason while waiting. */
  run<Result>(key: string, work: () => Promise<Result>, signal: AbortSignal): Promise<Result>;
  /** Nobody with this key begins to work for so long. */
  pause(key: string, ms: number): void;
}

interface Lane {
  working: number;
  waiting: Set<() => void>;
  /** By the monotonic clock. */
  pausedUntil: number;
}

/** One limiter serves a whole process: callers with the same key queue in the order in which they came. */
export function createLimiter(deps: { random(): number }, options: { parallel?: number } = {}): Limiter {
  const parallel = options.parallel ?? DEFAULT_PARALLEL;
  const lanes = new Map<string, Lane>();

  const laneOf = (key: string): Lane => {
    const lane = lanes.get(key) ?? { working: 0, waiting: new Set(), pausedUntil: 0 };
    lanes.set(key, lane);
    return lane;
  };

  /** Takes a place at once, or gets one handed over by whoever leaves. */
  const enter = async (lane: Lane, signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted();
    if (lane.working < parallel) {
      lane.working++;
      return;
    }
    await new Promise<void>((entered, gaveUp) => {
      const stop = () => {
        lane.waiting.delete(handOver);
        gaveUp(signal.reason as Error);
      };
      const handOver = () => {
        signal.removeEventListener("abort", stop);
        entered();
      };
      signal.addEventListener("abort", stop, { once: true });
      lane.waiting.add(handOver);
    });
  };

  const leave = (key: string, lane: Lane) => {
    const [next] = lane.waiting;
    if (next !== undefined) {
      lane.waiting.delete(next);
      next();
      return;
    }
    lane.working--;
    if (lane.working === 0 && lane.pausedUntil <= performance.now()) lanes.delete(key);
  };

  const sitOut = async (lane: Lane, signal: AbortSignal): Promise<void> => {
    for (;;) {
      const rest = lane.pausedUntil - performance.now();
      if (rest <= 0) return;
      await sleep(rest * (1 + JITTER * deps.random()), signal);
    }
  };

  return {
    async run(key, work, signal) {
      const lane = laneOf(key);
      await enter(lane, signal);
      try {
        await sitOut(lane, signal);
        signal.throwIfAborted();
        return await work();
      } finally {
        leave(key, lane);
      }
    },
    pause(key, ms) {
      const lane = laneOf(key);
      lane.pausedUntil = Math.max(lane.pausedUntil, performance.now() + ms);
    },
  };
}
