/** Aborts a call whose connection has gone silent; the timeouts of SDK and `fetch` end at the response's headers. */
export interface Watchdog {
  signal: AbortSignal;
  /** True once the provider has begun to answer with success. */
  began(): boolean;
  /** Starts the time, or starts it again. */
  feed(): void;
  stop(): void;
  /** Watches a response's body from here on. */
  watch(response: Response): Response;
}

/** One watchdog serves one attempt. Every byte counts as life, pings included: hidden thinking sends nothing else. */
export function createWatchdog(idleMs: number): Watchdog {
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
    feed,
    stop,
    watch(response) {
      feed();
      if (!response.ok || response.body === null) return response;
      began = true;
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
