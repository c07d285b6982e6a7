import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import type { Message } from "../../src/model/index.js";
import { modelAt, openAskedModel, requestOf } from "../support/asked-model.js";

const NEVER = new AbortController().signal;
const TOOL = { name: "read_file", description: "Reads.", inputSchema: { type: "object" } };
const hello = [{ name: "hello", when: {}, turns: [{ say: "Good morning", repeat: true }] }];

let opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(opened.map((one) => one.close()));
  opened = [];
});
async function open(...args: Parameters<typeof openAskedModel>) {
  const asked = await openAskedModel(...args);
  opened.push(asked);
  return asked;
}

type Wire = {
  system: { cache_control?: unknown }[];
  tools: { cache_control?: unknown }[];
  messages: { content: { text?: string; cache_control?: unknown }[] }[];
};

describe("an answer", () => {
  it("comes with text, calls, usage, cost and one ledger entry", async () => {
    const { model, entries } = await open([
      {
        name: "reads",
        when: {},
        turns: [{ think: "Hm.", say: "Reading", call: [{ tool: "read_file", input: { path: "ä.ts" } }] }],
      },
    ]);
    const turn = await model.ask(requestOf("Read ä.ts", { tools: [TOOL] }), NEVER);

    expect(turn.content.map((block) => block.type)).toEqual(["thinking", "text", "tool_use"]);
    expect(turn.content[0]).toMatchObject({ thinking: "Hm.", signature: expect.stringMatching(/./) });
    expect(turn.calls).toEqual([
      { id: expect.any(String), name: "read_file", input: { path: "ä.ts" }, problem: null },
    ]);
    expect(turn).toMatchObject({ stopReason: "tool_use", model: "claude-haiku-5-5" });
    expect(turn.usage.cacheWrite).toBeGreaterThan(0);
    expect(entries).toEqual([
      expect.objectContaining({
        requirement: "REQ-12",
        provider: "anthropic",
        model: "claude-haiku-5-5",
        usage: turn.usage,
        costNanoUsd: turn.costNanoUsd,
        inputPriceNanoUsd: 100,
        stopReason: "tool_use",
        attempt: 1,
        wasted: false,
        promptVersion: expect.stringMatching(/^[0-9a-f]{12}$/),
      }),
    ]);
    expect(turn.costNanoUsd).toBe(
      turn.usage.input * 100 + turn.usage.cacheWrite * 125 + turn.usage.output * 500,
    );
  });

  it("has a null cost when the model has no price", async () => {
    const { model, entries } = await open(hello, {
      tiers: { planner: "anthropic/a", executor: "anthropic/b", validator: "anthropic/c" },
    });
    const turn = await model.ask(requestOf("hi"), NEVER);
    expect(turn.costNanoUsd).toBeNull();
    expect(entries[0]).toMatchObject({ costNanoUsd: null, inputPriceNanoUsd: null });
  });

  it.each([
    ["RT-65: broken JSON", '{"path": "a.ts', "not valid JSON"],
    ["an array", '["a.ts"]', "one JSON object"],
    ["a scalar", '"a.ts"', "one JSON object"],
    ["null", "null", "one JSON object"],
  ])("turns arguments that are %s into a problem with the raw text", async (_what, raw, reason) => {
    const { model } = await open([
      { name: "broken", when: {}, turns: [{ call: [{ tool: "read_file", raw }] }] },
    ]);
    const turn = await model.ask(requestOf("hi", { tools: [TOOL] }), NEVER);
    expect(turn.calls[0]?.input).toEqual({});
    expect(turn.calls[0]?.problem).toContain(reason);
    expect(turn.calls[0]?.problem).toContain(raw);
  });

  it("RT-64: takes empty arguments as an empty object", async () => {
    const { model } = await open([
      { name: "empty", when: {}, turns: [{ call: [{ tool: "read_file", raw: "" }] }] },
    ]);
    const turn = await model.ask(requestOf("hi", { tools: [TOOL] }), NEVER);
    expect(turn.calls[0]).toMatchObject({ input: {}, problem: null });
  });

  it("RT-40: holds no blank text", async () => {
    const { model } = await open([{ name: "blank", when: {}, turns: [{ say: "\n" }] }]);
    expect((await model.ask(requestOf("hi"), NEVER)).content).toEqual([]);
  });
});

describe("a request", () => {
  const conversation: Message[] = [
    { role: "user", content: [{ type: "text", text: "task" }] },
    { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "read_file", input: {} }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "half an emoji: \ud83d" }] },
    { role: "assistant", content: [{ type: "tool_use", id: "t2", name: "read_file", input: {} }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "t2", content: "b" }] },
  ];

  it("RT-67: has four cache marks of our own, whatever the history carries, and leaves the history alone", async () => {
    const { model, scripted } = await open(hello);
    const marked = structuredClone(conversation);
    for (const { content } of marked)
      Object.assign(content[0] ?? {}, { cache_control: { type: "ephemeral" } });
    const before = structuredClone(marked);
    await model.ask(
      requestOf("", { tools: [TOOL, TOOL].map((t, i) => ({ ...t, name: `t${i}` })), messages: marked }),
      NEVER,
    );
    const body = scripted.requests()[0]?.body as Wire;
    const marks = (blocks: { cache_control?: unknown }[]) => blocks.map((b) => b.cache_control !== undefined);
    expect(marks(body.tools)).toEqual([false, true]);
    expect(marks(body.system)).toEqual([true]);
    expect(body.messages.map((m) => marks(m.content)[0])).toEqual([false, false, true, false, true]);
    expect(marked).toEqual(before);
  });

  it("reads from the cache what the turn before has written", async () => {
    const { model, entries } = await open(hello);
    await model.ask(requestOf("", { messages: conversation.slice(0, 3) }), NEVER);
    await model.ask(requestOf("", { messages: conversation }), NEVER);
    const [first, second] = entries;
    expect(first?.usage.cacheRead).toBe(0);
    expect(second?.usage.cacheRead).toBe(first?.usage.cacheWrite);
    expect(second?.usage.input).toBe(0);
  });

  it("holds well-formed text only", async () => {
    const { model, scripted } = await open(hello);
    await model.ask(requestOf("", { messages: conversation }), NEVER);
    expect(JSON.stringify(scripted.requests()[0]?.body)).not.toMatch(/\\ud83d/);
  });

  it("RT-47: asks for no more output than the model can give", async () => {
    const { model, scripted } = await open(hello);
    await model.ask(requestOf("hi", { maxOutputTokens: 339_835 }), NEVER);
    expect(scripted.requests()[0]?.body).toMatchObject({ max_tokens: 128_000 });
  });
});

describe("a stream that breaks", () => {
  it.each([["error"], ["drop"], ["end"]] as const)(
    "RT-58: is asked again after %s, and the broken try is in the ledger",
    async (how) => {
      const { model, scripted, entries } = await open(hello);
      scripted.fault({ kind: "broken-stream", how, afterEvents: 4 });
      const turn = await model.ask(requestOf("hi"), NEVER);
      expect(turn.content).toEqual([{ type: "text", text: "Good morning" }]);
      expect(entries.map(({ attempt, wasted, stopReason }) => [attempt, wasted, stopReason])).toEqual([
        [1, true, "failed"],
        [2, false, "end_turn"],
      ]);
      expect(entries[0]?.costNanoUsd).toBeGreaterThan(0);
    },
  );

  it("RT-59: is asked again when a rate limit comes as an event", async () => {
    const { model, scripted } = await open(hello);
    scripted.fault({ kind: "broken-stream", how: "error", afterEvents: 0, errorType: "rate_limit_error" });
    expect((await model.ask(requestOf("hi"), NEVER)).stopReason).toBe("end_turn");
  });

  it("RT-25: is asked again when it goes silent", async () => {
    const { model, scripted, entries } = await open(hello, { idleMs: 60 });
    scripted.fault({ kind: "broken-stream", how: "stall", afterEvents: 3 });
    await model.ask(requestOf("hi"), NEVER);
    expect(entries.map(({ wasted }) => wasted)).toEqual([true, false]);
  });

  it("fails as retryable when it breaks every time, and names the model", async () => {
    const { model, scripted, entries } = await open(hello, { maxTurnRetries: 1 });
    for (const afterEvents of [2, 2]) scripted.fault({ kind: "broken-stream", how: "end", afterEvents });
    await expect(model.ask(requestOf("hi"), NEVER)).rejects.toMatchObject({
      code: "MODEL_FAILED",
      retryable: true,
      message: expect.stringContaining("claude-haiku-5-5"),
    });
    expect(entries).toHaveLength(2);
  });

  it("is not asked again when the error is permanent", async () => {
    const { model, scripted } = await open(hello);
    scripted.fault({
      kind: "broken-stream",
      how: "error",
      afterEvents: 2,
      errorType: "invalid_request_error",
    });
    await expect(model.ask(requestOf("hi"), NEVER)).rejects.toMatchObject({ retryable: false });
    expect(scripted.requests()).toHaveLength(1);
  });
});

describe("an HTTP error", () => {
  it("that may pass is repeated without a ledger entry", async () => {
    const { model, scripted, entries } = await open(hello);
    scripted.fault({ kind: "status", status: 529 });
    await model.ask(requestOf("hi"), NEVER);
    expect(scripted.requests().map(({ status }) => status)).toEqual([529, 200]);
    expect(entries.map(({ attempt }) => attempt)).toEqual([1]);
  });

  it("RT-61: with a long retry-after fails at once", async () => {
    const { model, scripted } = await open(hello);
    scripted.fault({ kind: "status", status: 429, retryAfterSeconds: 3600 });
    await expect(model.ask(requestOf("hi"), NEVER)).rejects.toMatchObject({
      code: "MODEL_FAILED",
      retryable: true,
      message: expect.stringMatching(/claude-haiku-5-5 answered 429 .* 3600 s/),
    });
    expect(scripted.requests()).toHaveLength(1);
  });

  it.each([
    [400, "MODEL_FAILED", /answered 400/],
    [401, "MODEL_FAILED", /ANTHROPIC_API_KEY/],
    [404, "MODEL_FAILED", /agent\.yml/],
    [413, "MODEL_OVERFLOW", /larger window/],
  ])("%i fails as %s and says what to do", async (status, code, message) => {
    const { model, scripted } = await open(hello);
    scripted.fault({ kind: "status", status });
    await expect(model.ask(requestOf("hi"), NEVER)).rejects.toMatchObject({
      code,
      retryable: false,
      message: expect.stringMatching(message),
    });
  });

  it("that says the prompt is too long is an overflow", async () => {
    const { model, scripted } = await open(hello);
    scripted.fault({ kind: "status", status: 400, message: "prompt is too long: 1000001 tokens > 1000000" });
    await expect(model.ask(requestOf("hi"), NEVER)).rejects.toMatchObject({ code: "MODEL_OVERFLOW" });
  });
});

describe("a model", () => {
  it("without a key says so at the first question", async () => {
    const { model } = modelAt("http://127.0.0.1:1", { apiKey: "" });
    await expect(model.ask(requestOf("hi"), NEVER)).rejects.toMatchObject({ code: "MODEL_KEY_MISSING" });
  });

  it("of another provider is a configuration error", () => {
    expect(() =>
      modelAt("http://127.0.0.1:1", { tiers: { planner: "gpt-9", executor: "x/y", validator: "x/y" } }),
    ).toThrow(/"gpt-9"/);
  });

  it("that cannot be reached fails as retryable", async () => {
    const server = createServer();
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
    const { port } = server.address() as AddressInfo;
    await new Promise((closed) => server.close(closed));
    const { model } = modelAt(`http://127.0.0.1:${port}`);
    await expect(model.ask(requestOf("hi"), NEVER)).rejects.toMatchObject({
      retryable: true,
      message: expect.stringContaining("cannot be reached"),
    });
  });

  it("rejects with the signal's reason, and what was generated until then is in the ledger", async () => {
    const { model, scripted, entries } = await open(hello);
    scripted.fault({ kind: "broken-stream", how: "stall", afterEvents: 4 });
    const stop = new AbortController();
    const asked = model.ask(requestOf("hi"), stop.signal);
    await expect.poll(() => scripted.requests().length).toBe(1);
    await new Promise((soon) => setTimeout(soon, 100));
    stop.abort(new Error("a person said stop"));
    await expect(asked).rejects.toThrow("a person said stop");
    expect(entries).toEqual([expect.objectContaining({ wasted: true, stopReason: "cancelled" })]);
    expect(entries[0]?.usage.output).toBeGreaterThan(1);
  });
});
