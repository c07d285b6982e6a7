import { RequestError } from "octokit";
import { AccrueError, messageOf } from "../shared/index.js";

/**
 * Runs one piece of work on GitHub and translates what goes wrong, once, into the errors that callers know.
 * `what` completes "GitHub refused to …".
 */
export async function attempt<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw translate(what, error);
  }
}

function translate(what: string, error: unknown): unknown {
  // Anything else is a programming error or was translated already.
  if (!(error instanceof RequestError)) return error;
  const said = `GitHub answered ${error.status} to "${what}": ${error.message}`;
  if (isPassing(error)) {
    const message = `${said}. Tried as long as is reasonable; try again later.`;
    return new AccrueError("GITHUB_FAILED", message, { retryable: true, cause: error });
  }
  if (error.status === 401) {
    const message = `${said}. Check the app's id and private key, or the token.`;
    return new AccrueError("GITHUB_DENIED", message, { cause: error });
  }
  if (error.status === 403) {
    return new AccrueError("GITHUB_DENIED", `${said}. ${deniedAdvice(error)}`, { cause: error });
  }
  if (error.status === 404 || error.status === 410) {
    const message = `${said}. It was deleted or moved, or the app is not installed on this repository.`;
    return new AccrueError("GITHUB_MISSING", message, { cause: error });
  }
  return new AccrueError("GITHUB_FAILED", `${said}. The request has to change first.`, { cause: error });
}

function deniedAdvice(error: RequestError): string {
  if (isLocked(error)) return "Unlock the conversation to let the app write there.";
  const needed = error.response?.headers["x-accepted-github-permissions"];
  if (needed) return `Give the app the permission ${needed} and accept it for the installation.`;
  return "Check the app's permissions for this repository, and its rulesets.";
}

/** True for a status of GitHub's answer, whoever threw it. */
export function hasStatus(error: unknown, ...statuses: number[]): boolean {
  return error instanceof RequestError && statuses.includes(error.status);
}

/** True when the conversation is locked: nothing that is tried again can change that. */
export function isLocked(error: unknown): boolean {
  return hasStatus(error, 403) && /\bis locked\b/i.test(messageOf(error));
}

/** True when the same request may succeed later: a limit, a failing server, a dropped connection. */
export function isPassing(error: unknown): boolean {
  return isLimit(error) || isUncertain(error);
}

/** True when nobody knows whether GitHub did what was asked: a write must not simply be sent again. */
export function isUncertain(error: unknown): boolean {
  return error instanceof RequestError && error.status >= 500;
}

/** True for GitHub's limits. Such a request was not carried out, so that any request may be sent again later. */
export function isLimit(error: unknown): error is RequestError {
  if (!(error instanceof RequestError)) return false;
  if (error.status === 429) return true;
  if (error.status !== 403) return false;
  // Secondary limits come without headers that tell, so the text is all there is.
  return (
    error.response?.headers["x-ratelimit-remaining"] === "0" ||
    error.response?.headers["retry-after"] !== undefined ||
    /secondary rate|abuse detection|temporarily blocked from content creation/i.test(error.message)
  );
}
