import { afterEach, describe, expect, it } from "vitest";
import { parseScenarios, startScriptedModel, type ScriptedModel } from "../../src/forge/model/index.js";
import { movedClock } from "../support/moved-clock.js";

const scenario = {
  name: "adds-csv",
  when: { systemContains: "executor", taskContains: ["CSV"], taskNotContains: "PDF", tools: "search" },
  turns: [
    {
      when: { notSeen: "exports live in src/export" },
      call: [{ tool: "search", input: { pattern: "export" } }],
    },
    {
      when: { notSeen: "exports live in src/export", seen: "src/" },
      call: [{ tool: "read_file", input: { path: "{{result:search:^(src/[^:]+)}}" } }],
    },
    {
      call: [
        {
          tool: "write_file",
          input: { path: "{{task.match:module (\\w+)}}.ts", lines: ["// {{task.match:CSV}}"] },
        },
      ],
    },
    { say: "Finished {{task.match:module (\\w+)}}." },
  ],
};

let scripted: ScriptedModel;
afterEach(() => scripted.close());

type Block = { type: string; id?: string; name?: string; input?: unknown; text?: string };

/** Plays a conversation until the script refuses to go on; gives a result text for each call. */
async function converse(task: string, results: Record<string, string>, system = "You are the executor") {
  scripted = await startScriptedModel({
    scenarios: parseScenarios(JSON.stringify([scenario])),
    clock: movedClock(),
  });
  const messages: { role: string; content: unknown }[] = [{ role: "user", content: task }];
  const played: unknown[] = [];
  for (;;) {
    const response = await fetch(`${scripted.url}/v1/messages`, {
      method: "POST",
      headers: { "x-api-key": "any", "anthropic-version": "2026-10-21" },
      body: JSON.stringify({
        model: "m",
        max_tokens: 9,
        system,
        messages,
        tools: ["search", "read_file", "write_file"].map((name) => ({
          name,
          input_schema: { type: "object" },
        })),
      }),
    });
    const body = (await response.json()) as { content: Block[]; error?: { message: string } };
    if (body.error) return { played, status: response.status, error: body.error.message };
    const calls = body.content.filter(({ type }) => type === "tool_use");
    played.push(...body.content.map(({ name, input, text }) => text ?? [name, input]));
    messages.push({ role: "assistant", content: body.content });
    messages.push({
      role: "user",
      content:
        calls.length > 0
          ? calls.map(({ id, name }) => ({
              type: "tool_result",
              tool_use_id: id,
              content: results[name ?? ""] ?? "ok",
            }))
          : "go on",
    });
  }
}

describe("a scenario", () => {
  it("explores when nothing is known, with values taken from task and results", async () => {
    const { played } = await converse("CSV for module user", { search: "src/out/csv.ts:3:export" });
    expect(played).toEqual([
      ["search", { pattern: "export" }],
      ["read_file", { path: "src/out/csv.ts" }],
      ["write_file", { path: "user.ts", lines: ["// CSV"] }],
      "Finished user.",
    ]);
  });

  it("skips the exploring when a note in the context says it already", async () => {
    const { played } = await converse("CSV for module user. Note: exports live in src/export", {});
    expect(played).toEqual([["write_file", { path: "user.ts", lines: ["// CSV"] }], "Finished user."]);
  });

  it("fails loudly when its steps are used up", async () => {
    const { status, error } = await converse("CSV for module user", {});
    expect(status).toBe(400);
    expect(error).toContain('scenario "adds-csv" has no step for turn 4');
    expect(error).toContain("step 1: taken already");
    expect(error).toContain('step 2: seen "src/" does not hold');
  });

  it("fails loudly when a value is not to be found", async () => {
    const { error } = await converse("CSV please", {});
    expect(error).toContain("{{task.match:module (\\w+)}} finds nothing in the request");
  });

  it.each([
    ["CSV and PDF", "You are the executor", 'taskNotContains "PDF"'],
    ["a report", "You are the executor", 'taskContains "CSV"'],
    ["CSV", "You are the planner", 'systemContains "executor"'],
  ])("that does not fit %s for %s fails loudly and is kept as unmatched", async (task, system, reason) => {
    const { status, error } = await converse(task, {}, system);
    expect(status).toBe(400);
    expect(error).toContain(`adds-csv: ${reason} does not hold`);
    expect(error).toContain(JSON.stringify(task));
    expect(scripted.requests()).toEqual([expect.objectContaining({ matched: null, status: 400, error })]);
  });
});

describe("a scenario file", () => {
  it.each([
    ["{", /not JSON/],
    ["[]", /Too small/],
    [JSON.stringify([{ ...scenario, wen: {} }]), /wen/],
    [JSON.stringify([{ ...scenario, when: { taskMatches: "(" } }]), /taskMatches/],
    [JSON.stringify([{ ...scenario, turns: [{ repeat: true }] }]), /at least one of say, call and stop/],
    [JSON.stringify([scenario, scenario]), /same name/],
  ])("that is wrong is refused: %s", async (json, message) => {
    scripted = await startScriptedModel({ scenarios: [], clock: movedClock() });
    expect(() => parseScenarios(json)).toThrow(message);
  });
});
