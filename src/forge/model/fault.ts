import { ApiError } from "./api-error.js";

/** An answer that begins well and then breaks. Only streamed answers can break so. */
export interface BrokenStream {
  kind: "broken-stream";
  /** `error`: an error event; `drop`: the socket closes; `stall`: silence; `end`: a clean end before the answer's. */
  how: "error" | "drop" | "stall" | "end";
  /** Events that are sent before: 1 is `message_start` alone. */
  afterEvents: number;
  errorType?: string;
}

/** What goes wrong with the next message request that has no fault before it. */
export type Fault =
  | { kind: "status"; status: number; message?: string; retryAfterSeconds?: number }
  | { kind: "delay"; ms: number }
  | BrokenStream;

/** The HTTP error that a fault stands for. */
export function statusError(fault: Extract<Fault, { kind: "status" }>): ApiError {
  const headers: Record<string, string> =
    fault.retryAfterSeconds === undefined ? {} : { "retry-after": String(fault.retryAfterSeconds) };
  return new ApiError(fault.status, fault.message ?? "injected by the test", headers);
}
