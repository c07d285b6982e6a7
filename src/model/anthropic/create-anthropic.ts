import Anthropic, { type Middleware } from "@anthropic-ai/sdk";
import { zodOutputFormat } from "@anthropic-ai/sdk/helpers/zod";
import type { z } from "zod";
import { AccrueError, type Clock } from "../../shared/index.js";
import { attemptTurn } from "../attempt.js";
import type { ProviderAccess } from "../access.js";
import type { Call, Provider } from "../provider.js";
import type { Watchdog } from "../watchdog.js";
import { explain } from "./explain.js";
import { createStreamReader } from "./stream-reader.js";
import { toWire } from "./wire.js";

const DEFAULT_URL = "https://api.anthropic.com";
const KEY_VARIABLE = "ANTHROPIC_API_KEY";
/** The SDK's own limit, up to the response's headers; the watchdog is stricter. */
const HEADERS_MS = 600_000;

/** How long to wait for the next byte of a stream, and for an answer that comes as a whole. */
export interface Waits {
  idleMs: number;
  wholeMs: number;
}

/** Parses nothing, so that an answer that does not fit keeps its usage; whether it fits is decided by who asked. */
function formatOf(schema: z.ZodType) {
  return { ...zodOutputFormat(schema), parse: (text: string) => text };
}

/** A whole message in the events that a stream would have brought. */
async function* eventsOf(message: Anthropic.Message): AsyncGenerator<Anthropic.RawMessageStreamEvent> {
  yield { type: "message_start", message };
  for (const [index, content_block] of message.content.entries()) {
    yield { type: "content_block_start", index, content_block };
  }
  const { stop_reason, stop_sequence, stop_details, container, usage } = message;
  yield {
    type: "message_delta",
    delta: { stop_reason, stop_sequence, stop_details, container },
    usage,
  };
}

function openClient({ key, url }: ProviderAccess): Anthropic {
  if (key === "") {
    const message = `There is no key to ask a model with. Set ${KEY_VARIABLE} in the environment.`;
    throw new AccrueError("MODEL_KEY_MISSING", message);
  }
  return new Anthropic({
    apiKey: key,
    authToken: null,
    baseURL: url ?? DEFAULT_URL,
    logLevel: "off",
    maxRetries: 0,
    timeout: HEADERS_MS,
  });
}

function watching(watchdog: Watchdog): Middleware {
  return async (request, next) => watchdog.watch(await next(request));
}

/** Anthropic's Messages API: free answers by its raw event stream, structured ones by `messages.parse`. */
export function createAnthropic(access: ProviderAccess, clock: Clock, waits: Waits): Provider {
  const client = openClient(access);
  return {
    attempt(call: Call, onInput, signal) {
      const asked = { model: call.model, keyVariable: KEY_VARIABLE };
      const params = toWire(call);
      const format = call.schema === null ? null : formatOf(call.schema);
      return attemptTurn(
        {
          asked,
          idleMs: format === null ? waits.idleMs : waits.wholeMs,
          reader: createStreamReader(),
          async open(cut, watchdog) {
            const options = {
              signal: cut,
              middleware: [watching(watchdog)],
            };
            if (format === null) {
              const stream = await client.messages.create({ ...params, stream: true }, options);
              return stream[Symbol.asyncIterator]();
            }
            return eventsOf(await client.messages.parse({ ...params, output_config: { format } }, options));
          },
          explain: (cause, began) => explain(cause, asked, { began, now: clock.now() }),
        },
        call,
        onInput,
        signal,
      );
    },
  };
}
