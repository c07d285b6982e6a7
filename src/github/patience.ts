import { setTimeout as delay } from "node:timers/promises";
import type { RequestError } from "octokit";
import type { Logger } from "pino";
import type { Clock } from "../shared/index.js";
import { isLimit, isUncertain } from "./errors.js";

/** How long to wait between writes and before another try. */
export interface PatienceOptions {
  /** Null: as GitHub advises. */
  writeSpacingMs: number | null;
  /** A second of waiting; tests make it shorter. */
  retryBaseMs: number;
}

/** What is known of a request before it is sent; the url may be a template, such as `/repos/{owner}/{repo}/issues`. */
interface PlannedRequest {
  method: string;
  url: string;
}

/** Spaces writes and waits for another try, so that callers only see what waiting cannot cure. */
export interface Patience {
  run<T>(request: PlannedRequest, send: () => Promise<T>): Promise<T>;
  /** Waits before try number `tries` + 1, or says false when it was enough. */
  before(tries: number): Promise<boolean>;
}

const MAX_TRIES = 4;
const MAX_LIMIT_TRIES = 3;
const MAX_LIMIT_WAIT_S = 15 * 60;
/** GitHub asks for at least a minute when a secondary limit says nothing else. */
const SECONDARY_LIMIT_WAIT_S = 60;
const WRITE_SPACING_MS = 1000;
const NOTIFYING_SPACING_MS = 3000;
// What sends mail to people: new issues, comments, pull requests and reviews.
const NOTIFYING = /\/(issues|pulls)(\/[^/]+\/(comments|reviews|requested_reviewers))?$/;
const MINTING = /\/access_tokens$/;
// Done twice, these are the same as done once.
const REPEATABLE = /\/(access_tokens|reactions)$/;

/** Makes the patience of one client. */
export function createPatience(
  deps: { clock: Clock; log: Pick<Logger, "warn"> },
  options: PatienceOptions,
): Patience {
  let nextWrite = Promise.resolve();

  /** Writes queue up: each waits until the one before it is long enough ago. */
  function turn(request: PlannedRequest): Promise<void> {
    const isWrite = request.method !== "GET" && request.method !== "HEAD" && !MINTING.test(request.url);
    if (!isWrite) return Promise.resolve();
    const mine = nextWrite;
    const spacing = options.writeSpacingMs ?? adviceFor(request);
    if (spacing > 0) nextWrite = mine.then(() => delay(spacing));
    return mine;
  }

  async function before(tries: number): Promise<boolean> {
    if (tries >= MAX_TRIES) return false;
    await delay(tries ** 2 * options.retryBaseMs);
    return true;
  }

  async function waitFor(error: unknown, request: PlannedRequest, tries: number): Promise<boolean> {
    if (isLimit(error)) {
      const seconds = limitSeconds(error, deps.clock);
      if (tries >= MAX_LIMIT_TRIES || seconds > MAX_LIMIT_WAIT_S) return false;
      deps.log.warn({ ...request, seconds, said: error.message }, "GitHub limits requests: waiting");
      await delay(seconds * options.retryBaseMs);
      return true;
    }
    const repeatable = request.method !== "POST" || REPEATABLE.test(request.url);
    return isUncertain(error) && repeatable && (await before(tries));
  }

  return {
    before,
    async run(request, send) {
      for (let tries = 1; ; tries++) {
        await turn(request);
        try {
          return await send();
        } catch (error) {
          if (!(await waitFor(error, request, tries))) throw error;
        }
      }
    },
  };
}

function adviceFor(request: PlannedRequest): number {
  return request.method === "POST" && NOTIFYING.test(request.url) ? NOTIFYING_SPACING_MS : WRITE_SPACING_MS;
}

function limitSeconds(error: RequestError, clock: Clock): number {
  const headers = error.response?.headers ?? {};
  const retryAfter = Number(headers["retry-after"]);
  if (retryAfter > 0) return retryAfter;
  const reset = Number(headers["x-ratelimit-reset"]);
  if (headers["x-ratelimit-remaining"] === "0" && reset > 0) {
    return Math.max(1, Math.ceil(reset - clock.now() / 1000) + 1);
  }
  return SECONDARY_LIMIT_WAIT_S;
}
