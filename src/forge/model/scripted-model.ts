import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Clock } from "../../shared/index.js";
import { ApiError } from "./api-error.js";
import type { Fault } from "./fault.js";
import {
  authorise,
  chatErrorBody,
  messagesErrorBody,
  readBody,
  requireVersion,
  sendError,
  sendJson,
} from "./http.js";
import type { Chaos } from "./chaos.js";
import { CHAT } from "./chat-answer.js";
import { createEndpoint, type RecordedRequest } from "./endpoint.js";
import { MESSAGES } from "./messages-answer.js";
import { countTokens } from "./prompt-cache.js";
import { parseRequest } from "./request.js";
import type { Scenario } from "./scenario.js";

const MODELS = ["claude-opus-5-5", "claude-sonnet-5-5", "claude-haiku-5-5"];

const CHAT_PATH = "/v1/chat/completions";

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
  /** Base URL for an Anthropic client; with `/v1` behind it, for one of chat completions. */
  url: string;
  /** Requests in either API, oldest first. */
  requests(): RecordedRequest[];
  /** Queues a fault for the next request. */
  fault(fault: Fault): void;
  /** Lets things go wrong by rate from now on, where no fault is queued. */
  chaos(chaos: Chaos): void;
  close(): Promise<void>;
}

function pathOf(request: IncomingMessage): string {
  return (request.url ?? "").split("?")[0] ?? "";
}

function describeModel(id: string): Record<string, unknown> {
  return { type: "model", id, display_name: id, created_at: "2026-01-01T00:00:00Z" };
}

function describeModels(): Record<string, unknown> {
  const listed = MODELS.map(describeModel);
  return { data: listed, has_more: false, first_id: MODELS[0], last_id: MODELS.at(-1) };
}

/** Starts a model that answers from scenarios, over loopback HTTP as Anthropic's Messages API and OpenAI's chat completions do. */
export async function startScriptedModel(options: ScriptedModelOptions): Promise<ScriptedModel> {
  const { scenarios, clock, host = "127.0.0.1", delayMs = 0 } = options;
  const endpoint = createEndpoint(scenarios, clock, delayMs);
  let count = 0;

  const route = async (request: IncomingMessage, response: ServerResponse, requestId: string) => {
    const target = `${request.method} ${pathOf(request)}`;
    authorise(request, options.apiKey);
    if (target === `POST ${CHAT_PATH}`) {
      await endpoint.answer(CHAT, await readBody(request), requestId, response);
      return;
    }
    requireVersion(request);
    const model = /^GET \/v1\/models\/([\w.-]+)$/.exec(target)?.[1];
    if (target === "POST /v1/messages") {
      await endpoint.answer(MESSAGES, await readBody(request), requestId, response);
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
    route(request, response, requestId).catch((error: unknown) => {
      const toBody = pathOf(request) === CHAT_PATH ? chatErrorBody : messagesErrorBody;
      sendError(response, error, (told) => toBody(told, requestId));
    });
  });
  await new Promise<void>((listening, failed) => {
    server.once("error", failed).listen(options.port ?? 0, host, listening);
  });
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://${host}:${port}`,
    requests: () => endpoint.requests(),
    fault: (fault) => endpoint.fault(fault),
    chaos: (chaos) => endpoint.chaos(chaos),
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
