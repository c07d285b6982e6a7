import { zodOutputFormat } from "@anthropic-ai/sdk/helpers/zod";
import type { z } from "zod";
import type { Clock } from "../../shared/index.js";
import { attemptTurn } from "../attempt.js";
import { variablePrefix } from "../model-id.js";
import type { Attempt, Provider, Reply } from "../provider.js";
import type { ProviderOptions } from "../provider-options.js";
import type { Watchdog } from "../watchdog.js";
import { createChatReader, type ChatEvent } from "./chat-reader.js";
import { Chunk } from "./chunk.js";
import { ChatError, ChatRefusal, explain } from "./explain.js";
import { sseData } from "./sse.js";
import { ANSWER_TOOL, toChat, type Format } from "./wire.js";

/** What asking an endpoint needs from outside. */
export interface OpenaiDeps {
  clock: Clock;
  newId(): string;
  prompt(name: string, values: Readonly<Record<string, string>>): string;
}

/** An endpoint by name; an empty key is not sent. */
export interface Endpoint {
  name: string;
  key: string;
  url: string;
}

function readEvent(json: string): ChatEvent {
  if (json.trim() === "[DONE]") return "done";
  const chunk = Chunk.parse(JSON.parse(json));
  if (chunk.error) throw new ChatError(chunk.error);
  // What the provider behind a gateway broke off comes without a reason.
  if (chunk.choices?.[0]?.finish_reason === "error") throw new ChatError("the provider gave up");
  return chunk;
}

async function* eventsOf(response: Response): AsyncGenerator<ChatEvent> {
  if (response.body === null) return;
  if (response.headers.get("content-type")?.includes("application/json")) {
    yield readEvent(await response.text());
    return;
  }
  for await (const json of sseData(response.body)) yield readEvent(json);
}

/** The one call of a structured answer as the text that it would have been. */
function asText({ content, calls, stopReason, usage }: Reply): Reply {
  const answer = calls.find(({ name }) => name === ANSWER_TOOL);
  if (answer === undefined) return { content, calls: [], stopReason, usage };
  const text = answer.problem ?? JSON.stringify(answer.input);
  const reason = stopReason === "tool_use" ? "end_turn" : stopReason;
  return { content: [{ type: "text", text }], calls: [], stopReason: reason, usage };
}

/** OpenAI's chat completions as many servers and gateways offer them, over `fetch`. */
export function createOpenai(
  deps: OpenaiDeps,
  { name, key, url }: Endpoint,
  { quirks, idleMs }: { quirks: ProviderOptions; idleMs: number },
): Provider {
  const formatOf = (wanted: z.ZodType): Format => {
    const { schema } = zodOutputFormat(wanted);
    return { schema, instruction: deps.prompt("answer-format", { schema: JSON.stringify(schema) }) };
  };

  const post = async (body: unknown, signal: AbortSignal, watchdog: Watchdog): Promise<Response> => {
    const response = await fetch(`${url}/chat/completions`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "text/event-stream",
        ...(key !== "" && { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify(body),
      redirect: "error",
      signal,
    });
    const watched = watchdog.watch(response);
    if (!watched.ok) throw new ChatRefusal(watched, await watched.text());
    return watched;
  };

  return {
    async attempt(call, onInput, signal): Promise<Attempt> {
      const asked = { model: `${name}/${call.model}`, keyVariable: `${variablePrefix(name)}KEY` };
      const body = toChat(call, quirks, call.schema === null ? null : formatOf(call.schema));
      const attempt = await attemptTurn<ChatEvent>(
        {
          asked,
          idleMs,
          reader: createChatReader(call, quirks.reasoning_field, deps.newId),
          open: async (cut, watchdog) => eventsOf(await post(body, cut, watchdog)),
          explain: (cause, began) => explain(cause, asked, { began, now: deps.clock.now() }),
        },
        call,
        onInput,
        signal,
      );
      if (attempt.kind !== "answered" || call.schema === null) return attempt;
      return { kind: "answered", reply: asText(attempt.reply) };
    },
  };
}
