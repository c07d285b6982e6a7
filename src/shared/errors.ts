/** Every code an Accrue error can carry. Each is explained in docs/errors.md; a test compares the two. */
export const ERROR_CODES = [
  "AGENT_FAILED",
  "CODEMAP_FAILED",
  "BUDGET_REACHED",
  "CONFIG_INVALID",
  "CONFIG_MISSING",
  "DATABASE_NEWER",
  "DATABASE_FAILED",
  "EMBEDDER_FAILED",
  "GIT_FAILED",
  "GIT_PUSH_REJECTED",
  "GITHUB_DENIED",
  "GITHUB_FAILED",
  "GITHUB_MISSING",
  "GRAMMAR_MISSING",
  "INPUT_INVALID",
  "MCP_FAILED",
  "MODEL_FAILED",
  "MODEL_KEY_MISSING",
  "MODEL_OVERFLOW",
  "MODEL_PRICE_MISSING",
  "PATH_OUTSIDE",
  "REQUIREMENT_TRANSITION",
  "RUN_STOPPED",
  "SANDBOX_UNAVAILABLE",
  "WORKSPACE_EMPTY",
  "WORKSPACE_FAILED",
] as const;

/** One of the codes of {@link ERROR_CODES}. */
export type ErrorCode = (typeof ERROR_CODES)[number];

/** What goes with an error besides its message. */
export interface ErrorOptions {
  /** True when the same call may succeed later without a change by a person. */
  retryable?: boolean;
  cause?: unknown;
}

/** The one base of all errors that Accrue throws: the message says what happened, with the value, then what to do. */
export class AccrueError extends Error {
  readonly code: ErrorCode;
  readonly retryable: boolean;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.name = "AccrueError";
    this.code = code;
    this.retryable = options.retryable ?? false;
  }
}

/** Tells an Accrue error, optionally of one code, from any other thrown value. */
export function isAccrueError(error: unknown, code?: ErrorCode): error is AccrueError {
  return error instanceof AccrueError && (code === undefined || error.code === code);
}

/** The message of any thrown value, for a log line or a tool result. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
