import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Mirror } from "../../src/workspace/index.js";
import { type Fixture, makeFixture, personGit, remoteFile, remoteTip } from "./fixture.js";

let fixture: Fixture;
let mirror: Mirror;

beforeEach(async () => {
  fixture = makeFixture();
  mirror = await fixture.workspaces.mirror(fixture.mirrorInput(), fixture.signal);
});
afterEach(() => fixture.close());

describe("a mirror", () => {
  it("lies below the data folder, private to us", () => {
    const path = join(fixture.data, "repos/example.org/acme/shop/mirror.git");
    expect(existsSync(path)).toBe(true);
    expect(execFileSync("stat", ["-c", "%a", path], { encoding: "utf8" }).trim()).toBe("700");
  });

  it("BR-11 rejects a repository without commits with a sentence for people", async () => {
    const empty = join(fixture.root, "empty.git");
    personGit(fixture.root, "init", "-q", "--bare", empty);
    const opening = fixture.workspaces.mirror(
      { ...fixture.mirrorInput(empty), repository: { host: "example.org", owner: "acme", name: "empty" } },
      fixture.signal,
    );
    await expect(opening).rejects.toMatchObject({
      code: "WORKSPACE_EMPTY",
      message: expect.stringContaining("first commit"),
    });
  });

  it.each(["..", "a/b", "", "."])("refuses '%s' as a part of a repository's name", async (name) => {
    const input = { ...fixture.mirrorInput(), repository: { host: "example.org", owner: "acme", name } };
    await expect(fixture.workspaces.mirror(input, fixture.signal)).rejects.toMatchObject({
      code: "INPUT_INVALID",
    });
  });

  it("SE-23 may be made and fetched by several processes at once", async () => {
    const repository = { host: "example.org", owner: "acme", name: "busy" };
    const input = { ...fixture.mirrorInput(), repository };
    for (let i = 0; i < 20; i++) personGit(fixture.person, "push", "-q", "origin", `HEAD:refs/heads/b${i}`);
    const opened = await Promise.all([0, 1, 2].map(() => fixture.again().mirror(input, fixture.signal)));
    const tips = await Promise.all(opened.map((each) => each.resolve("b19")));
    expect(new Set(tips)).toEqual(new Set([remoteTip(fixture, "main")]));
  });

  it("follows the remote: new, moved and deleted branches", async () => {
    const moved = fixture.commit({ "b.txt": "b\n" }, "feature/テスト");
    await mirror.fetch({}, fixture.signal);
    expect(await mirror.resolve("feature/テスト")).toBe(moved);
    expect(await mirror.branches("feature/")).toEqual([{ name: "feature/テスト", sha: moved }]);
    personGit(fixture.person, "push", "-q", "origin", ":refs/heads/feature/テスト");
    await mirror.fetch({}, fixture.signal);
    expect(await mirror.resolve("feature/テスト")).toBeNull();
    expect(await mirror.resolve("--output=/tmp/x")).toBeNull();
  });

  it("SE-10 fetches the head of a pull request that is no branch", async () => {
    personGit(fixture.person, "commit", "-q", "--allow-empty", "-m", "From a fork");
    personGit(fixture.person, "push", "-q", "origin", "HEAD:refs/pull/7/head");
    await mirror.fetch({ pull: 7 }, fixture.signal);
    const sha = personGit(fixture.person, "rev-parse", "HEAD").trim();
    expect(await mirror.resolve("refs/pull/7/head")).toBe(sha);
    expect(await mirror.ahead("main", "pull/7")).toBe(1);
  });

  it("SE-40 does not go into submodules", async () => {
    const config =
      '[submodule "x"]\n\tpath = x\n\turl = http://127.0.0.1:1/never.git\n\tfetchRecurseSubmodules = true\n';
    fixture.commit({ ".gitmodules": config });
    const sha = personGit(fixture.person, "rev-parse", "HEAD").trim();
    personGit(fixture.person, "update-index", "--add", "--cacheinfo", `160000,${sha},x`);
    personGit(fixture.person, "commit", "-q", "-m", "A submodule");
    personGit(fixture.person, "push", "-q", "origin", "HEAD:main");
    await mirror.fetch({}, fixture.signal);
    const workspace = await fixture.open();
    expect(await workspace.files.list()).toEqual([".gitmodules", "README.md", "src/a.txt"]);
    expect(await workspace.changes()).toEqual([]);
  });

  it("FI-10 reads text files below prefixes and leaves out binary and over-large ones", async () => {
    const sha = fixture.commit({
      "context/故事/第一章.md": "# 一\n",
      "context/b.bin": Buffer.from([0, 1, 2]),
      "context/latin.md": Buffer.from([0xe9, 0x0a]),
      "context/big.md": "x".repeat(2 * 1024 * 1024),
      "contextual.md": "no\n",
      "requirements/in-progress/r.md": "r\n",
    });
    await mirror.fetch({}, fixture.signal);
    const files = await mirror.readFiles(sha, ["context/", "requirements/in-"]);
    expect([...files]).toEqual([
      ["context/故事/第一章.md", "# 一\n"],
      ["requirements/in-progress/r.md", "r\n"],
    ]);
    expect([...(await mirror.readFiles("main", [""])).keys()]).toContain("contextual.md");
    expect((await mirror.readFiles("main", ["nothing/"])).size).toBe(0);
  });

  it("BR-13 BR-23 compares with the merge base, as a pull request does", async () => {
    fixture.commit({ "only-on-feature.txt": "f\n" }, "feature");
    personGit(fixture.person, "reset", "-q", "--hard", "origin/main");
    fixture.commit({ "only-on-main.txt": "m\n" });
    await mirror.fetch({}, fixture.signal);
    const diff = await mirror.diff("main", "feature");
    expect(diff).toContain("+++ b/only-on-feature.txt");
    expect(diff).not.toContain("only-on-main");
    expect(await mirror.ahead("main", "feature")).toBe(1);
    expect(await mirror.changes("main", "feature")).toEqual([
      { path: "only-on-feature.txt", status: "added", mode: "100644" },
      { path: "only-on-main.txt", status: "deleted", mode: "000000" },
    ]);
  });

  it("says which revision is missing", async () => {
    await expect(mirror.diff("main", "nowhere")).rejects.toThrow(/no commit "nowhere"/);
  });
});

describe("a mirror's commit", () => {
  it("writes and deletes files without a checkout and keeps modes", async () => {
    fixture.commit({ "run.sh": "echo 1\n" });
    personGit(fixture.person, "update-index", "--chmod=+x", "run.sh");
    personGit(fixture.person, "commit", "-q", "-m", "Executable");
    personGit(fixture.person, "push", "-q", "origin", "HEAD:main");
    await mirror.fetch({}, fixture.signal);
    const writes = new Map([
      ["context/故事.md", "一\r\n"],
      ["run.sh", "echo 2\n"],
      ["src/a.txt", null],
    ]);
    const sha = await mirror.commit({ parent: "main", writes, message: "Fold\n\nWhy." });
    expect(await mirror.changes("main", sha)).toEqual([
      { path: "context/故事.md", status: "added", mode: "100644" },
      { path: "run.sh", status: "modified", mode: "100755" },
      { path: "src/a.txt", status: "deleted", mode: "000000" },
    ]);
    expect(await mirror.push({ sha, branch: "agent/knowledge", create: true }, fixture.signal)).toMatchObject(
      {
        kind: "pushed",
      },
    );
    expect(remoteFile(fixture, "agent/knowledge", "context/故事.md")).toBe("一\r\n");
    const author = personGit(
      fixture.remote,
      "log",
      "-1",
      "--format=%an <%ae> %at %B",
      "agent/knowledge",
    ).trim();
    expect(author).toBe("accrue[bot] <bot@example.org> 1700000000 Fold\n\nWhy.");
  });

  it("gives the parent back when nothing changes", async () => {
    const writes = new Map([["README.md", "# Shop\n"]]);
    const parent = await mirror.resolve("main");
    expect(await mirror.commit({ parent: "main", writes, message: "Nothing" })).toBe(parent);
  });

  it.each(["../out", ".git/hooks/pre-push", "/etc/passwd"])("refuses to write %s", async (path) => {
    const writes = new Map([[path, "x"]]);
    await expect(mirror.commit({ parent: "main", writes, message: "x" })).rejects.toMatchObject({
      code: "INPUT_INVALID",
    });
  });
});

describe("a mirror's push", () => {
  const commitOn = (content: string, parent = "main") =>
    mirror.commit({ parent, writes: new Map([["new.txt", content]]), message: "Add" });

  it("BR-10 R19 refuses to create a branch that exists, and leaves it as it is", async () => {
    const theirs = fixture.commit({ "theirs.txt": "t\n" }, "agent/REQ-1");
    const sha = await commitOn("ours\n");
    const result = await mirror.push({ sha, branch: "agent/REQ-1", create: true }, fixture.signal);
    expect(result).toMatchObject({ kind: "refused", reason: "exists" });
    expect(remoteTip(fixture, "agent/REQ-1")).toBe(theirs);
  });

  it("is done once: creating the same branch with the same commit again is no refusal", async () => {
    const input = { sha: await commitOn("ours\n"), branch: "agent/REQ-1", create: true };
    await mirror.push(input, fixture.signal);
    expect(await mirror.push(input, fixture.signal)).toMatchObject({ kind: "pushed" });
  });

  it("BR-17 never overwrites a commit it does not know", async () => {
    const sha = await commitOn("ours\n");
    const theirs = fixture.commit({ "theirs.txt": "t\n" });
    const result = await mirror.push({ sha, branch: "main", create: false }, fixture.signal);
    expect(result).toMatchObject({ kind: "refused", reason: "stale" });
    expect(remoteTip(fixture, "main")).toBe(theirs);
  });

  const refusals: [string, string, RegExp][] = [
    ["protected", "GH006: Protected branch update failed for refs/heads/x.", /protected/],
    ["rules", "GH013: Repository rule violations found for refs/heads/x.", /rule/],
    [
      "workflow-permission",
      "refusing to allow a GitHub App to create or update workflow `.github/workflows/ci.yml` without `workflows` permission",
      /workflow/,
    ],
    [
      "too-large",
      "GH001: Large files detected. File a.bin is 120.00 MB; this exceeds GitHub's file size limit",
      /large/,
    ],
    ["declined", "our policy says no", /our policy says no/],
  ];
  it.each(refusals)(
    "BR-20 BR-28 SE-26 tells the refusal '%s' from others",
    async (reason, words, message) => {
      const hooks = join(fixture.remote, "hooks");
      mkdirSync(hooks, { recursive: true });
      writeFileSync(join(hooks, "pre-receive"), `#!/bin/sh\ncat <<'END'\n${words}\nEND\nexit 1\n`, {
        mode: 0o755,
      });
      personGit(fixture.remote, "config", "core.hooksPath", hooks);
      // By its address as a server: a path is a person's own repository, whose hooks are not run.
      const served = await fixture.workspaces.mirror(
        {
          ...fixture.mirrorInput(`file://${fixture.remote}`),
          repository: { host: "example.org", owner: "acme", name: "served" },
        },
        fixture.signal,
      );
      const writes = new Map([["a.txt", "x\n"]]);
      const sha = await served.commit({ parent: remoteTip(fixture, "main") ?? "", writes, message: "x" });
      const result = await served.push({ sha, branch: "agent/x", create: true }, fixture.signal);
      expect(result).toMatchObject({ kind: "refused", reason, message: expect.stringMatching(message) });
    },
  );

  it("says so when the remote is gone", async () => {
    const sha = await commitOn("x\n");
    execFileSync("mv", [fixture.remote, `${fixture.remote}.away`]);
    await expect(mirror.push({ sha, branch: "agent/x", create: true }, fixture.signal)).rejects.toMatchObject(
      {
        code: "GIT_FAILED",
      },
    );
  });

  it("refuses a name that git does not accept", async () => {
    const input = { sha: await commitOn("x\n"), branch: "-x", create: true };
    await expect(mirror.push(input, fixture.signal)).rejects.toMatchObject({ code: "INPUT_INVALID" });
  });
});
