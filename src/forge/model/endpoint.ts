import type { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type { Usage } from "../../ledger/index.js";
import { isoTime, type Clock } from "../../shared/index.js";
import { ApiError, badRequest } from "./api-error.js";
import { createChaos, type Chaos } from "./chaos.js";
import { chooseAnswer } from "./choose.js";
import { readConversation } from "./conversation.js";
import { outputTokens, writtenIn, type Dialect, type Envelope, type Read } from "./dialect.js";
import { statusError, type BrokenStream, type Fault } from "./fault.js";
import { sendJson } from "./http.js";
import { createPromptCache, type InputUsage } from "./prompt-cache.js";
import type { Scenario } from "./scenario.js";
import { streamAnswer } from "./stream-answer.js";

const MAX_RECORDED = 5_000;

/** One request to the model and what became of it. */
export interface RecordedRequest {
  requestId: string;
  /** As sent. */
  body: unknown;
  status: number;
  /** `scenario#step`, or null when nothing in the script fitted. */
  matched: string | null;
  usage: InputUsage | null;
  /** What the provider charges: all of an answer, or what of it was written until its stream broke; null for nothing. */
  billed: Usage | null;
  /** Message of the error that was answered, or empty. */
  error: string;
}

/** What is asked in either dialect. */
export interface Endpoint {
  answer(dialect: Dialect, body: unknown, requestId: string, response: ServerResponse): Promise<void>;
  requests(): RecordedRequest[];
  fault(fault: Fault): void;
  chaos(chaos: Chaos): void;
}

interface Faults {
  fault(fault: Fault): void;
  chaos(chaos: Chaos): void;
  /** Throws the HTTP error of the next fault, or waits; gives what will break the stream, or null. */
  suffer(): Promise<BrokenStream | null>;
}

function createFaults(delayMs: number): Faults {
  const queued: Fault[] = [];
  let nextChaos: () => Fault | null = () => null;
  return {
    fault: (fault) => void queued.push(fault),
    chaos: (chaos) => void (nextChaos = createChaos(chaos)),
    async suffer() {
      const fault = queued.shift() ?? nextChaos();
      if (fault?.kind === "status") throw statusError(fault);
      await wait(delayMs + (fault?.kind === "delay" ? fault.ms : 0));
      return fault?.kind === "broken-stream" ? fault : null;
    },
  };
}

function billOf(
  { input_tokens, cache_read_input_tokens, cache_creation_input_tokens }: InputUsage,
  written: string,
) {
  return {
    input: input_tokens,
    cacheRead: cache_read_input_tokens,
    cacheWrite: cache_creation_input_tokens,
    output: outputTokens(written),
  };
}

/** Plays scenarios; keeps nothing of a conversation but the prompt cache and the record of requests. */
export function createEndpoint(scenarios: readonly Scenario[], clock: Clock, delayMs: number): Endpoint {
  const cache = createPromptCache(clock);
  const faults = createFaults(delayMs);
  const recorded: RecordedRequest[] = [];

  const record = (requestId: string, body: unknown): RecordedRequest => {
    const entry = { requestId, body, status: 200, matched: null, usage: null, billed: null, error: "" };
    recorded.push(entry);
    if (recorded.length > MAX_RECORDED) recorded.shift();
    return entry;
  };

  const play = ({ request, tellsUsage, wantsText }: Read, entry: RecordedRequest): Envelope => {
    const answer = chooseAnswer(scenarios, readConversation(request));
    const step = `${answer.scenario}#${answer.step}`;
    if (wantsText && answer.content.some(({ type }) => type === "tool_use")) {
      throw badRequest(`scripted model: ${step} calls a tool, but a formatted answer is text: use "say".`);
    }
    const usage = cache.account(request);
    Object.assign(entry, { matched: step, usage });
    return { id: entry.requestId.replace("req", "msg"), model: request.model, answer, usage, tellsUsage };
  };

  return {
    async answer(dialect, body, requestId, response) {
      const entry = record(requestId, body);
      try {
        const read = dialect.read(body);
        const broken = await faults.suffer();
        const envelope = play(read, entry);
        const headers = {
          "anthropic-ratelimit-requests-limit": "4000",
          "anthropic-ratelimit-requests-remaining": "3999",
          "anthropic-ratelimit-requests-reset": isoTime(clock.now() + 60_000),
        };
        if (broken === null) entry.billed = billOf(envelope.usage, writtenIn(envelope.answer));
        if (!read.request.stream) {
          sendJson(response, 200, dialect.whole(envelope), headers);
          return;
        }
        response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", ...headers });
        const written = await streamAnswer(response, dialect, envelope, broken);
        if (broken !== null && written !== null) entry.billed = billOf(envelope.usage, written);
      } catch (error) {
        if (error instanceof ApiError) Object.assign(entry, { status: error.status, error: error.message });
        throw error;
      }
    },
    requests: () => [...recorded],
    fault: faults.fault,
    chaos: faults.chaos,
  };
}
