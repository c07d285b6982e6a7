import { describe, expect, it } from "vitest";
import { closingAfterEach, requestOf } from "../support/asked-model.js";

const NEVER = new AbortController().signal;
const hello = [{ name: "hello", when: {}, turns: [{ say: "Good morning", repeat: true }] }];
const open = closingAfterEach();

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
    const { model, scripted, entries } = await open(hello, { idleMs: 300 });
    scripted.fault({ kind: "broken-stream", how: "stall", afterEvents: 3 });
    await model.ask(requestOf("hi"), NEVER);
    expect([entries[0]?.wasted, entries.at(-1)?.wasted]).toEqual([true, false]);
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
  it("that may pass is repeated; the refused try is an entry that costs nothing", async () => {
    const { model, scripted, entries } = await open(hello);
    scripted.fault({ kind: "status", status: 529 });
    await model.ask(requestOf("hi"), NEVER);
    expect(scripted.requests().map(({ status }) => status)).toEqual([529, 200]);
    const nothing = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };
    expect(entries).toMatchObject([
      { attempt: 1, wasted: true, usage: nothing, costNanoUsd: 0, stopReason: "failed" },
      { attempt: 2, wasted: false, usage: scripted.requests()[1]?.billed },
    ]);
  });

  it("that does not pass is repeated six times in all", async () => {
    const { model, scripted } = await open(hello);
    for (let at = 0; at < 7; at++) scripted.fault({ kind: "status", status: 503 });
    await expect(model.ask(requestOf("hi"), NEVER)).rejects.toMatchObject({
      code: "MODEL_FAILED",
      retryable: true,
    });
    expect(scripted.requests()).toHaveLength(6);
  });

  it("with a retry-after holds back everybody who asks with that key", async () => {
    const { model, scripted } = await open(hello);
    scripted.fault({ kind: "status", status: 429, retryAfterSeconds: 0.2 });
    const first = model.ask(requestOf("first"), NEVER);
    await expect.poll(() => scripted.requests()[0]?.status).toBe(429);
    const second = model.ask(requestOf("second"), NEVER);
    await new Promise((soon) => setTimeout(soon, 50));
    expect(scripted.requests()).toHaveLength(1);
    expect((await Promise.all([first, second])).map(({ stopReason }) => stopReason)).toEqual([
      "end_turn",
      "end_turn",
    ]);
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
