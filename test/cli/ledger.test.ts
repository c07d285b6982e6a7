import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { costEvent, eventPath, formatEvent } from "../../src/requirements/index.js";
import { record } from "../ledger/record.js";
import { accrue, personalRepository, stayingAccrue, temporaryFolder } from "../support/command-line.js";

const folder = temporaryFolder();
const typed = stayingAccrue();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

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
    const { json } = await typed([...args, "--json"], { cwd: repository.root });
    expect(json()).toMatchObject({
      totals: { calls: 4, attempts: 5, costNanoUsd: 80_000_000 },
      anomalies: [{ name: "repetition", nanoUsd: 40_000_000 }],
      wasted: [{ key: "repeated" }, { key: "unanswered" }],
      uses: [],
    });
    const wrong = await typed(["ledger", "report", "--since", "yesterday"], { cwd: repository.root });
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
    const again = await typed(["ledger", "rebuild"], { cwd: repository.root });
    expect(again.out).toBe("2 runs have costs in git; 0 were not in the ledger: 0 entries added.\n");
    const report = await typed(["ledger", "report", "--json", "--by", "requirement"], {
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
    const { out } = await typed(["ledger", "rebuild"], { cwd: repository.root });
    expect(out).toMatch(/1 were not in the ledger/);
    expect(out).toMatch(/⚠ requirements\/events\/REQ-1\/01JB8Z000000000000000000AD-cost.json is no event/);
  });

  it("finds nothing in a repository without a commit", async () => {
    const empty = personalRepository(join(folder, "empty"), { files: false });
    const { json } = await typed(["ledger", "rebuild", "--json"], { cwd: empty.root });
    expect(json()).toEqual({ runs: 0, entries: 0, problems: [] });
  });
});
