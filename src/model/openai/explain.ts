import { z } from "zod";
import {
  broke,
  brokenOff,
  refused,
  retryAfterMs,
  unreachable,
  type Asked,
  type Failure,
} from "../failure.js";

const SAID_LENGTH = 500;

/** An error in a stream that had begun with 200. */
export class ChatError extends Error {
  readonly told: unknown;

  constructor(told: unknown) {
    super("the endpoint sent an error");
    this.name = "ChatError";
    this.told = told;
  }
}

/** An answer with an HTTP error. */
export class ChatRefusal extends Error {
  readonly response: Response;
  readonly body: string;

  constructor(response: Response, body: string) {
    super(`the endpoint answered ${response.status}`);
    this.name = "ChatRefusal";
    this.response = response;
    this.body = body;
  }
}

const Told = z.object({
  message: z.string().catch("no reason given"),
  type: z.string().nullish().catch(null),
  code: z.union([z.string(), z.number()]).nullish().catch(null),
});

function toldBy(error: unknown): { type: string; said: string; status: number | null } {
  const read = Told.safeParse(typeof error === "string" ? { message: error } : error);
  const { message, type, code } = read.success
    ? read.data
    : { message: JSON.stringify(error), type: null, code: null };
  const status = Number(code ?? Number.NaN);
  return {
    type: type ?? String(code ?? "error"),
    said: message.slice(0, SAID_LENGTH),
    status: status >= 400 && status < 600 ? status : null,
  };
}

/** What a body of an HTTP error says, in whichever shape. */
function saidIn(body: string): string {
  try {
    const { error, message, detail } = JSON.parse(body) as Record<string, unknown>;
    return toldBy(error ?? message ?? detail ?? body).said;
  } catch {
    return body.slice(0, SAID_LENGTH) || "no reason given";
  }
}

function kindOf(type: string): Failure["kind"] {
  if (/overload|rate.?limit|too.many|unavailable|busy/i.test(type)) return "busy";
  return /invalid.request|authentication|permission|not.found|billing|quota/i.test(type) ? "ours" : "broken";
}

/** Translates what `fetch` or the stream threw. `began`: the provider had started to answer. */
export function explain(cause: unknown, asked: Asked, at: { began: boolean; now: number }): Failure {
  if (cause instanceof ChatRefusal) {
    const { status, headers } = cause.response;
    return refused(asked, {
      status,
      said: saidIn(cause.body),
      retryAfterMs: retryAfterMs(headers, at.now),
      cause,
    });
  }
  if (cause instanceof ChatError) {
    const { type, said, status } = toldBy(cause.told);
    if (status !== null) return refused(asked, { status, said, retryAfterMs: null, cause });
    return brokenOff(asked, { type, said }, kindOf(type));
  }
  return at.began ? broke(asked, cause) : unreachable(asked, cause);
}
