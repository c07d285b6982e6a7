import type { Middleware } from "@anthropic-ai/sdk";
import { AccrueError, type Clock } from "../shared/index.js";

const MAX_RETRY_AFTER_MS = 60_000;

/** Aborts a call whose connection has gone silent; the SDK's own timeout ends at the response's headers. */
export interface Watchdog {
  signal: AbortSignal;
  /** True once the provider has begun to answer: from then on the SDK does not retry by itself. */
  began(): boolean;
  stop(): void;
  /** Watches each HTTP attempt, and refuses a `retry-after` that nobody wants to wait for. */
  middleware: Middleware;
}

function retryAfterMs(response: Response, clock: Clock): number {
  const header = response.headers.get("retry-after");
  if (header === null) return 0;
  const seconds = Number(header);
  return Number.isNaN(seconds) ? Date.parse(header) - clock.now() : seconds * 1000;
}

/** One watchdog serves one attempt. Every byte counts as life, pings included: hidden thinking sends nothing else. */
export function createWatchdog(model: string, idleMs: number, clock: Clock): Watchdog {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let began = false;
  const stop = () => clearTimeout(timer);
  const feed = () => {
    stop();
    timer = setTimeout(() => controller.abort(), idleMs);
  };

  return {
    signal: controller.signal,
    began: () => began,
    stop,
    middleware: async (request, next) => {
      feed();
      // Between attempts the SDK sleeps on purpose.
      const response = await next(request).finally(stop);
      if (!response.ok || response.body === null) {
        const waitMs = retryAfterMs(response, clock);
        if (waitMs <= MAX_RETRY_AFTER_MS) return response;
        throw new AccrueError(
          "MODEL_FAILED",
          `${model} answered ${response.status} and asks to retry after ${Math.ceil(waitMs / 1000)} s. Try again then, or raise the account's rate limit.`,
          { retryable: true },
        );
      }
      began = true;
      feed();
      const watched = response.body.pipeThrough(
        new TransformStream<Uint8Array, Uint8Array>({
          transform(chunk, out) {
            feed();
            out.enqueue(chunk);
          },
        }),
      );
      return new Response(watched, response);
    },
  };
}
