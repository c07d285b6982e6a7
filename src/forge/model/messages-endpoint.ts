import type { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { isoTime, type Clock } from "../../shared/index.js";
import { messageOf, streamAnswer, type Envelope } from "./answer-stream.js";
import { ApiError } from "./api-error.js";
import { chooseAnswer } from "./choose.js";
import { readConversation } from "./conversation.js";
import { statusError, type BrokenStream, type Fault } from "./fault.js";
import { sendJson } from "./http.js";
import { createPromptCache, type InputUsage } from "./prompt-cache.js";
import { refuseIllegal } from "./refusals.js";
import { parseRequest, type MessagesRequest } from "./request.js";
import type { Scenario } from "./scenario.js";

const MAX_RECORDED = 5_000;

/** One request to the Messages API and what became of it. */
export interface RecordedRequest {
  requestId: string;
  /** As sent. */
  body: unknown;
  status: number;
  /** `scenario#step`, or null when nothing in the script fitted. */
  matched: string | null;
  usage: InputUsage | null;
  /** Message of the error that was answered, or empty. */
  error: string;
}

/** What `POST /v1/messages` does. */
export interface MessagesEndpoint {
  answer(body: unknown, requestId: string, response: ServerResponse): Promise<void>;
  requests(): RecordedRequest[];
  fault(fault: Fault): void;
}

/** Plays scenarios; keeps nothing of a conversation but the prompt cache and the record of requests. */
export function createMessagesEndpoint(
  scenarios: readonly Scenario[],
  clock: Clock,
  delayMs: number,
): MessagesEndpoint {
  const cache = createPromptCache(clock);
  const faults: Fault[] = [];
  const recorded: RecordedRequest[] = [];

  const record = (requestId: string, body: unknown): RecordedRequest => {
    const entry = { requestId, body, status: 200, matched: null, usage: null, error: "" };
    recorded.push(entry);
    if (recorded.length > MAX_RECORDED) recorded.shift();
    return entry;
  };

  /** Gives what will break the stream, or null. */
  const sufferFault = async (): Promise<BrokenStream | null> => {
    const fault = faults.shift();
    if (fault?.kind === "status") throw statusError(fault);
    await wait(delayMs + (fault?.kind === "delay" ? fault.ms : 0));
    return fault?.kind === "broken-stream" ? fault : null;
  };

  const play = (request: MessagesRequest, entry: RecordedRequest): Envelope => {
    const answer = chooseAnswer(scenarios, readConversation(request));
    const usage = cache.account(request);
    Object.assign(entry, { matched: `${answer.scenario}#${answer.step}`, usage });
    return { id: entry.requestId.replace("req", "msg"), model: request.model, answer, usage };
  };

  return {
    async answer(body, requestId, response) {
      const entry = record(requestId, body);
      try {
        const request = parseRequest(body);
        refuseIllegal(request);
        const broken = await sufferFault();
        const envelope = play(request, entry);
        const headers = {
          "anthropic-ratelimit-requests-limit": "4000",
          "anthropic-ratelimit-requests-remaining": "3999",
          "anthropic-ratelimit-requests-reset": isoTime(clock.now() + 60_000),
        };
        if (!request.stream) {
          sendJson(response, 200, messageOf(envelope), headers);
          return;
        }
        response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", ...headers });
        await streamAnswer(response, envelope, broken);
      } catch (error) {
        if (error instanceof ApiError) Object.assign(entry, { status: error.status, error: error.message });
        throw error;
      }
    },
    requests: () => [...recorded],
    fault: (fault) => void faults.push(fault),
  };
}
