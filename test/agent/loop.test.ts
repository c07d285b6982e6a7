import { writeFile } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { defineTool } from "../../src/tools/index.js";
import { DONE, openAgentBench, READ } from "../support/agent-bench.js";

let bench: Awaited<ReturnType<typeof openAgentBench>>;
beforeEach(async () => {
  bench = await openAgentBench();
});
afterEach(() => bench.close());

describe("a run that reaches its goal", () => {
  it("reads, edits, runs and delivers, with events and a transcript", async () => {
    const { end, events, statuses, lines, asked } = await bench.play([
      { say: "Reading.", call: [READ, { tool: "search", input: { pattern: "const a" } }] },
      { call: [{ tool: "edit_file", input: { path: "a.ts", old_text: "a = 1", new_text: "a = 2" } }] },
      { call: [{ tool: "run", input: { command: "cat a.ts" } }] },
      { when: { seen: "exit code 0\nexport const a = 2;" }, call: [DONE] },
    ]);
    expect(end).toEqual({
      reason: "GOAL",
      output: { summary: "It works." },
      recovered: false,
      turns: 4,
      message: "",
    });
    expect(statuses).toEqual([200, 200, 200, 200]);
    expect((await bench.files.read("a.ts"))?.toString()).toBe("export const a = 2;\n");
    expect(events.slice(0, 5)).toEqual([
      { type: "turn", turn: 1, maxTurns: 10 },
      { type: "tool", turn: 1, name: "read_file", summary: "a.ts" },
      { type: "tool", turn: 1, name: "search", summary: "const a" },
      { type: "tool-result", turn: 1, name: "read_file", isError: false },
      { type: "tool-result", turn: 1, name: "search", isError: false },
    ]);
    expect(lines.map(({ type }) => type)).toEqual([
      "start",
      ...Array.from({ length: 4 }, () => ["answer", "results"]).flat(),
      "end",
    ]);
    expect(lines.at(-1)).toMatchObject({ reason: "GOAL", output: { summary: "It works." } });
    expect(asked.entries.map(({ usage }) => usage.cacheRead > 0)).toEqual([false, true, true, true]);
  });

  it("RT-19: can consist of complete_task alone", async () => {
    expect((await bench.play([{ call: [DONE] }])).end).toMatchObject({ reason: "GOAL", turns: 1 });
  });

  it("gives schema errors back, so that the model can correct the result", async () => {
    const { end } = await bench.play([
      { call: [{ tool: "complete_task", input: { summary: "x" } }] },
      { when: { seen: "Invalid arguments" }, call: [DONE] },
    ]);
    expect(end).toMatchObject({ reason: "GOAL", turns: 2 });
  });

  it("RT-65: goes on after arguments that are not JSON", async () => {
    const { end } = await bench.play([
      { call: [{ tool: "read_file", raw: '{"path": "a.ts' }] },
      { when: { seen: 'Received: {"path": "a.ts' }, call: [DONE] },
    ]);
    expect(end.reason).toBe("GOAL");
  });

  it("RT-34: gives every call a result when it is stopped in the middle of a turn", async () => {
    const stop = new AbortController();
    const halt = defineTool({
      name: "halt",
      description: "Stops the run.",
      kind: "write",
      input: z.strictObject({}),
      run: () => {
        stop.abort(new Error("stop"));
        return Promise.resolve("stopped");
      },
    });
    const write = (path: string) => ({ tool: "write_file", input: { path, content: "x" } });
    const { end, lines } = await bench.play([{ call: [{ tool: "halt" }, write("b.ts"), write("c.ts")] }], {
      tools: [halt],
      signal: stop.signal,
    });
    expect(end).toMatchObject({ reason: "ABORTED", turns: 1 });
    const results = lines.find((line) => line.type === "results");
    expect(results?.content.map(({ content }) => content.split(":")[0])).toEqual([
      expect.any(String),
      "Not executed",
      "Not executed",
    ]);
    expect(await bench.files.read("b.ts")).toBeNull();
  });

  it("RT-32: sees that a command said nothing", async () => {
    const { end } = await bench.play([
      { call: [{ tool: "run", input: { command: "mkdir x" } }] },
      { when: { seen: "(no output)" }, call: [DONE] },
    ]);
    expect(end.reason).toBe("GOAL");
  });

  it("begins with the notes that it has kept in earlier work", async () => {
    await writeFile(bench.context.handOver, "- [decision] Keep the API.\n");
    const { end, lastMessages } = await bench.play([{ when: { seen: "Keep the API." }, call: [DONE] }]);
    expect(end.reason).toBe("GOAL");
    expect(lastMessages).toHaveLength(1);
  });

  it("sees only the tools it is allowed", async () => {
    const { asked } = await bench.play([{ call: [DONE] }], { spec: { tools: ["read_file"] } });
    const body = asked.scripted.requests()[0]?.body as { tools: { name: string }[] };
    expect(body.tools.map(({ name }) => name)).toEqual(["complete_task", "read_file"]);
  });

  it("does not run complete_task together with other calls", async () => {
    const { end, lastUser } = await bench.play([{ call: [READ, DONE] }, { call: [DONE] }]);
    expect(end).toMatchObject({ reason: "GOAL", turns: 2 });
    expect(lastUser.match(/must be the only call/g)).toHaveLength(2);
  });
});

describe("stop reasons", () => {
  it("RT-20: text without a call is nudged once, then is the end", async () => {
    const { end, lastUser, statuses } = await bench.play([{ say: "Ok, I'll read that file", repeat: true }]);
    expect(end).toMatchObject({ reason: "NO_COMPLETE_TASK", output: null, turns: 2 });
    expect(lastUser).toContain("Call complete_task to finish");
    expect(statuses).toEqual([200, 200]);
  });

  it("RT-29: an empty answer after a result is nudged, and the history stays legal", async () => {
    const { end, lastMessages } = await bench.play([
      { call: [READ] },
      { when: { notSeen: "Call complete_task to finish" }, stop: "end_turn", repeat: true },
      { call: [DONE] },
    ]);
    expect(end.reason).toBe("GOAL");
    expect(lastMessages.at(-1)?.content.map(({ type }) => type)).toEqual(["tool_result", "text"]);
  });

  it("RT-26: calls that were cut off at the output limit are not run", async () => {
    const cut = { tool: "write_file", input: { path: "half.ts", content: "ha" } };
    const { end, lastUser } = await bench.play([{ call: [cut], stop: "max_tokens" }, { call: [DONE] }]);
    expect(end.reason).toBe("GOAL");
    expect(lastUser).toContain("Split the work");
    expect(await bench.files.read("half.ts")).toBeNull();
  });

  it("RT-26: cutting off the same call again and again is a loop", async () => {
    const cut = { tool: "write_file", input: { path: "half.ts", content: "ha" } };
    const { end } = await bench.play([{ call: [cut], stop: "max_tokens", repeat: true }], {
      spec: { maxTurns: 50 },
    });
    expect(end).toMatchObject({ reason: "LOOP", turns: 8 });
  });

  it("text that was cut off is continued", async () => {
    const { end, lastUser } = await bench.play([{ say: "Long", stop: "max_tokens" }, { call: [DONE] }]);
    expect(end.reason).toBe("GOAL");
    expect(lastUser).toContain("cut off");
  });

  it("a refusal ends the run, and nothing of the answer is kept", async () => {
    const { end, lines } = await bench.play([{ say: "I", call: [READ], stop: "refusal" }]);
    expect(end).toMatchObject({ reason: "REFUSED", output: null });
    expect(lines.map(({ type }) => type)).toEqual(["start", "end"]);
  });

  it("a full context window is an overflow, as stop reason and as an error", async () => {
    expect((await bench.play([{ say: "x", stop: "model_context_window_exceeded" }])).end.reason).toBe(
      "OVERFLOW",
    );
    const { end } = await bench.play([{ call: [DONE] }], {
      prepare: ({ scripted }) => scripted.fault({ kind: "status", status: 413 }),
    });
    expect(end.reason).toBe("OVERFLOW");
  });

  it("a pause is continued, at most five times in a row", async () => {
    const paused = await bench.play([
      { say: "one", stop: "pause_turn" },
      { say: "two", stop: "pause_turn" },
      { call: [DONE] },
    ]);
    expect(paused.end).toMatchObject({ reason: "GOAL", turns: 3 });
    expect(paused.lastMessages.map(({ role, content }) => [role, content.length])).toEqual([
      ["user", 1],
      ["assistant", 2],
    ]);
    const { end } = await bench.play([{ say: "one", stop: "pause_turn", repeat: true }], {
      spec: { maxTurns: 50 },
    });
    expect(end).toMatchObject({ reason: "ERROR", turns: 6 });
  });

  it("an unknown one is read by what the answer holds", async () => {
    const { end } = await bench.play([
      { call: [READ], stop: "new_reason" },
      { call: [DONE], stop: "other" },
    ]);
    expect(end).toMatchObject({ reason: "GOAL", turns: 2 });
  });

  it("a failed model call is an end with its message", async () => {
    const { end } = await bench.play([{ call: [DONE] }], {
      prepare: ({ scripted }) => scripted.fault({ kind: "status", status: 401 }),
    });
    expect(end).toMatchObject({ reason: "ERROR", message: expect.stringContaining("ANTHROPIC_API_KEY") });
  });

  it("a fault in a tool is no end but rejects", async () => {
    const broken = defineTool({
      name: "broken",
      description: "Broken.",
      kind: "write",
      input: z.strictObject({}),
      run: () => Promise.reject(new TypeError("a bug")),
    });
    await expect(bench.play([{ call: [{ tool: "broken" }] }], { tools: [broken] })).rejects.toThrow("a bug");
  });
});
