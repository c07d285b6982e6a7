import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { closingAfterEach, modelAt, requestOf } from "../support/asked-model.js";

const NEVER = new AbortController().signal;
const hello = [{ name: "hello", when: {}, turns: [{ say: "Good morning", repeat: true }] }];
const open = closingAfterEach();
const TOOL = { name: "read_file", description: "Reads.", inputSchema: { type: "object" } };

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

  it("holds no half of an emoji in arguments, which no API takes back", async () => {
    const raw = String.raw`{"path":"\ud83d","more":["a\udc00","\ud83d\ude00"]}`;
    const { model } = await open([
      { name: "half", when: {}, turns: [{ call: [{ tool: "read_file", raw }] }] },
    ]);
    const turn = await model.ask(requestOf("hi", { tools: [TOOL] }), NEVER);
    expect(turn.calls[0]?.input).toEqual({ path: "\ufffd", more: ["a\ufffd", "😀"] });
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

describe("the recorder", () => {
  it("is told of an attempt before it is sent, when its input is known, and once at its end", async () => {
    const { model, told, scripted } = await open(hello);
    scripted.fault({ kind: "broken-stream", how: "end", afterEvents: 4 });
    await model.ask(requestOf("hi"), NEVER);
    const [first, second] = scripted.requests();
    expect(told.map(([what]) => what)).toEqual([
      "begin",
      "progress",
      "record",
      "begin",
      "progress",
      "record",
    ]);
    expect(new Set(told.slice(0, 3).map(([, id]) => id)).size).toBe(1);
    expect(new Set(told.map(([, id]) => id)).size).toBe(2);
    expect(told[0]?.[2]).toMatchObject({ input: expect.any(Number), output: 500 });
    expect(told[0]?.[2].input).toBeGreaterThan(0);
    expect([told[2]?.[2], told[5]?.[2]]).toEqual([first?.billed, second?.billed]);
  });

  it("that fails keeps the request from being sent", async () => {
    const { model, scripted, told } = await open(hello);
    told.push = () => {
      throw new Error("the disk is full");
    };
    await expect(model.ask(requestOf("hi"), NEVER)).rejects.toThrow("the disk is full");
    expect(scripted.requests()).toEqual([]);
  });
});

describe("a model", () => {
  it("without a key says so at the first question", async () => {
    const { model } = modelAt("http://127.0.0.1:1", { key: "" });
    await expect(model.ask(requestOf("hi"), NEVER)).rejects.toMatchObject({ code: "MODEL_KEY_MISSING" });
  });

  it("of a provider without an address is a configuration error", () => {
    expect(() => modelAt("http://127.0.0.1:1", { config: { planner: "my-lab/qwen3" } })).toThrow(
      /"my-lab".*ACCRUE_MY_LAB_URL.*model\.providers\.my-lab\.url/,
    );
  });

  it.each(["anthropic/claude-next", "local/qwen3:32b"])(
    "without a price is not asked: %s",
    async (executor) => {
      const { model, scripted, told } = await open(hello, { config: { executor } });
      await expect(model.ask(requestOf("hi"), NEVER)).rejects.toMatchObject({
        code: "CONFIG_INVALID",
        message: expect.stringMatching(
          new RegExp(`"${executor}".*model\\.prices: \\{"${executor}".*0 for a local`),
        ),
      });
      expect([scripted.requests(), told]).toEqual([[], []]);
      expect(() => model.check()).toThrow(`"${executor}"`);
    },
  );

  it("whose id is mistyped is named with the one that was probably meant", async () => {
    const { model } = await open(hello, { config: { executor: "anthropic/claude-haiku-5.5" } });
    await expect(model.ask(requestOf("hi"), NEVER)).rejects.toThrow(
      'Did you mean "anthropic/claude-haiku-5-5"?',
    );
  });

  it("that cannot be reached fails as retryable", async () => {
    const server = createServer();
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
    const { port } = server.address() as AddressInfo;
    await new Promise((closed) => server.close(closed));
    const { model, entries } = modelAt(`http://127.0.0.1:${port}`);
    await expect(model.ask(requestOf("hi"), NEVER)).rejects.toMatchObject({
      retryable: true,
      message: expect.stringMatching(/cannot be reached: .*ECONNREFUSED/),
    });
    expect(entries).toMatchObject([1, 2, 3].map((attempt) => ({ attempt, costNanoUsd: 0, wasted: true })));
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
    expect(entries[0]?.isEstimate).toBeUndefined();
  });

  it("books a guess, marked as one, for a request that was stopped before the provider said anything", async () => {
    const { model, scripted, entries } = await open(hello);
    scripted.fault({ kind: "broken-stream", how: "stall", afterEvents: 0 });
    const stop = new AbortController();
    const asked = model.ask(requestOf("hi"), stop.signal);
    await expect.poll(() => scripted.requests().length).toBe(1);
    stop.abort(new Error("a person said stop"));
    await expect(asked).rejects.toThrow("a person said stop");
    expect(entries).toMatchObject([{ stopReason: "cancelled", isEstimate: true, usage: { output: 0 } }]);
  });
});
