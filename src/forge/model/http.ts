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

/** Asks for the key and the version header, as the API does. */
export function authorise(request: IncomingMessage, apiKey: string | undefined): void {
  const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1];
  const key = bearer ?? request.headers["x-api-key"];
  if (key === undefined || (apiKey !== undefined && key !== apiKey)) {
    throw new ApiError(401, "invalid x-api-key");
  }
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

/** Answers with an error in the API's shape; a stream that has begun can only be cut. */
export function sendError(response: ServerResponse, error: unknown, requestId: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const status = error instanceof ApiError ? error.status : 500;
  const detail = { type: errorType(status), message: messageOf(error) };
  const headers = error instanceof ApiError ? error.headers : {};
  sendJson(response, status, { type: "error", error: detail, request_id: requestId }, headers);
}
