import { readFileSync, rmSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { createLocalDoors, type Output } from "../../src/cli/index.js";
import type { Board } from "../../src/orchestrator/index.js";
import { AgentConfig } from "../../src/config/index.js";
import { temporaryFolder } from "../support/command-line.js";
import { localIntent } from "./local-intent.js";

const ERASE = "\r\u001b[K";

const BOARD: Board = {
  requirement: "REQ-20261129-7K3M2P",
  run: "01JB8Z0000000000000000000A",
  language: "en",
  title: "add CSV export",
  headline: "Implementing",
  mark: "active",
  branch: "agent/REQ-20261129-7K3M2P-csv",
  base: "main",
  rows: [
    { phase: "requirement", mark: "done", result: "[4 criteria](https://example.com/very/long)" },
    { phase: "design", mark: "active", result: "" },
    { phase: "implement", mark: "waiting", result: "" },
    { phase: "validate", mark: "waiting", result: "" },
  ],
  tasks: [],
  todo: [],
  activity: "T4 tests · turn 6 of 60",
  reminders: [
    { id: "R-7K3M2P", level: "high", text: "exports go through src/export", place: null, isPending: false },
  ],
  notices: [],
  pull: null,
  services: [],
  gate: null,
  spentNanoUsd: 240_000_000,
  budget: "$10.00",
  elapsedMs: 1000,
};

/** A terminal of this width, or a pipe; and the front that a local run shows itself on. */
async function open(isTty: boolean, columns = 80) {
  let shown = "";
  const output: Output = {
    isTty,
    columns: () => columns,
    colour: false,
    out: () => {},
    err: (text) => (shown += text),
  };
  const usage = { input: 96_000, cacheRead: 0, cacheWrite: 0, output: 0 };
  const ledger = { entries: () => [{ usage }] } as unknown as Parameters<
    typeof createLocalDoors
  >[0]["ledger"];
  const doors = await createLocalDoors({
    repository: { root: "/nowhere", knownAs: "a/b" },
    output,
    ledger,
    askPerson: null,
  })();
  const front = doors.front({
    ask: localIntent,
    language: "en",
    settings: AgentConfig.parse({}),
    requirement: BOARD.requirement,
  });
  return {
    show: (change: Partial<Board> = {}) => front.show({ ...BOARD, ...change }, true),
    shown: () => shown,
  };
}

describe("a run in a terminal", () => {
  it("gives a pipe one plain line for each step, once", async () => {
    const pipe = await open(false);
    await pipe.show();
    await pipe.show({ activity: "something else" });
    await pipe.show({ mark: "done", headline: "Ready for review: `agent/REQ-…`" });
    expect(
      pipe
        .shown()
        .split("\n")
        .map((line) => line.trimEnd()),
    ).toEqual([
      "  REQ-20261129-7K3M2P  add CSV export",
      "  branch agent/REQ-20261129-7K3M2P-csv",
      "  ⚠ R-7K3M2P  exports go through src/export",
      expect.stringMatching(/^ {2}✓ requirement {2}4 criteria +96 k {2}\$0\.24$/),
      "  ✓ Ready for review: `agent/REQ-…`",
      "",
    ]);
  });

  it("keeps a last line that lives, and takes it back before the next one", async () => {
    const terminal = await open(true);
    await terminal.show();
    expect(
      terminal.shown().endsWith(`${ERASE}  ⠹ Implementing · T4 tests · turn 6 of 60   96 k  $0.24`),
    ).toBe(true);
    await terminal.show({ notices: ["The checks fail already"] });
    expect(terminal.shown()).toContain(`${ERASE}  ⚠ The checks fail already\n`);
  });

  it("never lets the living line wrap, whatever the script", async () => {
    for (const activity of ["x".repeat(300), "导出".repeat(80), "🎉".repeat(90)]) {
      const terminal = await open(true, 60);
      await terminal.show({ activity });
      const last = terminal.shown().split(ERASE).at(-1) ?? "";
      const width = Array.from(last).reduce(
        (sum, char) => sum + (/[\u4e00-\u9fff\u{1f000}-\u{1ffff}]/u.test(char) ? 2 : 1),
        0,
      );
      expect(width).toBeLessThan(60);
      expect(last).toMatch(/… {3}96 k {2}\$0\.24$/);
    }
  });

  it("does not let what a model or a repository wrote steer the terminal", async () => {
    const terminal = await open(true);
    const evil = "a\u001b]0;owned\u0007b\u001b[2Jc\nd\u202ee";
    await terminal.show({ activity: evil, title: evil, notices: [evil] });
    const rest = terminal.shown().replaceAll(ERASE, "");
    expect(rest).not.toMatch(/[^\P{C}\n]/u);
    expect(rest).toContain("⚠ a ]0;owned b [2Jc d e\n");
  });
});

describe("the command line on a terminal", () => {
  const folder = temporaryFolder();
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("uses colours there, and none with NO_COLOR or in a pipe", () => {
    const cli = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
    const doctor = `'${process.execPath}' '${cli}' doctor --repo '${folder}'`;
    const typed = (command: string) => {
      const trace = join(folder, "trace");
      const { NO_COLOR: _, ...env } = process.env;
      execFileSync("script", ["-q", "-c", command, trace], { stdio: "ignore", env });
      return readFileSync(trace, "utf8");
    };
    expect(typed(doctor)).toContain("\u001b[32m✓\u001b[0m");
    expect(typed(`NO_COLOR=1 ${doctor}`)).not.toContain("\u001b[3");
    const file = join(folder, "written");
    typed(`${doctor} > '${file}'`);
    expect(readFileSync(file, "utf8")).toMatch(/^ {2}✓ node/);
  });
});
