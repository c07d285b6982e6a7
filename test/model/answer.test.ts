import { describe, expect, it } from "vitest";
import { z } from "zod";
import { closingAfterEach, requestOf, type AskedOptions } from "../support/asked-model.js";
import { delta, DONE, finish, rawEndpoints } from "../support/model-endpoint.js";

const NEVER = new AbortController().signal;
const Verdict = z.object({ good: z.boolean(), reasons: z.array(z.string().min(3)).max(2) });
const GOOD = '{"good":true,"reasons":["short"]}';
const BAD = '{"good":"yes","reasons":[]}';
const open = closingAfterEach();
const openRaw = rawEndpoints();

const local = (structured: string): AskedOptions => ({
  config: {
    executor: "local/qwen3",
    providers: { local: { structured } } as never,
    prices: { "local/qwen3": { input: 1, output: 2, context: 100_000, max_output: 8000 } },
  },
});
const saying = (...texts: string[]) => [{ name: "judge", when: {}, turns: texts.map((say) => ({ say })) }];
const PROVIDERS: [string, AskedOptions][] = [
  ["Anthropic", {}],
  ["an endpoint with json_schema", local("json_schema")],
  ["an endpoint with json_object", local("json_object")],
  ["an endpoint that is only told", local("text")],
];

describe("a structured answer", () => {
  it.each(PROVIDERS)("fits its schema: %s", async (_who, options) => {
    const { model, entries, scripted } = await open(saying(GOOD), options);
    const answer = await model.answer(requestOf("Judge."), Verdict, NEVER);
    expect(answer).toMatchObject({
      output: { good: true, reasons: ["short"] },
      problem: null,
      stopReason: "end_turn",
    });
    expect(entries).toMatchObject([{ wasted: false, usage: answer.usage, costNanoUsd: answer.costNanoUsd }]);
    expect(scripted.requests()).toHaveLength(1);
    expect(answer.usage.output).toBe(scripted.requests()[0]?.billed?.output);
  });

  it.each(PROVIDERS)("that does not fit is shown its problems and given again: %s", async (_who, options) => {
    const { model, entries, scripted } = await open(saying(BAD, GOOD), options);
    const answer = await model.answer(requestOf("Judge."), Verdict, NEVER);
    expect(answer.output).toEqual({ good: true, reasons: ["short"] });
    expect(entries.map(({ wasted }) => wasted)).toEqual([true, false]);
    expect(answer.usage.output).toBe(entries.reduce((sum, { usage }) => sum + usage.output, 0));
    expect(answer.costNanoUsd).toBe(entries.reduce((sum, entry) => sum + (entry.costNanoUsd ?? 0), 0));
    const again = JSON.stringify(scripted.requests()[1]?.body);
    expect(again).toContain("expected boolean");
    expect(again).toContain(JSON.stringify(BAD).slice(1, -1));
  });

  it("that never fits has no output, a problem and its whole usage", async () => {
    const { model, entries } = await open(saying(BAD, "no JSON at all"));
    const answer = await model.answer(requestOf("Judge."), Verdict, NEVER);
    expect(answer).toMatchObject({ output: null, problem: expect.stringContaining("not valid JSON") });
    expect(entries.map(({ wasted, usage }) => [wasted, usage.output > 0])).toEqual([
      [true, true],
      [true, true],
    ]);
  });

  it("that was cut off says so, and a refused one is not asked for again", async () => {
    const cut = [{ name: "cut", when: {}, turns: [{ say: '{"good":', stop: "max_tokens", repeat: true }] }];
    const { model } = await open(cut);
    const answer = await model.answer(requestOf("Judge."), Verdict, NEVER);
    expect(answer).toMatchObject({
      output: null,
      problem: expect.stringContaining("cut off"),
      stopReason: "max_tokens",
    });
    const refusal = await open([{ name: "no", when: {}, turns: [{ stop: "refusal", repeat: true }] }]);
    const refused = await refusal.model.answer(requestOf("Judge."), Verdict, NEVER);
    expect(refused).toMatchObject({
      output: null,
      problem: "The model refused to answer.",
      stopReason: "refusal",
    });
    expect(refusal.scripted.requests()).toHaveLength(1);
  });

  it("asks Anthropic for its format, with a schema that the API takes", async () => {
    const { model, scripted } = await open(saying(GOOD));
    await model.answer(requestOf("Judge."), Verdict, NEVER);
    expect(scripted.requests()[0]?.body).toMatchObject({
      output_config: {
        format: { type: "json_schema", schema: { type: "object", additionalProperties: false } },
      },
    });
  });

  it("comes through a tool where that is the only way", async () => {
    const call = {
      name: "judge",
      when: { tools: "answer" },
      turns: [{ call: [{ tool: "answer", input: { good: false, reasons: [] } }] }],
    };
    const { model, scripted } = await open([call], local("tool"));
    const answer = await model.answer(requestOf("Judge."), Verdict, NEVER);
    expect(answer).toMatchObject({ output: { good: false, reasons: [] }, stopReason: "end_turn" });
    expect(scripted.requests()[0]?.body).toMatchObject({ tool_choice: { function: { name: "answer" } } });
  });

  it("may stand in a code fence", async () => {
    const { model } = await openRaw([
      [delta({ content: `\`\`\`json\n${GOOD}\n\`\`\`` }), finish("stop"), DONE],
    ]);
    expect((await model.answer(requestOf("Judge."), Verdict, NEVER)).output).toMatchObject({ good: true });
  });

  it("is asked for again after an overload, and not waited for for ever", async () => {
    const { model, scripted, entries } = await open(saying(GOOD), { wholeMs: 300, maxTurnRetries: 3 });
    scripted.fault({ kind: "status", status: 529 });
    scripted.fault({ kind: "delay", ms: 2000 });
    expect((await model.answer(requestOf("Judge."), Verdict, NEVER)).output).not.toBeNull();
    const booked = entries.map(({ wasted, costNanoUsd }) => [wasted, (costNanoUsd ?? 0) > 0]);
    expect([booked[0], booked[1], booked.at(-1)]).toEqual([
      [true, false],
      [true, true],
      [false, true],
    ]);
  });
});
