/**
 * Why a request got no result. `unsent`: the server has not seen it; `expired`: it knows our session no more and did nothing;
 * `lost`: the connection broke while it was at work; `silent`: time is up; `denied`: it does not know us; `refused`: it said no; `unclear`: it said something else.
 */
export type LineErrorKind = "unsent" | "expired" | "lost" | "silent" | "denied" | "refused" | "unclear";

/** A request that failed, as the connection has to know it to decide whether to ask again. */
export class LineError extends Error {
  readonly kind: LineErrorKind;
  /** What the server's program said beside the protocol. */
  readonly said: string;

  constructor(kind: LineErrorKind, message: string, options: { cause?: unknown; said?: string } = {}) {
    super(message, { cause: options.cause });
    this.name = "LineError";
    this.kind = kind;
    this.said = options.said ?? "";
  }
}
