import { randomInt } from "node:crypto";
import { AccrueError, sleep } from "../shared/index.js";
import type { Mirror } from "../workspace/index.js";

/** With these waits fifty writers who begin at the same moment are all through; after that the queue waits longer. */
const MAX_TRIES = 40;
const FIRST_WAIT_MS = 100;
const MAX_WAIT_MS = 5_000;

/** Thrown away and made anew: somebody else moved the branch while this was computed. */
export const MOVED = Symbol("the branch moved");

/**
 * Computes something from the newest state of a branch and pushes it, again from the start whenever others were faster, with
 * growing random waits so that they do not meet again. `what` names it for people. The mirror is fetched before each new try, and
 * not before the first.
 */
export async function untilPushed<Result>(
  { what, mirror }: { what: string; mirror: Pick<Mirror, "fetch"> },
  attempt: () => Promise<Result | typeof MOVED>,
  signal: AbortSignal,
): Promise<Result> {
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const result = await attempt();
    if (result !== MOVED) return result;
    await sleep(randomInt(Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** tries)), signal);
    await mirror.fetch({}, signal);
  }
  throw new AccrueError(
    "GIT_PUSH_REJECTED",
    `${what} was rejected ${MAX_TRIES} times because others keep pushing at the same time. It is tried again later.`,
    { retryable: true },
  );
}
