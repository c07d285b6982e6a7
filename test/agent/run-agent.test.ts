import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { runAgent, type AgentDeps, type AgentEvent, type AgentSpec } from "../../src/agent/index.js";
import type { Message } from "../../src/model/index.js";
import { builtinTools, createRegistry, defineTool, type Tool } from "../../src/tools/index.js";
import { ATTRIBUTION, openAskedModel } from "../support/asked-model.js";
import { openLocalWorkspace } from "../support/local-workspace.js";
import { movedClock } from "../support/moved-clock.js";

const Output = z.strictObject({ summary: z.string().min(3) });
const DONE = { tool: "complete_task", input: { summary: "It works." } };
const READ = { tool: "read_file", input: { path: "a.ts" } };

let workspace: Awaited<ReturnType<typeof openLocalWorkspace>>;
let opened: { close(): Promise<void> }[] = [];
beforeEach(async () => {
  workspace = await openLocalWorkspace();
  await workspace.context.files.write("a.ts", "export const a = 1;\n");
});
afterEach(async () => {
  await Promise.all([workspace, ...opened].map((one) => one.close()));
  opened = [];
});

interface Setting {
  spec?: Partial<AgentSpec<z.output<typeof Output>>>;
  deps?: Partial<AgentDeps>;
  tools?: Tool[];
  signal?: AbortSignal;
  /** Called before the run begins, to queue faults. */
  prepare?(asked: Awaited<ReturnType<typeof openAskedModel>>): void;
}

/** Runs an agent against a script of turns. */
async function play(turns: unknown[], setting: Setting = {}) {
  const asked = await openAskedModel([{ name: "script", when: {}, turns }], { maxTurnRetries: 0 });
  opened.push(asked);
  setting.prepare?.(asked);
  const events: AgentEvent[] = [];
  const transcript = join(workspace.base, "runs", "t.jsonl");
  const end = await runAgent(
    {
      tier: "executor",
      system: "You are the executor.",
      task: "Make it work.",
      output: Output,
      tools: ["*"],
      maxTurns: 10,
      maxMs: 60_000,
      maxOutputTokens: 2000,
      attribution: ATTRIBUTION,
      context: workspace.context,
      transcript,
      ...setting.spec,
    },
    {
      model: asked.model,
      registry: createRegistry([...builtinTools(), ...(setting.tools ?? [])]),
      clock: asked.clock,
      onEvent: (event) => void events.push(event),
      limit: () => null,
      ...setting.deps,
    },
    setting.signal ?? new AbortController().signal,
  );
  const requests = asked.scripted.requests();
  const lastMessages = (requests.at(-1)?.body as { messages: Message[] } | undefined)?.messages ?? [];
  return {
    end,
    events,
    asked,
    /** Every request that was sent was legal: the scripted model refuses others. */
    statuses: requests.map(({ status }) => status),
    lastMessages,
    lastUser: JSON.stringify(lastMessages.at(-1)?.content),
    lines: (await readFile(transcript, "utf8"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}

describe("a run that reaches its goal", () => {
  it("reads, edits, runs and delivers, with events and a transcript", async () => {
    const { end, events, statuses, lines, asked } = await play([
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
    expect((await workspace.context.files.read("a.ts"))?.toString()).toBe("export const a = 2;\n");
    expect(events.slice(0, 5)).toEqual([
      { type: "turn", turn: 1, maxTurns: 10 },
      { type: "tool", turn: 1, name: "read_file", summary: "a.ts" },
      { type: "tool", turn: 1, name: "search", summary: "const a" },
      { type: "tool-result", turn: 1, name: "read_file", isError: false },
      { type: "tool-result", turn: 1, name: "search", isError: false },
    ]);
    expect(lines.map(({ type }) => type)).toEqual([
      "start",
      ...["answer", "results", "answer", "results", "answer", "results", "answer", "results"],
      "end",
    ]);
    expect(lines.at(-1)).toMatchObject({ reason: "GOAL", output: { summary: "It works." } });
    expect(asked.entries.map(({ usage }) => usage.cacheRead > 0)).toEqual([false, true, true, true]);
  });

  it("RT-19: can consist of complete_task alone", async () => {
    expect((await play([{ call: [DONE] }])).end).toMatchObject({ reason: "GOAL", turns: 1 });
  });

  it("gives schema errors back, so that the model can correct the result", async () => {
    const { end } = await play([
      { call: [{ tool: "complete_task", input: { summary: "x" } }] },
      { when: { seen: "Invalid arguments" }, call: [DONE] },
    ]);
    expect(end).toMatchObject({ reason: "GOAL", turns: 2 });
  });

  it("RT-65: goes on after arguments that are not JSON", async () => {
    const { end } = await play([
      { call: [{ tool: "read_file", raw: '{"path": "a.ts' }] },
      { when: { seen: 'Received: {"path": "a.ts' }, call: [DONE] },
    ]);
    expect(end.reason).toBe("GOAL");
  });

  it("sees only the tools it is allowed", async () => {
    const { asked } = await play([{ call: [DONE] }], { spec: { tools: ["read_file"] } });
    const body = asked.scripted.requests()[0]?.body as { tools: { name: string }[] };
    expect(body.tools.map(({ name }) => name)).toEqual(["complete_task", "read_file"]);
  });

  it("does not run complete_task together with other calls", async () => {
    const { end, lastUser } = await play([{ call: [READ, DONE] }, { call: [DONE] }]);
    expect(end).toMatchObject({ reason: "GOAL", turns: 2 });
    expect(lastUser.match(/must be the only call/g)).toHaveLength(2);
  });
});

describe("stop reasons", () => {
  it("RT-20: text without a call is nudged once, then is the end", async () => {
    const { end, lastUser, statuses } = await play([{ say: "Ok, I'll read that file", repeat: true }]);
    expect(end).toMatchObject({ reason: "NO_COMPLETE_TASK", output: null, turns: 2 });
    expect(lastUser).toContain("Call complete_task to finish");
    expect(statuses).toEqual([200, 200]);
  });

  it("RT-29: an empty answer after a result is nudged, and the history stays legal", async () => {
    const { end, lastMessages } = await play([
      { call: [READ] },
      { when: { notSeen: "Call complete_task to finish" }, stop: "end_turn", repeat: true },
      { call: [DONE] },
    ]);
    expect(end.reason).toBe("GOAL");
    expect(lastMessages.at(-1)?.content.map(({ type }) => type)).toEqual(["tool_result", "text"]);
  });

  it("RT-26: calls that were cut off at the output limit are not run", async () => {
    const cut = { tool: "write_file", input: { path: "half.ts", content: "ha" } };
    const { end, lastUser } = await play([{ call: [cut], stop: "max_tokens" }, { call: [DONE] }]);
    expect(end.reason).toBe("GOAL");
    expect(lastUser).toContain("Split the work");
    expect(await workspace.context.files.read("half.ts")).toBeNull();
  });

  it("RT-26: cutting off the same call again and again is a loop", async () => {
    const cut = { tool: "write_file", input: { path: "half.ts", content: "ha" } };
    const { end } = await play([{ call: [cut], stop: "max_tokens", repeat: true }], {
      spec: { maxTurns: 50 },
    });
    expect(end).toMatchObject({ reason: "LOOP", turns: 10 });
  });

  it("text that was cut off is continued", async () => {
    const { end, lastUser } = await play([{ say: "Long", stop: "max_tokens" }, { call: [DONE] }]);
    expect(end.reason).toBe("GOAL");
    expect(lastUser).toContain("cut off");
  });

  it("a refusal ends the run, and nothing of the answer is kept", async () => {
    const { end, lines } = await play([{ say: "I", call: [READ], stop: "refusal" }]);
    expect(end).toMatchObject({ reason: "REFUSED", output: null });
    expect(lines.map(({ type }) => type)).toEqual(["start", "end"]);
  });

  it("a full context window is an overflow, as stop reason and as an error", async () => {
    expect((await play([{ say: "x", stop: "model_context_window_exceeded" }])).end.reason).toBe("OVERFLOW");
    const { end } = await play([{ call: [DONE] }], {
      prepare: ({ scripted }) => scripted.fault({ kind: "status", status: 413 }),
    });
    expect(end.reason).toBe("OVERFLOW");
  });

  it("a pause is continued, at most five times in a row", async () => {
    const paused = await play([
      { say: "one", stop: "pause_turn" },
      { say: "two", stop: "pause_turn" },
      { call: [DONE] },
    ]);
    expect(paused.end).toMatchObject({ reason: "GOAL", turns: 3 });
    expect(paused.lastMessages.map(({ role, content }) => [role, content.length])).toEqual([
      ["user", 1],
      ["assistant", 2],
    ]);
    const { end } = await play([{ say: "one", stop: "pause_turn", repeat: true }], {
      spec: { maxTurns: 50 },
    });
    expect(end).toMatchObject({ reason: "ERROR", turns: 6 });
  });

  it("an unknown one is read by what the answer holds", async () => {
    const { end } = await play([
      { call: [READ], stop: "new_reason" },
      { call: [DONE], stop: "other" },
    ]);
    expect(end).toMatchObject({ reason: "GOAL", turns: 2 });
  });

  it("a failed model call is an end with its message", async () => {
    const { end } = await play([{ call: [DONE] }], {
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
    await expect(play([{ call: [{ tool: "broken" }] }], { tools: [broken] })).rejects.toThrow("a bug");
  });
});

describe("limits", () => {
  const reading = [{ call: [READ], repeat: true }];
  const late = [
    { when: { notSeen: "Call complete_task now" }, call: [READ], repeat: true },
    { call: [DONE] },
  ];

  it("RT-16: after the last turn complete_task has one chance more, and that is no success", async () => {
    const { end, statuses } = await play(late, { spec: { maxTurns: 2 } });
    expect(end).toMatchObject({
      reason: "MAX_TURNS",
      output: { summary: "It works." },
      recovered: true,
      turns: 2,
    });
    expect(statuses).toHaveLength(3);
  });

  it("RT-17: the calls of the last turn are run and answered", async () => {
    const write = { tool: "write_file", input: { path: "b.ts", content: "b" } };
    const { end, statuses } = await play([{ call: [write] }, { say: "Well." }], { spec: { maxTurns: 1 } });
    expect(end).toMatchObject({ reason: "MAX_TURNS", recovered: false, output: null });
    expect(await workspace.context.files.read("b.ts")).not.toBeNull();
    expect(statuses).toEqual([200, 200]);
  });

  it("nothing but complete_task is run in the last chance", async () => {
    const write = { tool: "write_file", input: { path: "b.ts", content: "b" } };
    const { end } = await play([{ call: [READ] }, { call: [write] }], { spec: { maxTurns: 1 } });
    expect(end).toMatchObject({ reason: "MAX_TURNS", recovered: false });
    expect(await workspace.context.files.read("b.ts")).toBeNull();
  });

  it("when the time is up there is one chance more", async () => {
    const clock = movedClock();
    const { end } = await play(late, { deps: { clock, onEvent: () => clock.advance(31_000) } });
    expect(end).toMatchObject({ reason: "TIMEOUT", recovered: true, turns: 1 });
  });

  it("the time is up also in the middle of a call", async () => {
    const { end } = await play([{ say: "slow" }, ...late], {
      spec: { maxMs: 150 },
      prepare: ({ scripted }) => scripted.fault({ kind: "broken-stream", how: "stall", afterEvents: 2 }),
    });
    expect(end).toMatchObject({ reason: "TIMEOUT", turns: 1 });
  });

  it("the time is up also in the middle of a command, and the result is still taken", async () => {
    const { end, lastUser } = await play(
      [{ call: [{ tool: "run", input: { command: "sleep 20" } }] }, { call: [DONE] }],
      { spec: { maxMs: 300 } },
    );
    expect(end).toMatchObject({ reason: "TIMEOUT", recovered: true });
    expect(lastUser).toContain("Cancelled");
  });

  it("a spent budget ends the run before the next call, with its reason", async () => {
    let asked = 0;
    const { end, statuses } = await play(reading, {
      deps: { limit: () => (++asked > 2 ? "$2.00 of $2.00 are spent" : null) },
    });
    expect(end).toMatchObject({ reason: "BUDGET", message: "$2.00 of $2.00 are spent", turns: 2 });
    expect(statuses).toHaveLength(2);
  });

  it("a stop comes before all others, and nothing is asked", async () => {
    const { end, statuses } = await play(reading, {
      signal: AbortSignal.abort(new Error("stop")),
      spec: { maxTurns: 1 },
      deps: { limit: () => "spent" },
    });
    expect(end).toMatchObject({ reason: "ABORTED", turns: 0 });
    expect(statuses).toEqual([]);
  });

  it("a stop in the middle of a call or a command ends the run at once", async () => {
    for (const hold of ["model", "tool"] as const) {
      const stop = new AbortController();
      const { end } = await play([{ call: [{ tool: "run", input: { command: "sleep 20" } }] }], {
        signal: stop.signal,
        prepare: ({ scripted }) => {
          if (hold === "model") scripted.fault({ kind: "broken-stream", how: "stall", afterEvents: 1 });
          setTimeout(() => stop.abort(new Error("stop")), 300);
        },
      });
      expect(end).toMatchObject({ reason: "ABORTED", turns: 1, recovered: false });
    }
  });
});

describe("the loop guard", () => {
  it("warns at the first circle, and the model can still turn round", async () => {
    const { end } = await play(
      [{ when: { notSeen: "repeating the same calls" }, call: [READ], repeat: true }, { call: [DONE] }],
      { spec: { maxTurns: 50 } },
    );
    expect(end).toMatchObject({ reason: "GOAL", turns: 6 });
  });

  it("ends the run at the second", async () => {
    const { end } = await play([{ call: [READ], repeat: true }], { spec: { maxTurns: 50 } });
    expect(end).toMatchObject({ reason: "LOOP", turns: 10 });
  });

  it("RT-23: lets a file be read on at other offsets", async () => {
    await workspace.context.files.write("long.ts", "x\n".repeat(100));
    const reads = Array.from({ length: 14 }, (_, at) => ({
      call: [{ tool: "read_file", input: { path: "long.ts", offset: at + 1, limit: 1 } }],
    }));
    const { end, lastUser } = await play([...reads, { call: [DONE] }], { spec: { maxTurns: 50 } });
    expect(end).toMatchObject({ reason: "GOAL", turns: 15 });
    expect(lastUser).not.toContain("repeating");
  });

  it("RT-22: leaves ever new arguments to the turn limit", async () => {
    const lists = Array.from({ length: 26 }, (_, at) => ({
      call: [{ tool: "search", input: { pattern: `x${at}` } }],
    }));
    const { end } = await play([...lists, { say: "." }], { spec: { maxTurns: 26 } });
    expect(end.reason).toBe("MAX_TURNS");
  });
});
