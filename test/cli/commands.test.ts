import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { accrue, personalRepository, stayingAccrue, temporaryFolder } from "../support/command-line.js";

const folder = temporaryFolder();
const typed = stayingAccrue();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const WITH_KEY = { env: { ANTHROPIC_API_KEY: "a-key" } };

describe("accrue, used wrongly", () => {
  const repository = personalRepository(join(folder, "wrong"));
  const empty = personalRepository(join(folder, "no-commits"), { files: false });
  const detached = personalRepository(join(folder, "detached"));
  detached.git("switch", "-q", "--detach");
  const file = join(folder, "a-file");
  writeFileSync(file, "");

  it.each([
    ["an unknown command", ["nope"], /unknown command 'nope'/],
    ["an unknown option", ["run", "--nope", "x"], /unknown option '--nope'/],
    ["a missing text", ["run"], /missing required argument 'text'/],
    ["an unknown part of config", ["config", "nope"], /unknown command 'nope'/],
    ["one argument too many", ["doctor", "x"], /too many arguments/],
    ["an unknown grouping", ["ledger", "report", "--by", "x"], /Allowed choices are phase, task, type/],
    ["an empty text", ["run", "--", "  "], /The text is empty/],
    ["an empty lesson", ["remember", "--", ""], /The text is empty/],
    ["a wrong address", ["run", "--model-url", "nonsense", "--", "x"], /"nonsense" is no address of a model/],
    ["a requirement that is not there", ["run", "REQ-7"], /REQ-7 is no requirement of this repository/],
    ["a ledger that is not there", ["ledger", "report", "--db", "nope.db"], /There is no ledger nope.db/],
    ["a delivery that is not there", ["replay", "--dry-run", "nope.json"], /nope.json cannot be read/],
    ["a folder that is not there", ["run", "--repo", "/nope", "--", "x"], /There is no folder \/nope/],
    ["a file as folder", ["run", "--repo", file, "--", "x"], /There is no folder .*a-file/],
    [
      "a folder without git",
      ["run", "--repo", folder, "--", "x"],
      /is in no git working tree: run `git init`/,
    ],
    [
      "a detached head",
      ["run", "--repo", detached.root, "--", "x"],
      /has no branch checked out: run `git switch/,
    ],
  ])("ends with status 2 and says what is wrong: %s", async (_, args, message) => {
    const options = { cwd: repository.root, ...WITH_KEY };
    const { status, err, json } = await typed([args[0] ?? "", "--json", ...args.slice(1)], options);
    expect(status).toBe(2);
    expect(err).toMatch(message);
    expect(err).not.toMatch(/^\s+at /m);
    expect(json()).toEqual({ error: { code: "INPUT_INVALID", message: expect.stringMatching(message) } });
    expect(repository.branches()).toEqual(["main"]);
    expect(repository.git("status", "--porcelain")).toBe("");
  });

  it("needs a first commit for a run", async () => {
    const { status, err, json } = await accrue(["run", "--json", "--", "x"], {
      cwd: empty.root,
      ...WITH_KEY,
    });
    expect(status).toBe(1);
    expect(json()).toMatchObject({ error: { code: "WORKSPACE_EMPTY" } });
    expect(err).toContain("has no commit yet: make a first commit");
  });

  it("needs a key for a run, and says which and what works without", async () => {
    const { status, err, json } = await accrue(["run", "--json", "--", "x"], { cwd: repository.root });
    expect(status).toBe(2);
    expect(json()).toMatchObject({ error: { code: "MODEL_KEY_MISSING" } });
    expect(err).toContain("set ANTHROPIC_API_KEY, or name a gateway with --model-url");
    expect(repository.branches()).toEqual(["main"]);
  });

  it("refuses a requirement whose branch a worktree stands on, before anything is spent", async () => {
    const { root, git, branches } = personalRepository(join(folder, "standing"));
    git("switch", "-q", "-c", "agent/REQ-5-work");
    const { status, err } = await typed(["run", "REQ-5"], { cwd: root, ...WITH_KEY });
    expect(status).toBe(2);
    expect(err).toContain(`agent/REQ-5-work is checked out in ${root}: switch that checkout`);
    expect(branches()).toEqual(["agent/REQ-5-work", "main"]);
  });
});

describe("accrue --help", () => {
  it("shows run, remember, init and doctor first, and every command", async () => {
    const { status, out } = await accrue(["--help"]);
    expect(status).toBe(0);
    const names = [...out.matchAll(/^ {2}([a-z]+) .*? {2,}\S/gm)].map((match) => match[1]);
    expect(names.slice(0, 4)).toEqual(["run", "remember", "init", "doctor"]);
    expect(names).toEqual(expect.arrayContaining(["demo", "serve", "replay", "config", "ledger"]));
    expect((await typed(["--version"])).out.trim()).toMatch(/^\d+\.\d+\.\d+$/);
  });

  it("goes to stderr with status 2 when nothing was typed", async () => {
    expect(await accrue([])).toMatchObject({
      status: 2,
      out: "",
      err: expect.stringContaining("Usage: accrue"),
    });
  });
});

describe("accrue config", () => {
  it("names a typo's line and the key that was probably meant, from any folder of the repository", async () => {
    const { root, write } = personalRepository(join(folder, "config"));
    write(".github/agent.yml", "label: agent\nagent:\n  max_turnz: 3\nautonomy: maybe\n");
    const { status, json } = await accrue(["config", "check", "--json"], { cwd: join(root, "src") });
    expect(status).toBe(2);
    const file = ".github/agent.yml";
    expect(json()).toEqual({
      problems: expect.arrayContaining([
        { file, line: 3, code: "unknown-key", message: expect.stringContaining("did you mean max_turns?") },
        {
          file,
          line: 4,
          code: "invalid_value",
          message: expect.stringContaining('"confirm"|"review"|"auto"'),
        },
      ]),
    });
    write(".github/agent.yml", "agent:\n  max_minutes: 100000\n");
    expect((await typed(["config", "check"], { cwd: root })).out).toContain("max_minutes");
    write(".github/agent.yml", "label: [\n");
    expect((await typed(["config", "check"], { cwd: root })).out).toMatch(/^\.github\/agent\.yml:\d+ {2}\S/);
    rmSync(join(root, file));
    expect(await typed(["config", "check"], { cwd: root })).toMatchObject({
      status: 0,
      out: expect.stringContaining("There is no"),
    });
  });

  it("prints its schema, which knows every key and no other", async () => {
    const { json } = await typed(["config", "schema", "--json"]);
    expect(json()).toMatchObject({
      type: "object",
      additionalProperties: false,
      properties: { label: { default: "agent" } },
    });
  });
});

describe("accrue doctor", () => {
  it("names each check with its outcome and what to do, and changes nothing that git shows", async () => {
    const { root, git } = personalRepository(join(folder, "doctor"));
    const { json, status } = await accrue(["doctor", "--json"], { cwd: root });
    const { checks } = json() as { checks: { name: string; outcome: string; hint: string }[] };
    expect(checks.map(({ name }) => name)).toEqual([
      "node",
      "git",
      "sandbox",
      "model key",
      "GitHub",
      "data folder",
    ]);
    expect(checks.every(({ hint }) => hint.length > 0)).toBe(true);
    expect(status).toBe(checks.some(({ outcome }) => outcome === "failed") ? 1 : 0);
    expect(checks.find(({ name }) => name === "model key")).toMatchObject({
      outcome: "not-run",
      hint: expect.stringContaining("ANTHROPIC_API_KEY"),
    });
    expect(git("status", "--porcelain")).toBe("");
    await typed(["doctor"], { cwd: folder });
    expect(existsSync(join(folder, ".agent"))).toBe(false);
  });
});

describe("what the machine does not let accrue do", () => {
  const blocked = personalRepository(join(folder, "blocked"));
  blocked.write(".agent", "a file where the data folder would be");
  const noGit = { cwd: blocked.root, env: { PATH: "/nonexistent" } };

  it("is said in a sentence, with a code and no stack", async () => {
    const { status, err, json } = await accrue(["remember", "--json", "--", "use a.js"], {
      cwd: blocked.root,
    });
    expect(status).toBe(1);
    expect(err).toMatch(/^accrue: EEXIST: .*\.agent': check that it is there, and that you may/);
    expect(err).not.toMatch(/^\s+at /m);
    expect(json()).toMatchObject({ error: { code: "WORKSPACE_FAILED" } });
  });

  it("is what the doctor finds, beside its other checks", async () => {
    const { status, json } = await typed(["doctor", "--json"], { cwd: blocked.root });
    const { checks } = json() as { checks: { name: string; outcome: string; hint: string }[] };
    expect(status).toBe(1);
    expect(checks.find(({ name }) => name === "data folder")?.hint).toMatch(/EEXIST.*set ACCRUE_DATA/);
    expect(checks.find(({ name }) => name === "git")?.outcome).toBe("passed");
  });

  it("names git where there is none", async () => {
    const { json } = await typed(["doctor", "--json"], noGit);
    const { checks } = json() as { checks: { name: string; outcome: string; hint: string }[] };
    expect(checks.find(({ name }) => name === "git")).toMatchObject({
      outcome: "failed",
      hint: expect.stringContaining("git is not installed"),
    });
    const { err } = await accrue(["remember", "--", "use a.js"], noGit);
    expect(err).toContain("git is not installed, or not in PATH");
    expect(err).not.toMatch(/^\s+at /m);
  });
});

describe("accrue config check on YAML that only looks right", () => {
  it.each([
    ["a name for nothing", "label: *nope\n", /nope/],
    [
      "names that grow",
      `a: &a [${"x,".repeat(9)}]\nb: &b [${"*a,".repeat(9)}]\nc: [${"*b,".repeat(99)}]\n`,
      /alias/,
    ],
  ])("says what is wrong: %s", async (_, text, message) => {
    const { root, write } = personalRepository(join(folder, `yaml-${text.length}`));
    write(".github/agent.yml", text);
    const { status, json } = await typed(["config", "check", "--json"], { cwd: root });
    expect(status).toBe(2);
    expect(json()).toMatchObject({ problems: [{ code: "yaml", message: expect.stringMatching(message) }] });
  });
});

describe("accrue ledger report", () => {
  it("prints sums of nothing where nothing was spent, and makes no file", async () => {
    const { root } = personalRepository(join(folder, "ledger"));
    const { status, json } = await typed(["ledger", "report", "--json", "--by", "model"], { cwd: root });
    expect(status).toBe(0);
    expect(json()).toMatchObject({
      entries: [],
      totals: { calls: 0, costNanoUsd: 0 },
      groups: [],
      anomalies: [],
    });
    expect(existsSync(join(root, ".agent"))).toBe(false);
  });
});
