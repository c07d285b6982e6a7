import { describe, expect, it } from "vitest";
import type { Message } from "../../src/model/index.js";
import { closingAfterEach, requestOf, type AskedOptions } from "../support/asked-model.js";

const NEVER = new AbortController().signal;
const TOOL = { name: "read_file", description: "Reads.", inputSchema: { type: "object" } };
const hello = [{ name: "hello", when: {}, turns: [{ say: "Good morning", repeat: true }] }];
const open = closingAfterEach();

const local = (quirks: object = {}): AskedOptions => ({
  config: {
    executor: "local/qwen3",
    providers: { local: quirks },
    prices: { "local/qwen3": { input: 1, output: 2, cache_read: 0.1, context: 100_000, max_output: 8000 } },
  },
});

const conversation: Message[] = [
  { role: "user", content: [{ type: "text", text: "task" }] },
  {
    role: "assistant",
    model: "qwen3",
    content: [
      { type: "thinking", thinking: "Where is it?", signature: "" },
      { type: "tool_use", id: "t1", name: "read_file", input: { path: "ä" } },
      { type: "tool_use", id: "t2", name: "read_file", input: {} },
    ],
  },
  {
    role: "user",
    content: [
      { type: "tool_result", tool_use_id: "t1", content: "half an emoji: \ud83d" },
      { type: "tool_result", tool_use_id: "t2", content: "no such file", is_error: true },
      { type: "text", text: "Your time is nearly up." },
    ],
  },
];

async function sent(quirks: object, messages = conversation) {
  const { model, scripted } = await open(hello, local(quirks));
  await model.ask(requestOf("", { messages, tools: [TOOL], maxOutputTokens: 2000 }), NEVER);
  return scripted.requests()[0]?.body as Record<string, unknown> & { messages: Record<string, unknown>[] };
}

describe("a chat completion's request", () => {
  it("has results right after their calls, objects as parameters, and no thinking", async () => {
    expect(await sent({})).toEqual({
      model: "qwen3",
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 2000,
      messages: [
        { role: "system", content: "You are a test." },
        { role: "user", content: "task" },
        {
          role: "assistant",
          content: "",
          tool_calls: [
            { id: "t1", type: "function", function: { name: "read_file", arguments: '{"path":"ä"}' } },
            { id: "t2", type: "function", function: { name: "read_file", arguments: "{}" } },
          ],
        },
        { role: "tool", tool_call_id: "t1", content: "half an emoji: \ufffd" },
        { role: "tool", tool_call_id: "t2", content: "Error: no such file" },
        { role: "user", content: "Your time is nearly up." },
      ],
      tools: [
        {
          type: "function",
          function: {
            name: "read_file",
            description: "Reads.",
            parameters: { type: "object", properties: {} },
          },
        },
      ],
    });
  });

  it("follows the endpoint's quirks", async () => {
    const body = await sent({
      max_tokens_field: "max_completion_tokens",
      content_nullable: true,
      usage_in_stream: false,
      parallel_tool_calls: false,
      system_role: "developer",
      reasoning_field: "reasoning_content",
    });
    expect(body).toMatchObject({ max_completion_tokens: 2000, parallel_tool_calls: false });
    expect(body).not.toHaveProperty("max_tokens");
    expect(body).not.toHaveProperty("stream_options");
    expect(body.messages[0]).toMatchObject({ role: "developer" });
    expect(body.messages[2]).toMatchObject({ content: null, reasoning_content: "Where is it?" });
  });

  it("sends thinking to nobody but its author, and no message that held nothing else", async () => {
    const foreign = conversation.map((message) =>
      message.role === "assistant" ? { ...message, model: "claude-opus-5-5" } : message,
    );
    const quirks = { reasoning_field: "reasoning_content" };
    expect((await sent(quirks, foreign)).messages[2]).not.toHaveProperty("reasoning_content");
    const onlyThought: Message = {
      role: "assistant",
      content: [{ type: "thinking", thinking: "Hm.", signature: "s" }],
    };
    const told: Message = { role: "user", content: [{ type: "text", text: "go on" }] };
    const body = await sent({ system_role: "user" }, [...conversation.slice(0, 1), onlyThought, told]);
    expect(body.messages).toEqual([{ role: "user", content: "You are a test.\n\ntask\n\ngo on" }]);
  });
});

describe("an answer of an OpenAI-compatible endpoint", () => {
  it("comes with thinking, text, calls and exact usage, cached tokens apart", async () => {
    const call = [{ tool: "read_file", input: { path: "a.ts" } }];
    const { model, scripted, entries } = await open(
      [{ name: "reads", when: {}, turns: [{ think: "Hm.", say: "Reading", call }, { say: "Done." }] }],
      local({ reasoning_field: "reasoning_content" }),
    );
    const first = await model.ask(requestOf("Read a.ts", { tools: [TOOL] }), NEVER);
    expect(first).toMatchObject({
      content: [{ thinking: "Hm.", signature: "" }, { text: "Reading" }, { name: "read_file" }],
      stopReason: "tool_use",
      calls: [{ input: { path: "a.ts" }, problem: null }],
    });
    const messages: Message[] = [
      ...requestOf("Read a.ts").messages,
      { role: "assistant", content: first.content, model: first.model },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: first.calls[0]?.id ?? "", content: "x" }],
      },
    ];
    const second = await model.ask(requestOf("", { messages, tools: [TOOL] }), NEVER);
    expect(second.content).toEqual([{ type: "text", text: "Done." }]);
    expect(second.usage.cacheRead).toBeGreaterThan(0);
    const told = scripted.requests().map(({ billed }) => ({
      input: (billed?.input ?? 0) + (billed?.cacheWrite ?? 0),
      cacheRead: billed?.cacheRead,
      cacheWrite: 0,
      output: billed?.output,
    }));
    expect(entries.map(({ usage }) => usage)).toEqual(told);
  });

  it("RT-25: is asked for again when it goes silent", async () => {
    const { model, scripted, entries } = await open(hello, { ...local(), idleMs: 300 });
    scripted.fault({ kind: "broken-stream", how: "stall", afterEvents: 3 });
    expect((await model.ask(requestOf("hi"), NEVER)).stopReason).toBe("end_turn");
    expect([entries[0]?.wasted, entries.at(-1)?.wasted]).toEqual([true, false]);
  });

  it("rejects with the signal's reason when it is not waited for any more", async () => {
    const { model, scripted, entries } = await open(hello, local());
    scripted.fault({ kind: "broken-stream", how: "stall", afterEvents: 3 });
    const stop = new AbortController();
    const asked = model.ask(requestOf("hi"), stop.signal);
    await expect.poll(() => scripted.requests()[0]?.billed ?? null).not.toBeNull();
    stop.abort(new Error("a person said stop"));
    await expect(asked).rejects.toThrow("a person said stop");
    expect(entries).toMatchObject([{ wasted: true, stopReason: "cancelled" }]);
  });
});
