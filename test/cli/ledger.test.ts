import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDatabase } from "../../src/db/index.js";
import { createLedger, type LedgerEntry } from "../../src/ledger/index.js";
import { costEvent, eventPath, formatEvent } from "../../src/requirements/index.js";
import { entry } from "../ledger/entries.js";
import {
  accrue,
  type PersonalRepository,
  personalRepository,
  temporaryFolder,
} from "../support/command-line.js";

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function record({ root }: PersonalRepository, entries: readonly Partial<LedgerEntry>[]): void {
  mkdirSync(join(root, ".agent"), { recursive: true });
  const db = openDatabase(join(root, ".agent/ledger.db"));
  const ledger = createLedger(db);
  for (const [index, part] of entries.entries()) ledger.record(entry({ id: `e${index}`, ...part }));
  db.close();
}

describe("accrue ledger report", () => {
  it("shows sums, what was for nothing and what stands out, of the days asked for", async () => {
    const repository = personalRepository(join(folder, "report"));
    const late = { at: "2026-11-30T08:00:00.000Z", requestHash: "same", costNanoUsd: 20_000_000 };
    record(repository, [
      { at: "2026-11-28T08:00:00.000Z", costNanoUsd: 1_000_000_000 },
      { ...late },
      { ...late },
      { ...late, agent: "lead/searcher#2" },
      { ...late },
      {
        ...late,
        wasted: true,
        stopReason: "failed",
        costNanoUsd: 0,
        usage: { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 },
      },
    ]);
    const args = ["ledger", "report", "--since", "2026-11-29", "--until", "2026-12-01", "--by", "agent"];
    const text = await accrue(args, { cwd: repository.root });
    expect(text.status).toBe(0);
    expect(text.out.split("\n").map((line) => line.trim().split(/ {2,}/))).toEqual(
      expect.arrayContaining([
        ["agent", "calls", "input", "cached", "output", "cost"],
        ["implementation-executor", "3", "2.8 k", "2.4 k", "60", "$0.06"],
        ["lead/searcher", "1", "940", "800", "20", "$0.02"],
        ["sum", "4", "3.8 k", "3.2 k", "80", "$0.08"],
        ["repeated", "3", "$0.06"],
        ["Failed before they used a token: 1 more."],
      ]),
    );
    expect(text.out).toMatch(/⚠ repetition: implementation-executor on T1 .* 3 times/);
    const { json } = await accrue([...args, "--json"], { cwd: repository.root });
    expect(json()).toMatchObject({
      totals: { calls: 4, attempts: 5, costNanoUsd: 80_000_000 },
      anomalies: [{ name: "repetition", nanoUsd: 40_000_000 }],
      wasted: [{ key: "repeated" }, { key: "unanswered" }],
      uses: [],
    });
    const wrong = await accrue(["ledger", "report", "--since", "yesterday"], { cwd: repository.root });
    expect(wrong).toMatchObject({ status: 2, err: expect.stringContaining("Write a day as 2026-11-29") });
  });
});

describe("accrue ledger rebuild", () => {
  const repository = personalRepository(join(folder, "rebuild"));
  const event = (req: string, letter: string, micro_usd: number) => {
    const rows = [
      {
        phase: "implement",
        call_type: "generate",
        model: "claude-haiku-5-5",
        calls: 4,
        micro_usd,
        input: 10,
        cache_read: 20,
        cache_write: 5,
        output: 2,
        weighted_tokens: 40,
      },
    ];
    const made = costEvent({
      id: `01JB8Z000000000000000000A${letter}`,
      req,
      run: `run-${letter}`,
      actor: "accrue",
      at: "2026-11-29T12:00:00.000Z",
      rows,
    });
    repository.write(eventPath(made), formatEvent(made));
  };
  beforeAll(() => {
    event("REQ-1", "A", 1_000_000.5);
    repository.commit("A finished requirement");
    repository.git("switch", "-q", "-c", "agent/REQ-2-open");
    event("REQ-2", "B", 250_000);
    repository.commit("An open requirement");
    repository.git("switch", "-q", "main");
    repository.git("switch", "-q", "-c", "side");
    event("REQ-3", "C", 9);
    repository.write("requirements/events/REQ-1/01JB8Z000000000000000000AD-cost.json", "{");
    repository.commit("A branch that is no requirement's");
    repository.git("switch", "-q", "main");
  });

  it("brings back the bills of all requirements from git, once, and leaves git as it is", async () => {
    const first = await accrue(["ledger", "rebuild", "--json"], { cwd: repository.root });
    expect(first.json()).toEqual({ runs: 2, entries: 2, problems: [] });
    const again = await accrue(["ledger", "rebuild"], { cwd: repository.root });
    expect(again.out).toBe("2 runs have costs in git; 0 were not in the ledger: 0 entries added.\n");
    const report = await accrue(["ledger", "report", "--json", "--by", "requirement"], {
      cwd: repository.root,
    });
    expect(report.json()).toMatchObject({
      totals: { calls: 8, costNanoUsd: 1_250_000_500, weightedTokens: 80 },
      groups: [{ key: "REQ-1" }, { key: "REQ-2" }],
      entries: [{ repository: { host: "local", name: "rebuild" } }, {}],
    });
    expect(repository.git("status", "--porcelain")).toBe("");
  });

  it("names an event that cannot be read, and takes the others", async () => {
    repository.git("switch", "-q", "side");
    const { out } = await accrue(["ledger", "rebuild"], { cwd: repository.root });
    expect(out).toMatch(/1 were not in the ledger/);
    expect(out).toMatch(/⚠ requirements\/events\/REQ-1\/01JB8Z000000000000000000AD-cost.json is no event/);
  });

  it("finds nothing in a repository without a commit", async () => {
    const empty = personalRepository(join(folder, "empty"), { files: false });
    const { json } = await accrue(["ledger", "rebuild", "--json"], { cwd: empty.root });
    expect(json()).toEqual({ runs: 0, entries: 0, problems: [] });
  });
});

describe("accrue trace", () => {
  const repository = personalRepository(join(folder, "trace"));
  const run = "01JB8Z0000000000000000000A";
  const at = (second: number) => `2026-11-29T12:00:${String(second).padStart(2, "0")}.000Z`;
  const usage = (input: number) => ({ input, cacheRead: 0, cacheWrite: 0, output: 5 });
  const answer = (second: number, turn: number, content: unknown[], more: object = {}) => ({
    at: at(second),
    type: "answer",
    turn,
    content,
    stopReason: "tool_use",
    usage: usage(100 * turn),
    model: "claude-haiku-5-5",
    costNanoUsd: 20_000_000,
    ...more,
  });
  const use = (id: string, name: string, input: object) => ({ type: "tool_use", id, name, input });
  const jsonl = (lines: unknown[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join("");

  beforeAll(() => {
    const executor = [
      { at: at(1), type: "start", agent: "implementation-executor", system: "", task: "", tools: [] },
      answer(2, 1, [
        { type: "text", text: "Now." },
        use("a", "read_file", { path: "src/\u001b[31ma.js" }),
        use("b", "run", { command: "npm test\nrm x" }),
      ]),
      {
        at: at(3),
        type: "results",
        turn: 1,
        content: [{ type: "tool_result", tool_use_id: "b", is_error: true }],
      },
      { at: at(4), type: "note", turn: 1, text: "You repeat yourself." },
      { at: at(4), type: "a-kind-of-later", turn: 1 },
      answer(8, 2, [use("c", "complete_task", {})], { stopReason: "max_tokens", costNanoUsd: null }),
      { at: at(9), type: "end", reason: "GOAL", recovered: false, message: "", output: {} },
    ];
    const text = jsonl(executor).replace('"type":"note"', '"type":"note" broken');
    repository.write(`.agent/transcripts/${run}/implement-T-1-implementation-executor.jsonl`, text);
    const planner = [
      { at: at(5), type: "start", agent: "design-manager" },
      { at: at(6), type: "note", turn: 1, text: "Time is up." },
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
    const { out } = await accrue(["trace", run, "--db", join(repository.root, ".agent/ledger.db")]);
    expect(out.split("\n").slice(0, 4)).toEqual([
      "  12:00:02  implement T-1  implementation-executor  turn 1  claude-haiku-5-5  105 tokens  $0.02",
      "            · read_file src/ [31ma.js",
      "            ✗ run npm test rm x",
      "  12:00:06  design  design-manager  turn 1  claude-haiku-5-5  105 tokens  $0.02",
    ]);
    expect(out).toContain("⚠ implement-T-1-implementation-executor.jsonl:4 cannot be read");
  });

  it("shows what the ledger alone knows of a run", async () => {
    const { json } = await accrue(["trace", "01JB8X0000000000000000000C", "--json"], {
      cwd: repository.root,
    });
    expect(json()["turns"]).toMatchObject([{ agent: "requirement-manager", turn: null, tokens: 960 }]);
  });

  it.each(["01NONE", "../../.git"])("says which runs there are when there is no run %s", async (name) => {
    const { status, err } = await accrue(["trace", name], { cwd: repository.root });
    expect(status).toBe(2);
    expect(err).toBe(
      `accrue: There is no run ${name}: the latest are ${run}, 01JB8Y0000000000000000000B, 01JB8X0000000000000000000C.\n`,
    );
  });

  it("says that nothing has run, and makes no file", async () => {
    const fresh = personalRepository(join(folder, "fresh"));
    const { status, err } = await accrue(["trace", "01X"], { cwd: fresh.root });
    expect([status, err]).toEqual([
      2,
      "accrue: There is no run 01X: nothing has run here yet, or name --db.\n",
    ]);
    expect(existsSync(join(fresh.root, ".agent"))).toBe(false);
  });
});
