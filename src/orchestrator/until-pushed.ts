import { randomInt } from "node:crypto";
import { AccrueError, type Clock, sleep } from "../shared/index.js";
import type { Mirror } from "../workspace/index.js";

/** Fifty writers who begin at the same moment need far less; after that the queue waits longer. */
const MAX_TRIES = 40;
/** A try takes this long at least, and is taken to last no longer. */
const [LEAST_TRY_MS, MOST_TRY_MS] = [100, 10_000];
/** So many tries' time a wait may last at most. */
const MAX_WINDOW = 64;
const MAX_WAIT_MS = 120_000;

/** Thrown away and made anew: somebody else moved the branch while this was computed. */
export const MOVED = Symbol("the branch moved");

/**
 * Computes something from the newest state of a branch and pushes it, again from the start whenever others were faster, with
 * random waits so that they do not meet again: up to twice, four times, … what a try takes, since on a slow machine or in a large
 * repository others need that long too. `what` names it for people. The mirror is fetched before each new try, and
 * not before the first.
 */
export async function untilPushed<Result>(
  { what, mirror, clock }: { what: string; mirror: Pick<Mirror, "fetch">; clock: Clock },
  attempt: () => Promise<Result | typeof MOVED>,
  signal: AbortSignal,
): Promise<Result> {
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const startedMs = clock.now();
    const result = await attempt();
    if (result !== MOVED) return result;
    const tookMs = Math.min(MOST_TRY_MS, Math.max(LEAST_TRY_MS, clock.now() - startedMs));
    const window = Math.min(MAX_WINDOW, 2 ** tries);
    await sleep(randomInt(Math.min(MAX_WAIT_MS, Math.ceil(tookMs * window))), signal);
    await mirror.fetch({}, signal);
  }
  throw new AccrueError(
    "GIT_PUSH_REJECTED",
    `${what} was rejected ${MAX_TRIES} times because others keep pushing at the same time. It is tried again later.`,
    { retryable: true },
  );
}
