import { describe, expect, it } from "vitest";
import type { Message } from "../../src/model/index.js";
import { closingAfterEach, requestOf, type AskedOptions } from "../support/asked-model.js";

const NEVER = new AbortController().signal;
const open = closingAfterEach();
const answers = [
  { name: "first", when: { model: "claude-haiku-5-5" }, turns: [{ say: "from haiku", repeat: true }] },
  { name: "second", when: { model: "qwen3" }, turns: [{ say: "from qwen", repeat: true }] },
];
const refusing = [
  { name: "refuses", when: { model: "claude-haiku-5-5" }, turns: [{ stop: "refusal", repeat: true }] },
  ...answers.slice(1),
];
const price = (context: number) => ({ input: 1, output: 2, context, max_output: 8000 });
const chain = (context = 100_000): AskedOptions => ({
  config: {
    executor: ["anthropic/claude-haiku-5-5", "local/qwen3"],
    prices: { "local/qwen3": price(context) },
  },
  maxTries: 2,
  maxTurnRetries: 0,
});

describe("a chain of models", () => {
  it.each([529, 503, 429, 500])(
    "goes on with the next model when the first answers %i again and again",
    async (status) => {
      const { model, scripted, entries } = await open(answers, chain());
      for (const _ of [1, 2]) scripted.fault({ kind: "status", status });
      const turn = await model.ask(requestOf("hi"), NEVER);
      expect(turn).toMatchObject({ model: "qwen3", content: [{ text: "from qwen" }] });
      expect(
        entries.map(({ provider, model, attempt, wasted }) => [provider, model, attempt, wasted]),
      ).toEqual([
        ["anthropic", "claude-haiku-5-5", 1, true],
        ["anthropic", "claude-haiku-5-5", 2, true],
        ["local", "qwen3", 3, false],
      ]);
      expect(entries[2]?.costNanoUsd).toBe(turn.costNanoUsd);
    },
  );

  it("RT-61: goes on at once when the first asks for an hour of patience", async () => {
    const { model, scripted } = await open(answers, chain());
    scripted.fault({ kind: "status", status: 429, retryAfterSeconds: 3600 });
    expect((await model.ask(requestOf("hi"), NEVER)).model).toBe("qwen3");
    expect(scripted.requests()).toHaveLength(2);
  });

  it("goes on when the first refuses, whose answer is paid and wasted", async () => {
    const { model, entries } = await open(refusing, chain());
    expect(await model.ask(requestOf("hi"), NEVER)).toMatchObject({ model: "qwen3", stopReason: "end_turn" });
    expect(entries).toMatchObject([
      { stopReason: "refusal", wasted: true },
      { stopReason: "end_turn", wasted: false },
    ]);
    expect(entries[0]?.costNanoUsd).toBeGreaterThan(0);
  });

  it("gives the refusal of the last model to who asked", async () => {
    const { model, entries } = await open(refusing, { maxTries: 1 });
    expect(await model.ask(requestOf("hi"), NEVER)).toMatchObject({
      model: "claude-haiku-5-5",
      stopReason: "refusal",
    });
    expect(entries).toHaveLength(1);
  });

  it.each([400, 401, 404])("ends at a fault of ours: %i", async (status) => {
    const { model, scripted } = await open(answers, chain());
    scripted.fault({ kind: "status", status });
    await expect(model.ask(requestOf("hi"), NEVER)).rejects.toThrow(`claude-haiku-5-5 answered ${status}`);
    expect(scripted.requests()).toHaveLength(1);
  });

  it("fails with what the last model said", async () => {
    const { model, scripted } = await open(answers, chain());
    for (const status of [529, 529, 503, 503]) scripted.fault({ kind: "status", status });
    await expect(model.ask(requestOf("hi"), NEVER)).rejects.toMatchObject({
      code: "MODEL_FAILED",
      retryable: true,
      message: expect.stringContaining("local/qwen3 answered 503"),
    });
  });

  it("leaves out a fallback whose window is too small", async () => {
    const { model, scripted } = await open(answers, chain(1100));
    for (const _ of [1, 2]) scripted.fault({ kind: "status", status: 529 });
    const long = requestOf("x".repeat(2000), { maxOutputTokens: 4000 });
    await expect(model.ask(long, NEVER)).rejects.toThrow("claude-haiku-5-5 answered 529");
    expect(scripted.requests()).toHaveLength(2);
  });

  it("takes a conversation on that another model began, and gives it back", async () => {
    const { model, scripted } = await open(answers, chain());
    const messages: Message[] = [
      ...requestOf("hi").messages,
      {
        role: "assistant",
        model: "claude-haiku-5-5",
        content: [
          { type: "thinking", thinking: "by haiku", signature: "s" },
          { type: "tool_use", id: "toolu_1", name: "look", input: {} },
        ],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "x" }] },
    ];
    for (const _ of [1, 2]) scripted.fault({ kind: "status", status: 529 });
    const turn = await model.ask(requestOf("", { messages }), NEVER);
    messages.push(
      {
        role: "assistant",
        content: [{ type: "thinking", thinking: "by qwen", signature: "" }, ...turn.content],
        model: turn.model,
      },
      { role: "user", content: [{ type: "text", text: "go on" }] },
    );
    expect((await model.ask(requestOf("", { messages }), NEVER)).model).toBe("claude-haiku-5-5");
    const [, , toQwen, toHaiku] = scripted.requests().map(({ body }) => JSON.stringify(body));
    expect(toQwen).not.toContain("by haiku");
    expect(toHaiku).toContain("by haiku");
    expect(toHaiku).not.toContain("by qwen");
  });
});
