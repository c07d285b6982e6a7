// An OpenAI-compatible endpoint that answers with exactly what a test writes down, byte for byte.
import { createServer, type IncomingHttpHeaders } from "node:http";
import { json } from "node:stream/consumers";
import type { AddressInfo } from "node:net";
import { afterEach } from "vitest";
import { modelAt, type AskedOptions } from "./asked-model.js";

/** One answer: chunks of a stream (objects become `data:` lines, texts go out as they are), or a status with a body. */
export type RawAnswer =
  | readonly unknown[]
  | { status: number; body: string; headers?: Record<string, string> };

/** A chunk with a delta, and one that ends the answer. */
export const delta = (fields: object) => ({ choices: [{ index: 0, delta: fields, finish_reason: null }] });
export const finish = (reason: string) => ({ choices: [{ index: 0, delta: {}, finish_reason: reason }] });
export const callPart = (index: number | null, id: string | null, name: string | null, args: unknown) =>
  delta({ tool_calls: [{ index, id, function: { name, arguments: args } }] });
export const DONE = "data: [DONE]\n\n";

const PRICE = { input: 1, output: 2, cache_read: 0.1, context: 100_000, max_output: 8000 };

/** Starts endpoints that play their answers in turn, each asked by a model of ours as `local/qwen3`. */
export function rawEndpoints() {
  let servers: ReturnType<typeof createServer>[] = [];
  afterEach(() => {
    for (const server of servers) server.close().closeAllConnections();
    servers = [];
  });
  return async (answers: RawAnswer[], quirks: object = {}, options: AskedOptions = {}) => {
    const asked: { body: Record<string, unknown>; headers: IncomingHttpHeaders; path: string }[] = [];
    const server = createServer((request, response) => {
      const answerWith = (body: unknown) => {
        asked.push({
          body: body as Record<string, unknown>,
          headers: request.headers,
          path: request.url ?? "",
        });
        const answer = answers[asked.length - 1] ?? { status: 400, body: "no more answers" };
        if ("status" in answer) {
          response.writeHead(answer.status, answer.headers).end(answer.body);
          return;
        }
        response.writeHead(200, { "content-type": "text/event-stream" });
        for (const part of answer) {
          response.write(typeof part === "string" ? part : `data: ${JSON.stringify(part)}\n\n`);
        }
        response.end();
      };
      json(request).then(answerWith, () => response.destroy());
    });
    servers.push(server);
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const config = {
      executor: "local/qwen3",
      providers: { local: quirks },
      prices: { "local/qwen3": PRICE },
      ...options.config,
    };
    return { asked, ...modelAt(url, { maxTries: 2, maxTurnRetries: 1, ...options, config }) };
  };
}
