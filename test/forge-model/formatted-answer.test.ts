import Anthropic from "@anthropic-ai/sdk";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseScenarios, startScriptedModel, type ScriptedModel } from "../../src/forge/model/index.js";
import { movedClock } from "../support/moved-clock.js";

const scenarios = [
  {
    name: "reads",
    when: { taskContains: "read" },
    turns: [{ call: [{ tool: "read_file", input: { path: "a" } }] }],
  },
  { name: "talks", when: {}, turns: [{ say: "Hello" }] },
];

let scripted: ScriptedModel;
beforeEach(async () => {
  const parsed = parseScenarios(JSON.stringify(scenarios));
  scripted = await startScriptedModel({ scenarios: parsed, clock: movedClock() });
});
afterEach(() => scripted.close());

const ask = (params: Record<string, unknown>) =>
  new Anthropic({ apiKey: "key", baseURL: scripted.url, maxRetries: 0, logLevel: "off" }).messages.create({
    model: "claude-haiku-5-5",
    max_tokens: 100,
    messages: [{ role: "user", content: "please read it" }],
    ...params,
  } as Anthropic.MessageCreateParamsNonStreaming);

describe("a formatted answer", () => {
  const format = (schema: object) => ({ output_config: { format: { type: "json_schema", schema } } });
  const strict = { type: "object", properties: {}, additionalProperties: false };

  it("is what the scenario says", async () => {
    const params = { ...format(strict), messages: [{ role: "user", content: "hi" }] };
    expect((await ask(params)).content).toEqual([{ type: "text", text: "Hello" }]);
  });

  it.each([
    ["a call", strict, /reads#1 calls a tool/],
    ["an open object", { type: "object", properties: { a: { type: "object" } } }, /additionalProperties/],
    [
      "an open object within",
      { ...strict, properties: { a: { type: "object" } } },
      /properties.a: .*additionalProperties/,
    ],
    [
      "a limit",
      { ...strict, properties: { a: { type: "number", minimum: 1 } } },
      /'minimum' is not supported/,
    ],
  ])("is refused for %s", async (_what, schema, message) => {
    await expect(ask(format(schema))).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(message),
    });
  });
});
