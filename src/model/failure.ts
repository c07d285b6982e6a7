import { AccrueError, messageOf } from "../shared/index.js";

const MAX_CAUSES = 8;
const PROMPT_TOO_LONG =
  /prompt is too long|too large|too many tokens|context[ _-](?:length|window|size)|maximum context|input is too long/i;

/** Errors of a connection that was never made, so that nothing was sent over it. */
const NEVER_SENT = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
  "CERT_HAS_EXPIRED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "ERR_TLS_CERT_ALTNAME_INVALID",
]);

/** A failed attempt: what to tell, and what may help. */
export interface Failure {
  error: AccrueError;
  /** `busy`: the provider asks for patience; `broken`: the connection or the stream; `ours`: asking again changes nothing. */
  kind: "busy" | "broken" | "ours";
  /** What the provider asks to wait; null when it said nothing. */
  retryAfterMs: number | null;
  /** True when the provider has certainly charged nothing, unless the answer had begun. */
  isFree: boolean;
}

/** Whom messages about a failure speak of. */
export interface Asked {
  model: string;
  /** Environment variable that holds the key. */
  keyVariable: string;
}

/** What an HTTP error says. */
export interface HttpError {
  status: number;
  said: string;
  retryAfterMs: number | null;
  cause: unknown;
}

function failed(message: string, retryable: boolean, cause: unknown): AccrueError {
  return new AccrueError("MODEL_FAILED", message, { retryable, cause });
}

function hint(status: number, keyVariable: string): string {
  const hints: Readonly<Record<number, string>> = {
    400: "This is a fault in the request: report it with the run's transcript.",
    401: `Check ${keyVariable}.`,
    402: "Check the account's billing.",
    403: `Check what the key of ${keyVariable} may use.`,
    404: "Check the model's name and the provider's address under `model` in .github/agent.yml.",
    429: "Try again later, or raise the account's rate limit.",
    529: "The provider is overloaded: try again later.",
  };
  return (
    hints[status] ?? (isPassing(status) ? "Try again later." : "Correct the request or the configuration.")
  );
}

function isPassing(status: number): boolean {
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

/** An HTTP error, or one in a stream that carries a status. */
export function refused({ model, keyVariable }: Asked, answer: HttpError): Failure {
  const { status, said, retryAfterMs, cause } = answer;
  if (status === 413 || (status === 400 && PROMPT_TOO_LONG.test(said))) {
    const message = `${model} answered ${status}: ${said}. Give the agent less context, or use a model with a larger window.`;
    const error = new AccrueError("MODEL_OVERFLOW", message, { cause });
    return { error, kind: "ours", retryAfterMs: null, isFree: true };
  }
  const passes = isPassing(status);
  const wait =
    retryAfterMs === null || !passes ? "" : ` and asks to retry after ${Math.ceil(retryAfterMs / 1000)} s`;
  const message = `${model} answered ${status}${wait}: ${said}. ${hint(status, keyVariable)}`;
  return {
    error: failed(message, passes, cause),
    kind: passes ? "busy" : "ours",
    retryAfterMs,
    isFree: true,
  };
}

/** An error that came in the place of the rest of an answer. */
export function brokenOff(
  asked: Asked,
  told: { type: string; said: string },
  kind: Failure["kind"],
): Failure {
  const message = `${asked.model} broke off its answer with ${told.type}: ${told.said}. ${kind === "ours" ? hint(400, asked.keyVariable) : "Try again later."}`;
  return { error: failed(message, kind !== "ours", undefined), kind, retryAfterMs: null, isFree: true };
}

/** No answer came, because there was no connection or it closed before. */
export function unreachable({ model }: Asked, cause: unknown): Failure {
  const codes = causesOf(cause).map((error) => ("code" in error ? String(error.code) : ""));
  const message = `${model} cannot be reached: ${messageOf(causesOf(cause).at(-1) ?? cause)}. Check the network and the model's address.`;
  const isFree = codes.some((code) => NEVER_SENT.has(code));
  return { error: failed(message, true, cause), kind: "broken", retryAfterMs: null, isFree };
}

/** The connection broke within the answer. */
export function broke({ model }: Asked, cause: unknown): Failure {
  const message = `The connection to ${model} broke: ${messageOf(cause)}. Try again later.`;
  return { error: failed(message, true, cause), kind: "broken", retryAfterMs: null, isFree: false };
}

/** The stream ended in good order, but before the answer did. */
export function endedEarly({ model }: Asked): Failure {
  const message = `${model} ended its answer without a stop reason. Try again later.`;
  return { error: failed(message, true, undefined), kind: "broken", retryAfterMs: null, isFree: false };
}

/** Nothing came for too long. */
export function silent({ model }: Asked, idleMs: number): Failure {
  const message = `${model} sent nothing for ${idleMs} ms. Try again later.`;
  return { error: failed(message, true, undefined), kind: "broken", retryAfterMs: null, isFree: false };
}

function causesOf(error: unknown): Error[] {
  const causes: Error[] = [];
  for (let at = error; at instanceof Error && causes.length < MAX_CAUSES; at = at.cause) {
    causes.push(at, ...(at instanceof AggregateError ? (at.errors as Error[]) : []));
  }
  return causes;
}

/** What `retry-after-ms` or `retry-after`, in seconds or as a date, asks to wait; null when neither is there. */
export function retryAfterMs(headers: Headers, now: number): number | null {
  const ms = Number(headers.get("retry-after-ms") ?? Number.NaN);
  if (!Number.isNaN(ms)) return Math.max(0, ms);
  const header = headers.get("retry-after");
  if (header === null) return null;
  const seconds = Number(header);
  const wait = Number.isNaN(seconds) ? Date.parse(header) - now : seconds * 1000;
  return Number.isNaN(wait) ? null : Math.max(0, wait);
}
