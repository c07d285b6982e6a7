/** Something the caller can put right; the message is a sentence for people. */
export class HttpError extends Error {
  constructor(status, message) {
    super(message);
    this.name = "HttpError";
    this.status = status;
  }
}

export function notFound(what) {
  return new HttpError(404, `There is no ${what}.`);
}
