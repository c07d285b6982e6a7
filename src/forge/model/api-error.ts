const TYPES: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  529: "overloaded_error",
};

/** The error type that Anthropic's API names for an HTTP status. */
export function errorType(status: number): string {
  return TYPES[status] ?? "api_error";
}

/** An answer of the scripted model that is an error, as the API words it. */
export class ApiError extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor(status: number, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.headers = headers;
  }
}

/** A 400: the caller has sent what the API does not take. */
export function badRequest(message: string): ApiError {
  return new ApiError(400, message);
}
