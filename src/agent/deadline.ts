import type { Clock } from "../shared/index.js";

/** A time limit that can stand still. */
export interface Deadline {
  /** Fires when the time is up, also in the middle of a wait. */
  signal: AbortSignal;
  isOver(): boolean;
  /** The time does not run while the work does; several pauses may overlap. */
  pause<T>(work: () => Promise<T>): Promise<T>;
  /** Contract: call it when nobody waits any more. */
  release(): void;
}

/** Starts at once. */
export function createDeadline(maxMs: number, clock: Clock): Deadline {
  const controller = new AbortController();
  let usedMs = 0;
  let startedMs = 0;
  let pauses = 0;
  let timer: NodeJS.Timeout | undefined;

  const start = () => {
    startedMs = clock.now();
    const reason = new DOMException(`${maxMs} ms are over`, "TimeoutError");
    timer = setTimeout(() => controller.abort(reason), maxMs - usedMs).unref();
  };
  const usedNow = () => usedMs + (pauses > 0 ? 0 : clock.now() - startedMs);
  start();

  return {
    signal: controller.signal,
    isOver: () => controller.signal.aborted || usedNow() >= maxMs,
    async pause(work) {
      usedMs = usedNow();
      pauses += 1;
      clearTimeout(timer);
      try {
        return await work();
      } finally {
        pauses -= 1;
        if (pauses === 0) start();
      }
    },
    release: () => clearTimeout(timer),
  };
}
