import { describe, expect, it } from "vitest";
import { requestOf } from "../support/asked-model.js";
import { callPart, delta, DONE, finish, rawEndpoints } from "../support/model-endpoint.js";

const NEVER = new AbortController().signal;
const open = rawEndpoints();
const USAGE = { choices: [], usage: { prompt_tokens: 100, completion_tokens: 7 } };

describe("a streamed tool call", () => {
  const cases: [string, unknown[], [string, unknown][]][] = [
    [
      "RT-62: of an index that two ids share is two calls",
      [
        callPart(0, "a", "read", '{"path":'),
        callPart(0, null, null, '"1"}'),
        callPart(0, "b", "read", '{"path":'),
        callPart(0, null, null, '"2"}'),
      ],
      [
        ["a", { path: "1" }],
        ["b", { path: "2" }],
      ],
    ],
    [
      "RT-62: of an index that two ids share at the same time is two calls",
      [
        callPart(0, "a", "read", '{"path":'),
        callPart(0, "b", "read", '{"path":'),
        callPart(0, "a", null, '"1"}'),
        callPart(0, "b", null, '"2"}'),
      ],
      [
        ["a", { path: "1" }],
        ["b", { path: "2" }],
      ],
    ],
    [
      "without ids and with one index is a call for each name",
      [callPart(0, null, "read", '{"path":"1"}'), callPart(0, null, "list", '{"path":"2"}')],
      [
        ["call_", { path: "1" }],
        ["call_", { path: "2" }],
      ],
    ],
    [
      "may be told apart by id when pieces come mixed",
      [
        callPart(0, "a", "read", '{"path":'),
        callPart(1, "b", "read", '{"path":'),
        callPart(null, "a", null, '"1"}'),
        callPart(1, null, null, '"2"}'),
      ],
      [
        ["a", { path: "1" }],
        ["b", { path: "2" }],
      ],
    ],
    [
      "may bring its name and id after its arguments",
      [callPart(0, null, null, '{"path":"1"}'), callPart(0, "a", "read", "")],
      [["a", { path: "1" }]],
    ],
    [
      "that is sent once more is one call",
      [callPart(0, "a", "read", '{"path":"1"}'), callPart(0, "a", "read", '{"path":"1"}')],
      [["a", { path: "1" }]],
    ],
    [
      "may begin with an empty object",
      [callPart(0, "a", "read", "{}"), callPart(0, null, null, '{"path":'), callPart(0, null, null, '"1"}')],
      [["a", { path: "1" }]],
    ],
    [
      "may have its arguments as an object",
      [callPart(0, "a", "read", { path: "1" })],
      [["a", { path: "1" }]],
    ],
    ["RT-64: with empty arguments has an empty object", [callPart(0, "a", "read", "")], [["a", {}]]],
    ["with an id that no API takes gets another", [callPart(0, "fn.read:0", "read", "")], [["call_", {}]]],
  ];
  it.each(cases)("%s", async (_what, parts, wanted) => {
    const { model } = await open([[...parts, finish("tool_calls"), USAGE, DONE]]);
    const turn = await model.ask(requestOf("hi"), NEVER);
    expect(turn.stopReason).toBe("tool_use");
    expect(turn.calls).toEqual(
      wanted.map(([id, input]) => ({
        id: expect.stringMatching(new RegExp(`^${id}[0-9A-Z]*$`)),
        name: expect.stringMatching(/^(read|list)$/),
        input,
        problem: null,
      })),
    );
    expect(turn.content).toEqual(
      turn.calls.map(({ id, name, input }) => ({ type: "tool_use", id, name, input })),
    );
  });

  it.each([
    ["broken", '{"path": "a.ts', "not valid JSON"],
    ["an array", '["a.ts"]', "one JSON object"],
    ["a text", '"a.ts"', "one JSON object"],
    ["a number", "7", "one JSON object"],
    ["two objects", '{"path":"a.ts"}{"path":"b.ts"}', "not valid JSON"],
  ])("RT-65: whose arguments are %s has a problem with the raw text", async (_what, raw, reason) => {
    const { model } = await open([[callPart(0, "a", "read", raw), finish("tool_calls"), USAGE, DONE]]);
    const [call] = (await model.ask(requestOf("hi"), NEVER)).calls;
    expect(call).toMatchObject({ id: "a", name: "read", input: {} });
    expect(call?.problem).toContain(reason);
    expect(call?.problem).toContain(raw);
  });

  it("whose name no API takes back gets one that can be sent, and is still told from others", async () => {
    const odd = `functions.read file#${"x".repeat(80)}`;
    const { model } = await open([[callPart(0, "a", odd, ""), finish("tool_calls"), USAGE, DONE]]);
    const { calls, content } = await model.ask(requestOf("hi"), NEVER);
    expect(calls[0]?.name).toMatch(/^functions_read_file_x{44}$/);
    expect(content).toEqual([expect.objectContaining({ name: calls[0]?.name })]);
  });

  it("whose id was used in an earlier turn gets one of its own", async () => {
    const { model } = await open([[callPart(0, "call_0", "read", ""), finish("stop"), USAGE, DONE]]);
    const messages = requestOf("hi").messages;
    messages.push(
      { role: "assistant", content: [{ type: "tool_use", id: "call_0", name: "read", input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "call_0", content: "x" }] },
    );
    const turn = await model.ask(requestOf("", { messages }), NEVER);
    expect(turn.calls[0]?.id).toMatch(/^call_[0-9A-Z]{26}$/);
  });

  it("without a name has a problem", async () => {
    const { model } = await open([[callPart(0, "a", null, "{}"), finish("tool_calls"), USAGE, DONE]]);
    expect((await model.ask(requestOf("hi"), NEVER)).calls[0]?.problem).toContain("no name");
  });
});

describe("a streamed answer", () => {
  it.each([
    ["stop", "end_turn"],
    ["length", "max_tokens"],
    ["content_filter", "refusal"],
    ["tool_calls", "end_turn"],
    ["something_new", "something_new"],
  ])("that ends by %s has the stop reason %s", async (reason, wanted) => {
    const { model } = await open([[delta({ content: "Hi" }), finish(reason), USAGE, DONE]]);
    expect(await model.ask(requestOf("hi"), NEVER)).toMatchObject({
      stopReason: wanted,
      content: [{ type: "text", text: "Hi" }],
      model: "qwen3",
    });
  });

  it("survives comments, CRLF, missing spaces and a missing [DONE]", async () => {
    const raw = `: still working\r\n\r\ndata:${JSON.stringify(delta({ content: "你好" }))}\r\n\r\ndata: ${JSON.stringify(finish("stop"))}`;
    const { model } = await open([[raw]]);
    expect((await model.ask(requestOf("hi"), NEVER)).content).toEqual([{ type: "text", text: "你好" }]);
  });

  it("may come as one document", async () => {
    const body = JSON.stringify({
      choices: [{ message: { content: "Hi" }, finish_reason: "stop" }],
      usage: { prompt_tokens: 5, completion_tokens: 1 },
    });
    const { model } = await open([{ status: 200, body, headers: { "content-type": "application/json" } }]);
    expect(await model.ask(requestOf("hi"), NEVER)).toMatchObject({
      content: [{ text: "Hi" }],
      usage: { input: 5, output: 1 },
    });
  });

  it("RT-55: whose prompt tokens hold the cached ones is not billed twice", async () => {
    const usage = {
      prompt_tokens: 1000,
      completion_tokens: 50,
      prompt_tokens_details: { cached_tokens: 800 },
    };
    const { model, entries } = await open([
      [delta({ content: "Hi" }), finish("stop"), { choices: [], usage }, DONE],
    ]);
    const turn = await model.ask(requestOf("hi"), NEVER);
    expect(turn.usage).toEqual({ input: 200, cacheRead: 800, cacheWrite: 0, output: 50 });
    expect(entries).toMatchObject([
      {
        provider: "local",
        model: "qwen3",
        usage: turn.usage,
        costNanoUsd: 200 * 1000 + 800 * 100 + 50 * 2000,
      },
    ]);
  });

  it("RT-55: counts the cached tokens of DeepSeek by their own name", async () => {
    const usage = { prompt_tokens: 1000, completion_tokens: 50, prompt_cache_hit_tokens: 640 };
    const { model } = await open([[delta({ content: "Hi" }), finish("stop"), { choices: [], usage }]]);
    expect((await model.ask(requestOf("hi"), NEVER)).usage).toMatchObject({ input: 360, cacheRead: 640 });
  });

  it("without any usage is booked by estimate, never as free", async () => {
    const { model, asked, entries } = await open(
      [[delta({ content: "Good morning" }), finish("stop"), DONE]],
      {
        usage_in_stream: false,
      },
    );
    await model.ask(requestOf("hi"), NEVER);
    expect(asked[0]?.body).not.toHaveProperty("stream_options");
    expect(entries[0]?.usage.input).toBeGreaterThan(1);
    expect(entries[0]?.usage.output).toBeGreaterThan(1);
  });
});

describe("an endpoint that fails", () => {
  const good = [delta({ content: "Hi" }), finish("stop"), USAGE, DONE];

  it.each<[string, unknown[]]>([
    [
      "RT-58: an overload",
      [delta({ content: "H" }), { error: { message: "busy", type: "overloaded_error" } }],
    ],
    ["RT-59: a rate limit", [{ error: { message: "slow down", code: 429 } }]],
    ["an error of a server behind it", [{ ...finish("error"), error: { code: 502, message: "upstream" } }]],
    ["an end without its reason", [delta({ content: "H" })]],
    ["a provider that gave up", [delta({ content: "H" }), finish("error")]],
    ["what is no JSON", [delta({ content: "H" }), "data: {half\n\n"]],
  ])("in its stream with %s is asked again", async (_what, broken) => {
    const { model, entries } = await open([broken, good]);
    expect((await model.ask(requestOf("hi"), NEVER)).content).toEqual([{ type: "text", text: "Hi" }]);
    expect(entries.map(({ attempt, wasted }) => [attempt, wasted])).toEqual([
      [1, true],
      [2, false],
    ]);
  });

  it("books what of a broken answer had come, and nothing for an error in its place", async () => {
    const { model, entries } = await open([[delta({ content: "Good mor" })], good]);
    await model.ask(requestOf("hi"), NEVER);
    expect(entries[0]?.costNanoUsd).toBeGreaterThan(0);
    const second = await open([[delta({ role: "assistant", content: "" }), { error: { code: 503 } }], good]);
    await second.model.ask(requestOf("hi"), NEVER);
    expect(second.entries[0]).toMatchObject({ costNanoUsd: 0, wasted: true });
  });

  it.each([
    [
      400,
      '{"error":{"message":"This model\'s maximum context length is 8192 tokens"}}',
      "MODEL_OVERFLOW",
      /8192/,
    ],
    [
      401,
      '{"error":{"message":"bad key"}}',
      "MODEL_FAILED",
      /local\/qwen3 answered 401: bad key\. Check ACCRUE_LOCAL_KEY/,
    ],
    [404, "no such page", "MODEL_FAILED", /no such page.*model's name and the provider's address/],
    [422, '{"detail":[{"loc":["tools"]}]}', "MODEL_FAILED", /422/],
  ])("with %i is not asked again", async (status, body, code, message) => {
    const { model, asked } = await open([{ status, body }]);
    await expect(model.ask(requestOf("hi"), NEVER)).rejects.toMatchObject({
      code,
      retryable: false,
      message: expect.stringMatching(message),
    });
    expect(asked).toHaveLength(1);
  });

  it("in its stream by our fault is not asked again", async () => {
    const { model, asked } = await open([
      [{ error: { message: "bad tool", type: "invalid_request_error" } }],
    ]);
    await expect(model.ask(requestOf("hi"), NEVER)).rejects.toMatchObject({ retryable: false });
    expect(asked).toHaveLength(1);
  });

  it.each<Record<string, string>>([
    { "retry-after": "3600" },
    { "retry-after": "Sun, 29 Nov 2026 01:00:00 GMT" },
    { "retry-after-ms": "3600000", "retry-after": "1" },
  ])("RT-61: and asks for an hour of patience fails at once: %j", async (headers) => {
    const { model, asked } = await open([{ status: 429, body: "{}", headers }]);
    await expect(model.ask(requestOf("hi"), NEVER)).rejects.toThrow(/local\/qwen3 answered 429 .* 3600 s/);
    expect(asked).toHaveLength(1);
  });

  it("by sending us elsewhere is not followed", async () => {
    const headers = { location: "http://127.0.0.1:1/v1/chat/completions" };
    const { model } = await open([
      { status: 307, body: "", headers },
      { status: 307, body: "", headers },
    ]);
    await expect(model.ask(requestOf("hi"), NEVER)).rejects.toThrow(/redirect/);
  });
});
