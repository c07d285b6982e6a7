import { setMaxListeners } from "node:events";

/** Agents that wait on one signal side by side; more than that is a leak, and Node warns. */
const MAX_FOLLOWERS = 1000;

/** A signal of ours that follows others, until it is released. */
export interface LinkedSignal {
  signal: AbortSignal;
  /** True when its own time ran out before anything else fired. */
  timedOut(): boolean;
  /** Contract: call it when nobody waits any more; the others then know nothing of it. */
  release(): void;
}

/**
 * Fires with the first of several signals, or when its time is up; the first reason wins. It lives as long as the signals that
 * it follows: `AbortSignal.any` may be collected on Node 20 while somebody still waits on it, who then waits for ever.
 */
export function linkSignals(signals: readonly AbortSignal[], timeoutMs?: number): LinkedSignal {
  const controller = new AbortController();
  let isOver = false;
  setMaxListeners(MAX_FOLLOWERS, ...signals);
  const follow = signals.map((signal) => ({ signal, fire: () => controller.abort(signal.reason) }));
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => {
          isOver = !controller.signal.aborted;
          controller.abort(new DOMException(`${timeoutMs} ms are over`, "TimeoutError"));
        }, timeoutMs);
  timer?.unref();
  for (const { signal, fire } of follow) {
    if (signal.aborted) fire();
    else signal.addEventListener("abort", fire, { once: true });
  }
  return {
    signal: controller.signal,
    timedOut: () => isOver,
    release: () => {
      clearTimeout(timer);
      for (const { signal, fire } of follow) signal.removeEventListener("abort", fire);
    },
  };
}
