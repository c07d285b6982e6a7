import Anthropic, { RateLimitError } from "@anthropic-ai/sdk";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseScenarios, startScriptedModel, type ScriptedModel } from "../../src/forge/model/index.js";
import { movedClock } from "../support/moved-clock.js";

const MARK = { type: "ephemeral" } as const;
const TOOL = { name: "read_file", input_schema: { type: "object" } } as const;
const scenarios = [
  {
    name: "reads",
    when: { taskContains: "read" },
    turns: [
      { think: "Where?", say: "Reading.", call: [{ tool: "read_file", input: { path: "a" } }] },
      { say: "Done." },
    ],
  },
  { name: "talks", when: {}, turns: [{ say: "Hello", repeat: true }] },
];

let clock: ReturnType<typeof movedClock>;
let scripted: ScriptedModel;
let client: Anthropic;
beforeEach(async () => {
  clock = movedClock();
  scripted = await startScriptedModel({
    scenarios: parseScenarios(JSON.stringify(scenarios)),
    clock,
    apiKey: "key",
  });
  client = new Anthropic({ apiKey: "key", baseURL: scripted.url, maxRetries: 0, logLevel: "off" });
});
afterEach(() => scripted.close());

const ask = (params: Record<string, unknown> = {}) =>
  client.messages.create({
    model: "claude-haiku-5-5",
    max_tokens: 100,
    messages: [{ role: "user", content: "please read it" }],
    tools: [TOOL],
    ...params,
  } as Anthropic.MessageCreateParamsNonStreaming);

const post = (headers: Record<string, string>, body = "{}") =>
  fetch(`${scripted.url}/v1/messages`, { method: "POST", headers, body });

describe("an answer", () => {
  it("is the same streamed and whole", async () => {
    const whole = await ask();
    const streamed = await client.messages
      .stream({
        model: "claude-haiku-5-5",
        max_tokens: 100,
        messages: [{ role: "user", content: "please read it" }],
        tools: [TOOL],
      })
      .finalMessage();
    expect(streamed.content).toEqual(
      whole.content.map((block) => (block.type === "text" ? { ...block, citations: null } : block)),
    );
    expect(whole.content.map(({ type }) => type)).toEqual(["thinking", "text", "tool_use"]);
    expect(streamed.stop_reason).toBe("tool_use");
    expect(streamed.usage.output_tokens).toBe(whole.usage.output_tokens);
    expect(whole._request_id).toMatch(/^req_/);
  });

  it("follows the conversation by what the request holds", async () => {
    const first = await ask();
    const call = first.content.find((block) => block.type === "tool_use");
    const second = await ask({
      messages: [
        { role: "user", content: "please read it" },
        { role: "assistant", content: first.content },
        { role: "user", content: [{ type: "tool_result", tool_use_id: call?.id, content: "AAA" }] },
      ],
    });
    expect(second.content).toEqual([{ type: "text", text: "Done." }]);
    expect(scripted.requests().map(({ matched }) => matched)).toEqual(["reads#1", "reads#2"]);
  });
});

describe("usage", () => {
  const system = (text: string) => [{ type: "text", text, cache_control: MARK }];

  it("reads what an earlier request has written, for five minutes from the last use", async () => {
    const params = { system: system("A long rule. ".repeat(50)) };
    const usages = [];
    for (const waitMs of [0, 200_000, 200_000, 300_001]) {
      clock.advance(waitMs);
      usages.push((await ask(params)).usage);
    }
    const written = usages[0]?.cache_creation_input_tokens;
    expect(written).toBeGreaterThan(100);
    expect(usages.map((u) => [u.cache_creation_input_tokens, u.cache_read_input_tokens])).toEqual([
      [written, 0],
      [0, written],
      [0, written],
      [written, 0],
    ]);
  });

  it("looks back 20 blocks from a mark and no further", async () => {
    const blocks = (count: number) =>
      Array.from({ length: count }, (_, at) => ({
        type: "text",
        text: `block ${at}`,
        ...(at === count - 1 && { cache_control: MARK }),
      }));
    const usage = async (count: number) =>
      (await ask({ tools: [], messages: [{ role: "user", content: blocks(count) }] })).usage;
    const first = await usage(5);
    expect((await usage(25)).cache_read_input_tokens).toBe(first.cache_creation_input_tokens);
    expect((await usage(46)).cache_read_input_tokens).toBe(0);
  });

  it("RT-68: is uncached below the smallest prefix of a model, without an error", async () => {
    const usages = [];
    for (const words of [100, 100, 2000, 2000]) {
      const params = { model: "claude-sonnet-5", system: system("A rule. ".repeat(words)) };
      usages.push((await ask(params)).usage);
    }
    const isCached = usages.map((u) => [
      (u.cache_creation_input_tokens ?? 0) > 0,
      (u.cache_read_input_tokens ?? 0) > 0,
    ]);
    expect(isCached).toEqual([
      [false, false],
      [false, false],
      [true, false],
      [false, true],
    ]);
  });

  it("of a broken stream is what was written until then", async () => {
    scripted.fault({ kind: "broken-stream", how: "end", afterEvents: 4 });
    await expect(
      client.messages
        .stream({ model: "m", max_tokens: 9, messages: [{ role: "user", content: "hi" }] })
        .finalMessage(),
    ).rejects.toThrow();
    const whole = await ask({ messages: [{ role: "user", content: "hi" }] });
    const [broken, complete] = scripted.requests();
    expect(broken?.billed).toMatchObject({ output: 2 });
    expect(complete?.billed).toEqual({
      input: whole.usage.input_tokens,
      cacheRead: 0,
      cacheWrite: 0,
      output: whole.usage.output_tokens,
    });
  });

  it("does not share the cache between models", async () => {
    const params = { system: system("A rule.") };
    await ask(params);
    expect((await ask({ ...params, model: "claude-opus-5-5" })).usage.cache_read_input_tokens).toBe(0);
  });

  it("counts the same tokens when asked to count", async () => {
    const params = { system: system("A rule."), messages: [{ role: "user", content: "hi" }] };
    const { usage } = await ask(params);
    const counted = await client.messages.countTokens({
      model: "claude-haiku-5-5",
      tools: [TOOL],
      ...(params as Pick<Anthropic.MessageCountTokensParams, "messages" | "system">),
    });
    expect(counted.input_tokens).toBe(usage.input_tokens + (usage.cache_creation_input_tokens ?? 0));
  });
});

describe("the API's refusals", () => {
  const user = (content: unknown) => ({ role: "user", content });
  const call = { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "read_file", input: {} }] };
  const result = (id: string) => ({ type: "tool_result", tool_use_id: id, content: "x" });
  const marks = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ type: "text", text: `${at}`, cache_control: MARK }));

  it.each<[string, Record<string, unknown>, RegExp]>([
    ["a first message that is not the user's", { messages: [call] }, /first message must use/],
    ["no messages", { messages: [] }, /messages/],
    ["no max_tokens", { max_tokens: undefined }, /max_tokens: Field required/],
    ["max_tokens of 0", { max_tokens: 0 }, /max_tokens/],
    ["temperature", { temperature: 0 }, /temperature/],
    ["top_p", { top_p: 1 }, /top_p/],
    ["top_k", { top_k: 1 }, /top_k/],
    ["a forced tool", { tool_choice: { type: "tool", name: "read_file" } }, /tool_choice/],
    ["a blank text", { messages: [user([{ type: "text", text: " \n" }])] }, /non-whitespace/],
    ["an empty message", { messages: [user([])] }, /non-empty/],
    ["five cache marks", { messages: [user(marks(5))] }, /maximum of 4 blocks .* Found 5/],
    ["a tool name with a space", { tools: [{ ...TOOL, name: "read file" }] }, /should match/],
    ["two tools of one name", { tools: [TOOL, TOOL] }, /unique/],
    [
      "a tool schema that is no object",
      { tools: [{ name: "a", input_schema: { type: "string" } }] },
      /object/,
    ],
    [
      "a call without a result",
      { messages: [user("a"), call, user("b")] },
      /without `tool_result` blocks.*t1/,
    ],
    ["a call at the end", { messages: [user("a"), call] }, /without `tool_result` blocks.*t1/],
    ["a result without a call", { messages: [user([result("t9")])] }, /unexpected `tool_use_id`.*t9/],
    [
      "two results for one call",
      { messages: [user("a"), call, user([result("t1"), result("t1")])] },
      /unexpected/,
    ],
    [
      "a text before the results",
      { messages: [user("a"), call, user([{ type: "text", text: "b" }, result("t1")])] },
      /must come first/,
    ],
    [
      "a call id that was used before",
      { messages: [user("a"), call, user([result("t1")]), call, user([result("t1")])] },
      /must be unique/,
    ],
    [
      "thinking without its signature",
      { messages: [user("a"), { role: "assistant", content: [{ type: "thinking", thinking: "b" }] }] },
      /signature/,
    ],
  ])("name %s", async (_what, params, message) => {
    await expect(ask(params)).rejects.toMatchObject({ status: 400, message: expect.stringMatching(message) });
  });

  it("name a body that is not JSON, a missing version and an unknown path", async () => {
    const headers = { "x-api-key": "key", "anthropic-version": "2026-10-21" };
    expect((await post(headers, "{")).status).toBe(400);
    expect((await post({ "x-api-key": "key" })).status).toBe(400);
    expect((await fetch(`${scripted.url}/v1/complete`, { headers })).status).toBe(404);
  });

  it("turn a wrong or missing key away, as Bearer and as x-api-key", async () => {
    expect((await post({ authorization: "Bearer other" })).status).toBe(401);
    expect((await post({ "x-api-key": "other" })).status).toBe(401);
    expect((await post({})).status).toBe(401);
    expect((await client.models.list()).data.map(({ id }) => id)).toContain("claude-haiku-5-5");
    expect((await client.models.retrieve("claude-opus-5-5")).id).toBe("claude-opus-5-5");
    await expect(client.models.retrieve("claude-9")).rejects.toMatchObject({ status: 404 });
  });
});

describe("a fault", () => {
  it("hits the next message request only", async () => {
    scripted.fault({ kind: "status", status: 429, retryAfterSeconds: 7 });
    const failed = await ask().catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(RateLimitError);
    expect((failed as RateLimitError).headers.get("retry-after")).toBe("7");
    expect((await ask()).stop_reason).toBe("tool_use");
  });

  it("of 529 is the overloaded error of the SDK", async () => {
    scripted.fault({ kind: "status", status: 529 });
    await expect(ask()).rejects.toMatchObject({ type: "overloaded_error" });
  });

  it("in the stream comes after the events before it", async () => {
    scripted.fault({ kind: "broken-stream", how: "error", afterEvents: 3 });
    const seen: string[] = [];
    const stream = await client.messages.create({
      model: "claude-haiku-5-5",
      max_tokens: 100,
      messages: [{ role: "user", content: "hi" }],
      stream: true,
    });
    await expect(
      (async () => {
        for await (const event of stream) seen.push(event.type);
      })(),
    ).rejects.toMatchObject({ type: "overloaded_error" });
    expect(seen).toEqual(["message_start", "content_block_start"]);
  });

  it("can only delay the answer", async () => {
    scripted.fault({ kind: "delay", ms: 20 });
    expect((await ask()).stop_reason).toBe("tool_use");
  });
});
