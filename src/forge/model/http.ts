import type { IncomingMessage, ServerResponse } from "node:http";
import { messageOf } from "../../shared/index.js";
import { ApiError, badRequest, errorType } from "./api-error.js";

const MAX_BODY_BYTES = 32 * 1024 * 1024;

/** Reads a JSON body of any shape. */
export async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > MAX_BODY_BYTES) throw new ApiError(413, "Request exceeds the maximum size");
    chunks.push(chunk as Buffer);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch (error) {
    throw badRequest(`The request body is not valid JSON: ${messageOf(error)}`);
  }
}

/** Asks for the key, as the API does. */
export function authorise(request: IncomingMessage, apiKey: string | undefined): void {
  const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1];
  const key = bearer ?? request.headers["x-api-key"];
  if (key === undefined || (apiKey !== undefined && key !== apiKey)) {
    throw new ApiError(401, "invalid x-api-key");
  }
}

/** Asks for Anthropic's version header. */
export function requireVersion(request: IncomingMessage): void {
  if (request.headers["anthropic-version"] === undefined) {
    throw badRequest("anthropic-version: header is required");
  }
}

/** Answers with one JSON document. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

/** What an error says. */
interface Told {
  status: number;
  message: string;
}

/** An error as Anthropic's API words it. */
export function messagesErrorBody({ status, message }: Told, requestId: string): Record<string, unknown> {
  return { type: "error", error: { type: errorType(status), message }, request_id: requestId };
}

/** An error as OpenAI's API words it. */
export function chatErrorBody({ status, message }: Told): Record<string, unknown> {
  return { error: { message, type: errorType(status), param: null, code: null } };
}

/** Answers with an error in an API's shape; a stream that has begun can only be cut. */
export function sendError(
  response: ServerResponse,
  error: unknown,
  toBody: (told: Told) => Record<string, unknown>,
): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const status = error instanceof ApiError ? error.status : 500;
  const headers = error instanceof ApiError ? error.headers : {};
  sendJson(response, status, toBody({ status, message: messageOf(error) }), headers);
}
