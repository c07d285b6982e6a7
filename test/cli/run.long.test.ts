import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseScenarios, startScriptedModel } from "../../src/forge/index.js";
import {
  accrue,
  personalRepository,
  type PersonalRepository,
  temporaryFolder,
} from "../support/command-line.js";
import { until } from "../support/stack.js";

const WISH = "add CSV export to the user module";
const folder = temporaryFolder();
let model: Awaited<ReturnType<typeof startScriptedModel>>;
beforeAll(async () => {
  const scenarios = readFileSync(new URL("../../data/scenarios/demo.json", import.meta.url), "utf8");
  model = await startScriptedModel({
    scenarios: parseScenarios(scenarios),
    clock: { now: () => Date.now() },
  });
});
afterAll(async () => {
  await model.close();
  rmSync(folder, { recursive: true, force: true });
});

const run = (repository: PersonalRepository, ...args: string[]) =>
  accrue(["run", "--model-url", model.url, ...args], { cwd: repository.root });

/** Everything of a checkout that a person would miss: files with their bytes, index, stash, refs of their own. */
function snapshot({ root, git }: PersonalRepository): string {
  const files = execFileSync(
    "sh",
    [
      "-c",
      "find . -path ./.git -prune -o -path ./.agent -prune -o -type f -print0 | sort -z | xargs -0 sha256sum",
    ],
    { cwd: root, encoding: "utf8" },
  );
  const index = readFileSync(join(root, ".git", "index")).toString("base64");
  const own = git("for-each-ref", "refs/heads/main", "refs/stash", "refs/tags");
  return [
    files,
    index,
    own,
    git("stash", "list"),
    readFileSync(join(root, ".git", "HEAD"), "utf8"),
    readFileSync(join(root, ".git", "config"), "utf8"),
  ].join("\n");
}

/** Hooks of every kind that leave a trace, in a folder that the repository configures. */
function setHooks({ git }: PersonalRepository, hooks: string, trace: string): void {
  mkdirSync(hooks);
  const names =
    "pre-commit commit-msg prepare-commit-msg post-commit pre-push pre-receive update post-receive post-update reference-transaction post-checkout push-to-checkout";
  for (const name of names.split(" ")) {
    writeFileSync(join(hooks, name), `#!/bin/sh\necho ${name} >> '${trace}'\n`);
    chmodSync(join(hooks, name), 0o755);
  }
  git("config", "core.hooksPath", hooks);
}

// Whole runs, several in a test: on a busy machine they take their time.
describe("accrue run", { timeout: 120_000 }, () => {
  it("ends in a branch, and leaves checkout, index, stash and untracked files byte for byte as they were", async () => {
    const repository = personalRepository(join(folder, "名前 with 'space'"));
    const { git, write } = repository;
    write("README.md", "stashed\n");
    git("stash");
    write("AGENTS.md", "staged\n");
    git("add", "AGENTS.md");
    write("AGENTS.md", "staged, then changed\n");
    write("notes.txt", "untracked\n");
    git("tag", "v1");
    const trace = join(folder, "hooks.log");
    setHooks(repository, join(folder, "hooks"), trace);
    const before = snapshot(repository);

    const { status, out, err, json } = await run(repository, "--json", "--", WISH);
    expect(err).toContain("✓ Ready for review");
    expect(status).toBe(0);
    const document = json();
    expect(Object.keys(document)).toEqual(["requirement", "run", "branch", "outcome", "tasks", "bill"]);
    expect(document).toMatchObject({
      requirement: expect.stringMatching(/^REQ-\d{8}-[0-9A-Z]{6}$/),
      run: expect.stringMatching(/^[0-9A-Z]{26}$/),
      branch: `agent/${String(document["requirement"])}-add-csv-export-to-the-user-module`,
      outcome: "passed",
      tasks: [{ done: true }, { done: true }, { done: true }],
    });
    expect(out.trimEnd()).toBe(JSON.stringify(document, null, 2));
    expect(err).not.toContain("\u001b[");

    expect(snapshot(repository)).toBe(before);
    expect(existsSync(trace)).toBe(false);
    expect(git("status", "--porcelain")).toBe("MM AGENTS.md\n?? notes.txt");
    const branch = String(document["branch"]);
    expect(git("show", `${branch}:AGENTS.md`)).not.toContain("staged");
    expect(git("diff", "--name-only", `main...${branch}`).split("\n")).toEqual(
      expect.arrayContaining([
        "docs/exports.md",
        "src/export/registry.js",
        "src/user/csv.js",
        "test/user-csv.test.js",
      ]),
    );
    expect(git("log", "-1", "--format=%an", branch)).toBe("Accrue");

    const bill = document["bill"] as { totals: { costNanoUsd: number; calls: number } };
    const report = await accrue(["ledger", "report", "--json"], { cwd: repository.root });
    expect(report.json()).toMatchObject({ totals: bill.totals });
    expect(bill.totals.calls).toBeGreaterThan(10);
  });

  it("finds the lesson of a similar run before it, and costs less for that", async () => {
    const repository = personalRepository(join(folder, "second"));
    repository.write("src/deep/keep.txt", "");
    repository.commit("A folder");
    const first = await accrue(
      ["run", "--json", "--model-url", model.url, "--repo", "src/deep", "--", WISH],
      { cwd: repository.root },
    );
    repository.git("merge", "-q", String(first.json()["branch"]));
    const second = await run(repository, "--json", "--", "-please add CSV export to the order module");
    expect(second.err).toContain("A new export format of a module");
    expect([first.status, second.status]).toEqual([0, 0]);
    const calls = [first, second].map(
      (end) => (end.json()["bill"] as { totals: { calls: number } }).totals.calls,
    );
    expect(calls[1]).toBeLessThan(calls[0]!);
    expect(existsSync(join(repository.root, "src/deep/.agent"))).toBe(false);
  });

  it("pauses at a budget and at a gate with status 3, and goes on with the words of then", async () => {
    const repository = personalRepository(join(folder, "paused"));
    repository.write(".github/agent.yml", "budget: { requirement: { usd: 0.000001 } }\n");
    repository.commit("A small budget");
    const poor = await run(repository, "--json", "--", WISH);
    expect(poor.status).toBe(3);
    expect(poor.json()).toMatchObject({ outcome: "not-run", tasks: [] });
    const id = String(poor.json()["requirement"]);

    repository.write(".github/agent.yml", "autonomy: confirm\n");
    repository.commit("Confirm");
    // Going on has seen the requirement, and stops again after the design.
    const first = await run(repository, id);
    expect(first.status).toBe(3);
    expect(first.err).toContain("Requirement ready");
    const gate = await run(repository, id);
    expect(gate.status).toBe(3);
    expect(gate.err).toContain("Design ready");
    expect(gate.err).toContain(`accrue run ${id}`);
    expect(gate.err).not.toContain("@agent");
    const done = await run(repository, "--json", id.toLowerCase());
    expect(done.status).toBe(0);
    expect(done.json()).toMatchObject({ requirement: id, branch: poor.json()["branch"], outcome: "passed" });
    expect(repository.branches()).toHaveLength(2);
  });

  it("stops in order at Ctrl-C: the work so far is kept, and there is no stack trace", async () => {
    const repository = personalRepository(join(folder, "stopped"));
    model.fault({ kind: "broken-stream", how: "stall", afterEvents: 1 });
    const asked = model.requests().length;
    const ended = accrue(["run", "--json", "--model-url", model.url, "--", WISH], {
      cwd: repository.root,
      started: (child) =>
        void until("the first question", async () => model.requests().length > asked).then(() =>
          child.kill("SIGINT"),
        ),
    });
    const { status, err, json } = await ended;
    expect(status).toBe(1);
    expect(err).toContain("⏸ Stopped by SIGINT.");
    expect(err).not.toMatch(/^\s+at /m);
    const document = json();
    expect(document).toMatchObject({ outcome: "not-run", tasks: [] });
    const again = await run(repository, String(document["requirement"]));
    expect(again.status).toBe(0);
  });

  it("says so when the model cannot be reached", async () => {
    const repository = personalRepository(join(folder, "unreachable"));
    const { status, err, json } = await accrue(
      ["run", "--json", "--model-url", "http://127.0.0.1:9", "--", WISH],
      { cwd: repository.root },
    );
    expect(status).toBe(1);
    expect(err).toMatch(/✗ Failed: .*cannot be reached.*Check the network and the model's address/);
    expect(json()).toMatchObject({ outcome: "failed" });
  });

  it("writes in Chinese for a Chinese wish", async () => {
    const repository = personalRepository(join(folder, "chinese"));
    repository.write(".github/agent.yml", "budget: { requirement: { usd: 0.000001 } }\n");
    repository.commit("A small budget");
    const { err, json } = await run(
      repository,
      "--json",
      "--",
      "给 user 模块加一个导出为 CSV 的功能 export to the user module",
    );
    expect(err).toContain("⏸ 已暂停");
    expect(json()["branch"]).toBe(
      `agent/${String(json()["requirement"])}-user-csv-export-to-the-user-module`,
    );
  });
});
