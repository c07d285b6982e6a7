import { HttpError } from "./errors.js";

const MAX_BYTES = 64 * 1024;

/** Reads a request's body as a JSON object; an empty body is an empty object. */
export async function readBody(request) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new HttpError(413, `The body has more than ${MAX_BYTES} bytes.`);
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString("utf8");
  if (text === "") return {};
  try {
    const value = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch {
    throw new HttpError(400, "The body is not JSON.");
  }
  throw new HttpError(400, "The body has to be a JSON object.");
}
