import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseScenarios, startScriptedModel, type ScriptedModel } from "../../src/forge/model/index.js";
import { movedClock } from "../support/moved-clock.js";

const TOOL = {
  type: "function",
  function: { name: "read_file", parameters: { type: "object", properties: {} } },
};
const scenarios = [
  {
    name: "reads",
    when: { taskContains: "read", systemContains: "reader" },
    turns: [
      { think: "Where?", say: "Reading.", call: [{ tool: "read_file", input: { path: "a" } }] },
      { say: "Done: {{result:read_file:(.+)}}" },
    ],
  },
  { name: "talks", when: {}, turns: [{ say: "Hello", repeat: true }] },
];

let scripted: ScriptedModel;
beforeEach(async () => {
  scripted = await startScriptedModel({
    scenarios: parseScenarios(JSON.stringify(scenarios)),
    clock: movedClock(),
    apiKey: "key",
  });
});
afterEach(() => scripted.close());

type Completion = {
  choices: {
    message: Record<string, unknown>;
    delta: Record<string, string>;
    finish_reason: string | null;
  }[];
  usage?: {
    prompt_tokens: number;
    completion_tokens: number;
    prompt_tokens_details: { cached_tokens: number };
  };
  error?: { message: string; type: string };
};
const SYSTEM = { role: "system", content: "You are a reader. ".repeat(20) };
const USER = { role: "user", content: "please read it" };

const post = (params: object, key = "key") =>
  fetch(`${scripted.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ model: "qwen3", messages: [SYSTEM, USER], tools: [TOOL], ...params }),
  });
const ask = async (params: object = {}) => (await (await post(params)).json()) as Completion;
const chunks = async (params: object) =>
  [...(await (await post({ stream: true, ...params })).text()).matchAll(/^data: (.+)$/gm)].map(
    ([, data]) => data ?? "",
  );

describe("a chat completion", () => {
  it("is the same streamed and whole", async () => {
    const whole = await ask();
    const [choice] = whole.choices;
    expect(choice).toMatchObject({
      finish_reason: "tool_calls",
      message: {
        content: "Reading.",
        reasoning_content: "Where?",
        tool_calls: [{ type: "function", function: { name: "read_file", arguments: '{"path":"a"}' } }],
      },
    });
    const told = await chunks({ stream_options: { include_usage: true } });
    expect(told.pop()).toBe("[DONE]");
    const events = told.map((data) => JSON.parse(data) as Completion);
    expect(events.at(-1)).toMatchObject({
      choices: [],
      usage: { completion_tokens: whole.usage?.completion_tokens },
    });
    const joined = (field: string) => events.map(({ choices }) => choices[0]?.delta[field] ?? "").join("");
    expect([joined("content"), joined("reasoning_content")]).toEqual(["Reading.", "Where?"]);
    expect(events.at(-2)?.choices[0]?.finish_reason).toBe("tool_calls");
    expect((await chunks({})).some((data) => data.includes("usage"))).toBe(false);
  });

  it("follows the conversation, and reads from the cache what was sent before", async () => {
    const first = await ask();
    const message = first.choices[0]?.message as { tool_calls: { id: string }[] };
    const result = { role: "tool", tool_call_id: message.tool_calls[0]?.id, content: "AAA" };
    const second = await ask({ messages: [SYSTEM, USER, { ...message, refusal: undefined }, result] });
    expect(second.choices[0]).toMatchObject({ finish_reason: "stop", message: { content: "Done: AAA" } });
    expect(first.usage?.prompt_tokens_details.cached_tokens).toBe(0);
    expect(second.usage?.prompt_tokens_details.cached_tokens).toBe(first.usage?.prompt_tokens);
    expect(scripted.requests().map(({ matched, billed }) => [matched, billed?.output])).toEqual([
      ["reads#1", first.usage?.completion_tokens],
      ["reads#2", second.usage?.completion_tokens],
    ]);
  });

  it("breaks off with an error of its own shape", async () => {
    scripted.fault({ kind: "broken-stream", how: "error", afterEvents: 2 });
    const told = (await chunks({})).map((data) => JSON.parse(data) as Completion);
    expect(told).toHaveLength(3);
    expect(told[2]).toEqual({
      error: { message: "injected by the test", type: "overloaded_error", code: null },
    });
  });
});

describe("the API's refusals", () => {
  const call = (id: string) => ({ id, type: "function", function: { name: "read_file", arguments: "{}" } });
  const calls = (...ids: string[]) => ({ role: "assistant", content: null, tool_calls: ids.map(call) });
  const result = (id: string) => ({ role: "tool", tool_call_id: id, content: "x" });

  it.each<[string, object, RegExp]>([
    ["no messages", { messages: [] }, /messages/],
    [
      "a call without a result",
      { messages: [USER, calls("a", "b"), result("a")] },
      /did not have response.*b/,
    ],
    [
      "a text between calls and results",
      { messages: [USER, calls("a"), USER, result("a")] },
      /did not have response/,
    ],
    ["a result without a call", { messages: [USER, result("a")] }, /must be a response.*a/],
    [
      "two results for a call",
      { messages: [USER, calls("a"), result("a"), result("a")] },
      /must be a response/,
    ],
    ["an assistant that says nothing", { messages: [USER, { role: "assistant" }] }, /needs 'content' or/],
    ["a user without content", { messages: [{ role: "user", content: null }] }, /content/],
    [
      "arguments that are no text",
      {
        messages: [
          USER,
          { role: "assistant", tool_calls: [{ ...call("a"), function: { name: "x", arguments: {} } }] },
          result("a"),
        ],
      },
      /arguments/,
    ],
    ["two limits", { max_tokens: 5, max_completion_tokens: 5 }, /both/],
    ["a limit of 0", { max_tokens: 0 }, /max_tokens/],
    ["stream options without a stream", { stream_options: { include_usage: true } }, /stream_options/],
    [
      "parameters that are no object",
      { tools: [{ type: "function", function: { name: "a", parameters: {} } }] },
      /parameters/,
    ],
    [
      "a tool name with a space",
      { tools: [{ type: "function", function: { ...TOOL.function, name: "read file" } }] },
      /should match/,
    ],
    ["two tools of one name", { tools: [TOOL, TOOL] }, /unique/],
    ["a tool choice without tools", { tools: undefined, tool_choice: "auto" }, /tool_choice/],
    ["a JSON answer that nobody spoke of", { response_format: { type: "json_object" } }, /'json'/],
    [
      "a call in a formatted answer",
      { response_format: { type: "json_schema", json_schema: { name: "a", schema: {} } } },
      /calls a tool/,
    ],
  ])("name %s", async (_what, params, message) => {
    const response = await post(params);
    expect(response.status).toBe(400);
    expect(((await response.json()) as Completion).error).toMatchObject({
      type: "invalid_request_error",
      message: expect.stringMatching(message),
    });
  });

  it("turn a wrong key away", async () => {
    expect((await post({}, "other")).status).toBe(401);
  });
});

describe("chaos", () => {
  const statuses = async (seed: number) => {
    scripted.chaos({ seed, overloaded: 0.3, rateLimited: 0.2 });
    const seen: number[] = [];
    for (let at = 0; at < 30; at++) seen.push((await post({})).status);
    return seen;
  };

  it("is the same for the same seed, in its shares, and gives way to a queued fault", async () => {
    const first = await statuses(1);
    expect(await statuses(1)).toEqual(first);
    expect(await statuses(2)).not.toEqual(first);
    expect(new Set(first)).toEqual(new Set([200, 429, 529]));
    scripted.chaos({ seed: 1, overloaded: 1 });
    scripted.fault({ kind: "status", status: 503 });
    expect([(await post({})).status, (await post({})).status]).toEqual([503, 529]);
    expect(scripted.requests().at(-1)?.billed).toBeNull();
  });
});
