import { APIConnectionError, APIError } from "@anthropic-ai/sdk";
import { messageOf } from "../../shared/index.js";
import {
  broke,
  brokenOff,
  refused,
  retryAfterMs,
  unreachable,
  type Asked,
  type Failure,
} from "../failure.js";

const OURS = new Set([
  "invalid_request_error",
  "authentication_error",
  "billing_error",
  "permission_error",
  "not_found_error",
]);
const BUSY = new Set(["overloaded_error", "rate_limit_error"]);

/** Translates what the SDK threw. `began`: the provider had started to answer. */
export function explain(cause: unknown, asked: Asked, at: { began: boolean; now: number }): Failure {
  if (cause instanceof APIError && cause.status !== undefined) {
    const said = cause.apiMessage ?? cause.message;
    const wait = cause.headers === undefined ? null : retryAfterMs(cause.headers, at.now);
    return refused(asked, { status: cause.status, said, retryAfterMs: wait, cause });
  }
  if (cause instanceof APIError && cause.type !== null) {
    const told = { type: cause.type, said: cause.apiMessage ?? messageOf(cause) };
    return brokenOff(asked, told, OURS.has(cause.type) ? "ours" : BUSY.has(cause.type) ? "busy" : "broken");
  }
  if (!at.began && cause instanceof APIConnectionError) return unreachable(asked, cause);
  return broke(asked, cause);
}
