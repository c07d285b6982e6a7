import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { record } from "../ledger/record.js";
import { accrue, personalRepository, stayingAccrue, temporaryFolder } from "../support/command-line.js";

const folder = temporaryFolder();
const typed = stayingAccrue();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("accrue trace", () => {
  const repository = personalRepository(join(folder, "trace"));
  const run = "01JB8Z0000000000000000000A";
  const at = (second: number) => `2026-11-29T12:00:${String(second).padStart(2, "0")}.000Z`;
  const usage = (input: number) => ({ input, cacheRead: 0, cacheWrite: 0, output: 5 });
  const answer = (second: number, turn: number, content: unknown[], more: object = {}) => ({
    n: second,
    at: at(second),
    problems: {},
    type: "answer",
    turn,
    content,
    stopReason: "tool_use",
    usage: usage(100 * turn),
    model: "claude-haiku-5-5",
    costNanoUsd: 20_000_000,
    ...more,
  });
  const start = (agent: string, phase: string, taskId: string) => {
    const texts = { system: "", task: "", tools: [] };
    return { n: 0, at: at(1), type: "start", agent, phase, taskId, ...texts };
  };
  const use = (id: string, name: string, input: object) => ({ type: "tool_use", id, name, input });
  const jsonl = (lines: unknown[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join("");

  beforeAll(() => {
    const executor = [
      start("implementation-executor", "implement", "T-1"),
      answer(2, 1, [
        { type: "text", text: "Now." },
        use("a", "read_file", { path: "src/\u001b[31ma.js" }),
        use("b", "run", { command: "npm test\nrm x" }),
      ]),
      {
        n: 3,
        at: at(3),
        type: "results",
        turn: 1,
        content: [{ type: "tool_result", tool_use_id: "b", content: "", is_error: true }],
      },
      { n: 4, at: at(4), type: "note", turn: 1, text: "You repeat yourself.", stop: null },
      answer(8, 2, [use("c", "complete_task", {})], { stopReason: "max_tokens", costNanoUsd: null }),
      { n: 9, at: at(9), type: "end", reason: "GOAL", recovered: false, message: "", output: {} },
    ];
    const text = jsonl(executor).replace('"type":"note"', '"type":"note" broken');
    repository.write(`.agent/transcripts/${run}/implement-T-1-implementation-executor.jsonl`, text);
    const planner = [
      start("design-manager", "design", "design"),
      { n: 6, at: at(6), type: "note", turn: 1, text: "Time is up.", stop: null },
      answer(6, 1, []),
    ];
    repository.write(`.agent/transcripts/${run}/design-design-design-manager.jsonl`, jsonl(planner));
    repository.write(".agent/transcripts/01JB8Y0000000000000000000B/x.txt", "");
    const of = { run, task: "T-1", costNanoUsd: 20_000_000 };
    record(repository, [
      { ...of, at: at(2), usage: usage(100) },
      { ...of, at: at(7), usage: usage(70), wasted: true, stopReason: "failed", attempt: 2 },
      { ...of, at: at(8), usage: usage(200), costNanoUsd: null },
      { ...of, at: at(6), usage: usage(100), task: "design", phase: "design", agent: "design-manager" },
      {
        run: "01JB8X0000000000000000000C",
        at: at(0),
        agent: "requirement-manager",
        phase: "requirement",
        task: "requirement",
      },
    ]);
  });

  it("shows turns, tool calls and notes in order, each call of the ledger once", async () => {
    const { json, status } = await accrue(["trace", run, "--json"], { cwd: repository.root });
    expect(status).toBe(0);
    const executor = { agent: "implementation-executor", phase: "implement", task: "T-1" };
    const model = "claude-haiku-5-5";
    expect(json()).toEqual({
      run,
      turns: [
        {
          at: at(2),
          ...executor,
          turn: 1,
          model,
          tokens: 105,
          usd: 0.02,
          calls: [
            { tool: "read_file", summary: "src/ [31ma.js", isError: false },
            { tool: "run", summary: "npm test rm x", isError: true },
          ],
        },
        {
          at: at(6),
          agent: "design-manager",
          phase: "design",
          task: "design",
          turn: 1,
          model,
          tokens: 105,
          usd: 0.02,
          calls: [],
          note: "Time is up.",
        },
        {
          at: at(7),
          ...executor,
          turn: null,
          model,
          tokens: 75,
          usd: 0.02,
          calls: [],
          note: "not used: failed, try 2",
        },
        {
          at: at(8),
          ...executor,
          turn: 2,
          model,
          tokens: 205,
          usd: null,
          calls: [{ tool: "complete_task", summary: "", isError: false }],
          note: "max_tokens · ended GOAL",
        },
      ],
      problems: ["implement-T-1-implementation-executor.jsonl:4 cannot be read and is left out."],
    });
  });

  it("shows the same to people, and reads another ledger with the transcripts beside it", async () => {
    const { out } = await typed(["trace", run, "--db", join(repository.root, ".agent/ledger.db")]);
    expect(out.split("\n").slice(0, 4)).toEqual([
      "  12:00:02  implement T-1  implementation-executor  turn 1  claude-haiku-5-5  105 tokens  $0.0200",
      "            · read_file src/ [31ma.js",
      "            ✗ run npm test rm x",
      "  12:00:06  design  design-manager  turn 1  claude-haiku-5-5  105 tokens  $0.0200",
    ]);
    expect(out).toContain("⚠ implement-T-1-implementation-executor.jsonl:4 cannot be read");
  });

  it("shows what the ledger alone knows of a run", async () => {
    const { json } = await typed(["trace", "01JB8X0000000000000000000C", "--json"], {
      cwd: repository.root,
    });
    expect(json()["turns"]).toMatchObject([{ agent: "requirement-manager", turn: null, tokens: 960 }]);
  });

  it.each(["01NONE", "../../.git"])("says which runs there are when there is no run %s", async (name) => {
    const { status, err } = await typed(["trace", name], { cwd: repository.root });
    expect(status).toBe(2);
    expect(err).toBe(
      `accrue: There is no run ${name}: the latest are ${run}, 01JB8Y0000000000000000000B, 01JB8X0000000000000000000C.\n`,
    );
  });

  it("says that nothing has run, and makes no file", async () => {
    const fresh = personalRepository(join(folder, "fresh"));
    const { status, err } = await typed(["trace", "01X"], { cwd: fresh.root });
    expect([status, err]).toEqual([
      2,
      "accrue: There is no run 01X: nothing has run here yet, or name --db.\n",
    ]);
    expect(existsSync(join(fresh.root, ".agent"))).toBe(false);
  });
});
