import { Octokit } from "octokit";
import type { Logger } from "pino";
import { hasStatus } from "./errors.js";
import type { Patience } from "./patience.js";

/** Proves to GitHub who asks. */
export interface Credentials {
  /** Value of the `Authorization` header, fresh enough for one request; null to ask as nobody. */
  authorization(): Promise<string | null>;
  /** Drops what GitHub refused; true when a new one may be accepted. */
  renew(): boolean;
}

/** What an API client is made of. */
export interface ClientDeps {
  baseUrl: string;
  patience: Patience;
  credentials: Credentials;
  log: Pick<Logger, "warn">;
}

const REQUEST_TIMEOUT_MS = 30_000;

/** Makes an Octokit whose waiting, retrying and authentication are ours. */
export function createClient(deps: ClientDeps): Octokit {
  const warn = (message: string) => deps.log.warn(message);
  const octokit = new Octokit({
    baseUrl: deps.baseUrl,
    userAgent: "accrue-agent",
    // Octokit's own plugins retry a POST that may have worked, and count one request's failures against the next.
    retry: { enabled: false },
    throttle: { enabled: false },
    log: { debug: () => {}, info: () => {}, warn, error: warn },
  });
  octokit.hook.wrap("request", (request, options) =>
    deps.patience.run(options, async () => {
      const send = async () => {
        const authorization = await deps.credentials.authorization();
        if (authorization !== null) options.headers.authorization = authorization;
        options.request.signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
        return await request(options);
      };
      try {
        return await send();
      } catch (error) {
        if (hasStatus(error, 401) && deps.credentials.renew()) return await send();
        throw error;
      }
    }),
  );
  return octokit;
}
