import type { components } from "@octokit/openapi-types";

type ValidationErrors = NonNullable<components["schemas"]["validation-error"]["errors"]>;

/** An answer of GitHub that is no success: thrown by whoever notices, answered in one place. */
export class Refusal extends Error {
  readonly status: number;
  readonly errors: ValidationErrors | string[] | undefined;
  readonly headers: Record<string, string>;

  constructor(
    status: number,
    message: string,
    more: { errors?: ValidationErrors | string[]; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.name = "Refusal";
    this.status = status;
    this.errors = more.errors;
    this.headers = more.headers ?? {};
  }
}

/** Also what GitHub says of a thing that exists but that the asker may not see. */
export function notFound(): Refusal {
  return new Refusal(404, "Not Found");
}

/** The App's token lacks a permission; as on GitHub, a header names those that would do. */
export function notAccessible(accepted: string): Refusal {
  return new Refusal(403, "Resource not accessible by integration", {
    headers: { "x-accepted-github-permissions": accepted },
  });
}

/** A field of a request is wrong; `code` is one of GitHub's (`missing_field`, `invalid`, `custom`, …). */
export function invalid(resource: string, field: string, code: string, message?: string): Refusal {
  return new Refusal(422, "Validation Failed", {
    errors: [{ resource, field, code, ...(message === undefined ? {} : { message }) }],
  });
}

/** 422 with nothing but a message. */
export function unprocessable(message: string): Refusal {
  return new Refusal(422, message);
}
