import { describe, expect, it } from "vitest";
import type { Message } from "../../src/model/index.js";
import { closingAfterEach, requestOf } from "../support/asked-model.js";

const NEVER = new AbortController().signal;
const hello = [{ name: "hello", when: {}, turns: [{ say: "Good morning", repeat: true }] }];
const open = closingAfterEach();
const TOOL = { name: "read_file", description: "Reads.", inputSchema: { type: "object" } };

type Wire = {
  system: { cache_control?: unknown }[];
  tools: { cache_control?: unknown }[];
  messages: { content: { text?: string; cache_control?: unknown }[] }[];
};

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

  const small = (context: number) => ({
    config: { prices: { "anthropic/claude-haiku-5-5": { input: 1, output: 1, context } } },
  });

  it("RT-28: that all but fills the window is an overflow, and is not sent", async () => {
    const { model, scripted, told } = await open(hello, small(4000));
    const long = requestOf("x".repeat(11_000), { maxOutputTokens: 8000 });
    await expect(model.ask(long, NEVER)).rejects.toMatchObject({
      code: "MODEL_OVERFLOW",
      message: expect.stringMatching(/about 30\d\d tokens.* 4000 of anthropic\/claude-haiku-5-5/),
    });
    expect([scripted.requests(), told]).toEqual([[], []]);
  });

  it("RT-28: asks for no more output than the window has room for", async () => {
    const { model, scripted } = await open(hello, small(6000));
    await model.ask(requestOf("x".repeat(11_000), { maxOutputTokens: 8000 }), NEVER);
    const [asked] = scripted.requests().map(({ body }) => (body as { max_tokens: number }).max_tokens);
    expect(asked).toBeGreaterThan(1024);
    expect(asked).toBeLessThan(3000);
  });

  it("holds thinking of the model that is asked only, and none without a signature", async () => {
    const { model, scripted } = await open(hello);
    const thought = (thinking: string, model: string, signature = "s") => ({
      role: "assistant" as const,
      model,
      content: [{ type: "thinking" as const, thinking, signature }],
    });
    const messages: Message[] = [
      ...conversation.slice(0, 1),
      thought("foreign", "qwen3"),
      thought("unsigned", "claude-haiku-5-5", ""),
      thought("own", "claude-haiku-5-5"),
      { role: "user", content: [{ type: "text", text: "go on" }] },
    ];
    await model.ask(requestOf("", { messages }), NEVER);
    const sent = JSON.stringify(scripted.requests()[0]?.body);
    expect(sent).toContain('"own"');
    expect(sent).not.toMatch(/foreign|unsigned/);
  });

  it("RT-68: with a prefix below the model's minimum costs what its usage says", async () => {
    const sonnet = { config: { executor: "anthropic/claude-sonnet-5" } };
    const { model, entries } = await open(hello, sonnet);
    for (const words of [10, 10, 2000, 2000]) {
      await model.ask(requestOf("hi", { system: "A rule. ".repeat(words) }), NEVER);
    }
    expect(entries.map(({ usage }) => [usage.cacheWrite > 0, usage.cacheRead > 0])).toEqual([
      [false, false],
      [false, false],
      [true, false],
      [false, true],
    ]);
    const { input, output } = entries[0]?.usage ?? { input: 0, output: 0 };
    expect(entries[0]?.costNanoUsd).toBe(input * 2000 + output * 10_000);
  });
});
