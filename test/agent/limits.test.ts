import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { createDeadline } from "../../src/agent/deadline.js";
import { createLimits } from "../../src/agent/limits.js";
import { defineTool } from "../../src/tools/index.js";
import { DONE, openAgentBench, READ } from "../support/agent-bench.js";
import { movedClock } from "../support/moved-clock.js";

let bench: Awaited<ReturnType<typeof openAgentBench>>;
beforeEach(async () => {
  bench = await openAgentBench();
});
afterEach(() => bench.close());

describe("limits", () => {
  const reading = [{ call: [READ], repeat: true }];
  const late = [
    { when: { notSeen: "Call complete_task now" }, call: [READ], repeat: true },
    { call: [DONE] },
  ];

  it("RT-16: after the last turn complete_task has one chance more, and that is no success", async () => {
    const { end, statuses } = await bench.play(late, { spec: { maxTurns: 2 } });
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
    const { end, statuses } = await bench.play([{ call: [write] }, { say: "Well." }], {
      spec: { maxTurns: 1 },
    });
    expect(end).toMatchObject({ reason: "MAX_TURNS", recovered: false, output: null });
    expect(await bench.files.read("b.ts")).not.toBeNull();
    expect(statuses).toEqual([200, 200]);
  });

  it("nothing but complete_task is run in the last chance", async () => {
    const write = { tool: "write_file", input: { path: "b.ts", content: "b" } };
    const { end } = await bench.play([{ call: [READ] }, { call: [write] }], { spec: { maxTurns: 1 } });
    expect(end).toMatchObject({ reason: "MAX_TURNS", recovered: false });
    expect(await bench.files.read("b.ts")).toBeNull();
  });

  it("when the time is up there is one chance more", async () => {
    const clock = movedClock();
    const { end } = await bench.play(late, { deps: { clock, onEvent: () => clock.advance(31_000) } });
    expect(end).toMatchObject({ reason: "TIMEOUT", recovered: true, turns: 1 });
  });

  it("RT-25: the time is up also in the middle of a call, however long the model thinks", async () => {
    const { end } = await bench.play([{ think: "Hm ".repeat(200), say: "slow" }, ...late], {
      spec: { maxMs: 150 },
      prepare: ({ scripted }) => scripted.fault({ kind: "broken-stream", how: "stall", afterEvents: 9 }),
    });
    expect(end).toMatchObject({ reason: "TIMEOUT", turns: 1 });
  });

  it("the time is up also in the middle of a command, and the result is still taken", async () => {
    const { end, lastUser } = await bench.play(
      [{ call: [{ tool: "run", input: { command: "sleep 20" } }] }, { call: [DONE] }],
      { spec: { maxMs: 300 } },
    );
    expect(end).toMatchObject({ reason: "TIMEOUT", recovered: true });
    expect(lastUser).toContain("Cancelled");
  });

  it("a spent budget ends the run before the next call, with its reason", async () => {
    let spent: readonly unknown[] = [];
    const { end, statuses } = await bench.play(reading, {
      prepare: ({ entries }) => void (spent = entries),
      deps: { budget: { reached: () => (spent.length >= 2 ? "$2.00 of $2.00 are spent" : null) } },
    });
    expect(end).toMatchObject({ reason: "BUDGET", message: "$2.00 of $2.00 are spent", turns: 2 });
    expect(statuses).toHaveLength(2);
  });

  it("a budget that has a reserve for the final answer leaves one chance more", async () => {
    let spent: readonly unknown[] = [];
    const reached = (purpose: string) =>
      purpose === "work" && spent.length >= 1 ? "$2.00 of $2.00 are spent" : null;
    const { end, statuses, lastUser } = await bench.play(late, {
      prepare: ({ entries }) => void (spent = entries),
      deps: { budget: { reached } },
    });
    expect(end).toMatchObject({ reason: "BUDGET", recovered: true, turns: 1 });
    expect(statuses).toHaveLength(2);
    expect(lastUser).toContain("Your budget is used up");
  });

  it("a budget that others use up in the moment before a call is sent stops it, and that was no turn", async () => {
    let asked = 0;
    // Free when the turn begins, used up when the request is about to go.
    const reached = (purpose: string) => (purpose === "work" && ++asked === 4 ? "others were faster" : null);
    const { end, statuses } = await bench.play(late, { deps: { budget: { reached } } });
    expect(end).toMatchObject({ reason: "BUDGET", message: "others were faster", recovered: true, turns: 1 });
    expect(statuses).toHaveLength(2);
  });

  it("no last chance is given when nothing of the budget is left for it", async () => {
    const reached = (purpose: string) => (purpose === "final" ? "all is spent" : null);
    const { end, statuses } = await bench.play(late, {
      spec: { maxTurns: 1 },
      deps: { budget: { reached } },
    });
    expect(end).toMatchObject({ reason: "MAX_TURNS", recovered: false, turns: 1 });
    expect(statuses).toHaveLength(1);
  });

  it("the time stands still while a person is asked", async () => {
    const clock = movedClock();
    const askPerson = () => {
      clock.advance(3_600_000);
      return Promise.resolve(true);
    };
    const ask = defineTool({
      name: "ask",
      description: "Asks a person.",
      kind: "read",
      input: z.strictObject({}),
      run: async (_input, context, signal) => String(await context.askPerson?.("May I?", signal)),
    });
    const { end, lastUser } = await bench.play(
      [{ call: [{ tool: "ask" }, { tool: "ask" }] }, { call: [DONE] }],
      {
        tools: [ask],
        deps: { clock },
        spec: { context: { ...bench.context, askPerson } },
      },
    );
    expect(end).toMatchObject({ reason: "GOAL", turns: 2 });
    expect(lastUser.match(/"content":"true"/g)).toHaveLength(2);
  });

  it("the time goes on with what was left when nobody is asked any more", async () => {
    const deadline = createDeadline(40, movedClock());
    const wait = () => new Promise((waited) => setTimeout(waited, 100));
    await Promise.all([deadline.pause(wait), deadline.pause(() => Promise.resolve())]);
    expect(deadline.isOver()).toBe(false);
    await new Promise((over) => deadline.signal.addEventListener("abort", over));
    expect(deadline.isOver()).toBe(true);
  });

  it("a stop comes before all others, and nothing is asked", async () => {
    const { end, statuses } = await bench.play(reading, {
      signal: AbortSignal.abort(new Error("stop")),
      spec: { maxTurns: 1 },
      deps: { budget: { reached: () => "spent" } },
    });
    expect(end).toMatchObject({ reason: "ABORTED", turns: 0 });
    expect(statuses).toEqual([]);
  });

  it("of several at once the first counts: stopped, budget, time, turns", () => {
    const clock = movedClock();
    const stop = new AbortController();
    let spent: string | null = "spent";
    const deps = { clock, budget: { reached: () => spent } };
    const limits = createLimits({ maxMs: 60_000, maxTurns: 1 }, deps, stop.signal);
    const reason = () => limits.beforeTurn(2)?.reason;
    clock.advance(60_000);
    const reasons = [reason()];
    spent = null;
    reasons.push(reason());
    stop.abort();
    reasons.push(reason());
    limits.release();
    expect(reasons).toEqual(["BUDGET", "TIMEOUT", "ABORTED"]);
  });

  it("a stop in the middle of a call or a command ends the run at once", async () => {
    for (const hold of ["turn", "tool"] as const) {
      const stop = new AbortController();
      const { end } = await bench.play([{ call: [{ tool: "run", input: { command: "sleep 20" } }] }], {
        signal: stop.signal,
        prepare: ({ scripted }) => {
          if (hold === "turn") scripted.fault({ kind: "broken-stream", how: "stall", afterEvents: 1 });
        },
        deps: {
          onEvent: ({ type }) => {
            if (type === hold) setTimeout(() => stop.abort(new Error("stop")), 150);
          },
        },
      });
      expect(end).toMatchObject({ reason: "ABORTED", turns: 1, recovered: false });
    }
  });
});

describe("the loop guard", () => {
  it("warns at the first circle, and the model can still turn round", async () => {
    const { end } = await bench.play(
      [{ when: { notSeen: "You are repeating yourself" }, call: [READ], repeat: true }, { call: [DONE] }],
      { spec: { maxTurns: 50 } },
    );
    expect(end).toMatchObject({ reason: "GOAL", turns: 6 });
  });

  it("ends the run at the second", async () => {
    const { end } = await bench.play([{ call: [READ], repeat: true }], { spec: { maxTurns: 50 } });
    expect(end).toMatchObject({
      reason: "LOOP",
      turns: 10,
      message: 'The agent kept repeating: [["read_file",{"path":"a.ts"},null]]',
    });
  });

  it("tells an agent whose edits fail to read the file again", async () => {
    const edit = (at: number) => ({
      call: [{ tool: "edit_file", input: { path: "a.ts", old_text: `no ${at}`, new_text: "b" } }],
    });
    const { end, lastUser } = await bench.play([1, 2, 3].map(edit).concat({ call: [DONE] } as never));
    expect(end).toMatchObject({ reason: "GOAL", turns: 4 });
    expect(lastUser).toContain("Read the file again now");
    expect(lastUser).toContain("edit_file a.ts");
  });

  it("RT-23: lets a file be read on at other offsets", async () => {
    await bench.files.write("long.ts", "x\n".repeat(100));
    const reads = Array.from({ length: 14 }, (_, at) => ({
      call: [{ tool: "read_file", input: { path: "long.ts", offset: at + 1, limit: 1 } }],
    }));
    const { end, lastUser } = await bench.play([...reads, { call: [DONE] }], { spec: { maxTurns: 50 } });
    expect(end).toMatchObject({ reason: "GOAL", turns: 15 });
    expect(lastUser).not.toContain("repeating");
  });

  it("RT-22: leaves ever new arguments to the turn limit", async () => {
    const lists = Array.from({ length: 26 }, (_, at) => ({
      call: [{ tool: "search", input: { pattern: `x${at}` } }],
    }));
    const { end } = await bench.play([...lists, { say: "." }], { spec: { maxTurns: 26 } });
    expect(end.reason).toBe("MAX_TURNS");
  });
});
