import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Clock } from "../../shared/index.js";
import { ApiError } from "./api-error.js";
import type { Fault } from "./fault.js";
import { authorise, readBody, sendError, sendJson } from "./http.js";
import { createMessagesEndpoint, type RecordedRequest } from "./messages-endpoint.js";
import { countTokens } from "./prompt-cache.js";
import { parseRequest } from "./request.js";
import type { Scenario } from "./scenario.js";

const MODELS = ["claude-opus-5-5", "claude-sonnet-5-5", "claude-haiku-5-5"];

/** How a scripted model is started. */
export interface ScriptedModelOptions {
  scenarios: readonly Scenario[];
  clock: Clock;
  /** Key that callers must send; without it any key will do. */
  apiKey?: string;
  host?: string;
  /** Default 0: a free port. */
  port?: number;
  /** Before each answer, so that a person can watch. */
  delayMs?: number;
}

/** A running scripted model. */
export interface ScriptedModel {
  /** Base URL for an Anthropic client, without `/v1`. */
  url: string;
  /** Message requests, oldest first. */
  requests(): RecordedRequest[];
  /** Queues a fault for the next message request. */
  fault(fault: Fault): void;
  close(): Promise<void>;
}

function describeModel(id: string): Record<string, unknown> {
  return { type: "model", id, display_name: id, created_at: "2026-01-01T00:00:00Z" };
}

function describeModels(): Record<string, unknown> {
  const listed = MODELS.map(describeModel);
  return { data: listed, has_more: false, first_id: MODELS[0], last_id: MODELS.at(-1) };
}

/** Starts a model that answers from scenarios, over loopback HTTP as Anthropic's Messages API does. */
export async function startScriptedModel(options: ScriptedModelOptions): Promise<ScriptedModel> {
  const { scenarios, clock, host = "127.0.0.1", delayMs = 0 } = options;
  const messages = createMessagesEndpoint(scenarios, clock, delayMs);
  let count = 0;

  const route = async (request: IncomingMessage, response: ServerResponse, requestId: string) => {
    authorise(request, options.apiKey);
    const target = `${request.method} ${(request.url ?? "").split("?")[0]}`;
    const model = /^GET \/v1\/models\/([\w.-]+)$/.exec(target)?.[1];
    if (target === "POST /v1/messages") {
      await messages.answer(await readBody(request), requestId, response);
    } else if (target === "POST /v1/messages/count_tokens") {
      sendJson(response, 200, { input_tokens: countTokens(parseRequest(await readBody(request))) });
    } else if (target === "GET /v1/models") {
      sendJson(response, 200, describeModels());
    } else if (model !== undefined && MODELS.includes(model)) {
      sendJson(response, 200, describeModel(model));
    } else {
      throw new ApiError(404, `Not found: ${target}`);
    }
  };

  const server = createServer((request, response) => {
    const requestId = `req_scripted_${String(++count).padStart(6, "0")}`;
    response.setHeader("request-id", requestId);
    route(request, response, requestId).catch((error: unknown) => sendError(response, error, requestId));
  });
  await new Promise<void>((listening, failed) => {
    server.once("error", failed).listen(options.port ?? 0, host, listening);
  });
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://${host}:${port}`,
    requests: () => messages.requests(),
    fault: (fault) => messages.fault(fault),
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
