import { APIConnectionError, APIError } from "@anthropic-ai/sdk";
import { AccrueError, isAccrueError, messageOf } from "../shared/index.js";

/** Errors that come back the same however often the turn is repeated. */
const PERMANENT = new Set([
  "invalid_request_error",
  "authentication_error",
  "billing_error",
  "permission_error",
  "not_found_error",
]);

const HINTS: Readonly<Record<number, string>> = {
  400: "This is a fault in the request: report it with the run's transcript.",
  401: "Check ANTHROPIC_API_KEY.",
  402: "Check the account's billing.",
  403: "Check what the key of ANTHROPIC_API_KEY may use.",
  404: "Check the model's name under `model` in .github/agent.yml.",
  429: "Try again later, or raise the account's rate limit.",
  529: "The provider is overloaded: try again later.",
};

/** A failed attempt: what to tell, and whether asking the same again may help. */
export interface Failure {
  error: AccrueError;
  again: boolean;
}

function failed(message: string, retryable: boolean, cause: unknown): AccrueError {
  return new AccrueError("MODEL_FAILED", message, { retryable, cause });
}

function ofStatus(error: APIError, status: number, model: string): Failure {
  const said = error.apiMessage ?? error.message;
  if (status === 413 || (status === 400 && /prompt is too long|too large/i.test(said))) {
    const message = `${model} answered ${status}: ${said}. Give the agent less context, or use a model with a larger window.`;
    return { error: new AccrueError("MODEL_OVERFLOW", message, { cause: error }), again: false };
  }
  const retryable = status === 408 || status === 409 || status === 429 || status >= 500;
  const hint =
    HINTS[status] ?? (retryable ? "Try again later." : "Correct the request or the configuration.");
  // The SDK has repeated what can be repeated already.
  return { error: failed(`${model} answered ${status}: ${said}. ${hint}`, retryable, error), again: false };
}

/** Translates what the SDK or the connection threw. `began`: the provider had started to answer. */
export function explain(cause: unknown, model: string, began: boolean): Failure {
  if (isAccrueError(cause)) return { error: cause, again: false };
  if (cause instanceof APIError && cause.status !== undefined) return ofStatus(cause, cause.status, model);
  if (cause instanceof APIError && cause.type !== null) {
    const again = !PERMANENT.has(cause.type);
    const said = cause.apiMessage ?? cause.message;
    const message = `${model} broke off its answer with ${cause.type}: ${said}. Try again later.`;
    return { error: failed(message, again, cause), again };
  }
  if (cause instanceof APIConnectionError && !began) {
    const message = `${model} cannot be reached: ${messageOf(cause.cause ?? cause)}. Check the network and the model's address.`;
    return { error: failed(message, true, cause), again: false };
  }
  const message = `The connection to ${model} broke: ${messageOf(cause)}. Try again later.`;
  return { error: failed(message, true, cause), again: began };
}

/** The stream ended in good order, but before the answer did. */
export function endedEarly(model: string): Failure {
  const message = `${model} ended its answer without a stop reason. Try again later.`;
  return { error: failed(message, true, undefined), again: true };
}

/** Nothing came for too long. */
export function silent(model: string, idleMs: number): Failure {
  const message = `${model} sent nothing for ${idleMs} ms. Try again later.`;
  return { error: failed(message, true, undefined), again: true };
}
