import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Workspace } from "../../src/workspace/index.js";
import { type Fixture, makeFixture, personGit, remoteFile, remoteTip } from "./fixture.js";

let fixture: Fixture;
let workspace: Workspace;

beforeEach(async () => {
  fixture = makeFixture();
  workspace = await fixture.open();
});
afterEach(() => fixture.close());

describe("a workspace", () => {
  it("starts a new branch from the base", async () => {
    const main = remoteTip(fixture, "main");
    expect(await workspace.head()).toBe(main);
    expect(workspace).toMatchObject({
      branch: "agent/REQ-1",
      baseBranch: "main",
      baseSha: main,
      isNew: true,
    });
    expect(readFileSync(join(workspace.path, "README.md"), "utf8")).toBe("# Shop\n");
    expect(existsSync(join(workspace.path, ".git"))).toBe(false);
  });

  it("BR-07 starts from the base it was told, not from the default branch", async () => {
    const develop = fixture.commit({ "develop.txt": "d\n" }, "develop");
    const other = await fixture.open({ base: "develop", branch: "agent/REQ-2", run: "01RUNB" });
    expect(other.baseSha).toBe(develop);
    await expect(fixture.open({ base: "nowhere", run: "01RUNC" })).rejects.toThrow(/no branch "nowhere"/);
  });

  it("BR-01 continues a branch that exists, whatever its name", async () => {
    const tip = fixture.commit({ "more.txt": "m\n" }, "feature/テスト");
    const other = await fixture.open({ branch: "feature/テスト", run: "01RUNB" });
    expect(await other.head()).toBe(tip);
    expect(other.isNew).toBe(false);
    expect(other.baseSha).toBe(remoteTip(fixture, "main"));
  });

  it("gives a run its folder and commits again after a crash, without leftovers", async () => {
    await workspace.files.write("kept.txt", "k\n");
    const sha = await workspace.commit({ message: "Keep" });
    await workspace.files.write("lost.txt", "l\n");
    mkdirSync(join(workspace.path, ".git"));
    const mirror = await fixture.again().mirror(fixture.mirrorInput(), fixture.signal);
    expect(await mirror.resolve("main")).not.toBeNull();
    const again = await fixture.open();
    expect(again.path).toBe(workspace.path);
    expect(await again.head()).toBe(sha);
    expect(await again.files.list()).toEqual(["README.md", "kept.txt", "src/a.txt"]);
    expect(existsSync(join(again.path, ".git"))).toBe(false);
  });

  it("refuses a run id that could be a path", async () => {
    await expect(fixture.open({ run: "../x" })).rejects.toMatchObject({ code: "INPUT_INVALID" });
  });

  it("reset throws uncommitted work away and keeps what is ignored", async () => {
    await workspace.files.write(".gitignore", "cache/\n");
    await workspace.commit({ message: "Ignore" });
    await workspace.files.write("cache/x", "x");
    await workspace.files.write("new/file.txt", "n");
    await workspace.files.write("README.md", "changed");
    await workspace.files.remove("src/a.txt");
    await workspace.box.run(
      { command: "git init -q nested && touch nested/f", timeoutMs: 10_000 },
      fixture.signal,
    );
    await workspace.reset();
    expect(await workspace.changes()).toEqual([]);
    expect(existsSync(join(workspace.path, "nested"))).toBe(false);
    expect((await workspace.files.read("README.md"))?.toString()).toBe("# Shop\n");
    expect((await workspace.files.read("cache/x"))?.toString()).toBe("x");
  });

  it("close removes the checkout and may be called twice; sweep removes the others", async () => {
    const other = await fixture.open({ run: "01RUNB", branch: "agent/REQ-2" });
    // As Go leaves its module cache: read-only.
    mkdirSync(join(other.path, "sealed"));
    writeFileSync(join(other.path, "sealed/f"), "");
    chmodSync(join(other.path, "sealed"), 0o555);
    await workspace.close();
    await workspace.close();
    expect(existsSync(workspace.path)).toBe(false);
    expect(await fixture.workspaces.sweep(["01RUNB"])).toEqual([]);
    expect(await fixture.workspaces.sweep([])).toEqual(["01RUNB"]);
    expect(existsSync(other.path)).toBe(false);
    expect(await workspace.mirror.resolve("refs/accrue/runs/01RUNB")).toBeNull();
  });
});

describe("a workspace's commit", () => {
  it("FI-01 FI-07 FI-10 keeps every byte, name and mode", async () => {
    const mixed = Buffer.from("one\r\ntwo\nthree", "latin1");
    const gbk = Buffer.from([0xb9, 0xca, 0xca, 0xc2, 0x0d, 0x0a]);
    await workspace.files.write("故事/第一章.md", mixed);
    await workspace.files.write("gbk.txt", gbk);
    await workspace.files.write("-x.txt", "dash\n");
    await workspace.files.write("run.sh", "#!/bin/sh\n");
    await workspace.box.run(
      { command: "chmod +x run.sh && ln -s README.md LINK.md", timeoutMs: 10_000 },
      fixture.signal,
    );
    expect(await workspace.changes()).toEqual([
      { path: "-x.txt", status: "added", mode: "100644" },
      { path: "LINK.md", status: "added", mode: "120000" },
      { path: "gbk.txt", status: "added", mode: "100644" },
      { path: "run.sh", status: "added", mode: "100755" },
      { path: "故事/第一章.md", status: "added", mode: "100644" },
    ]);
    await workspace.commit({ message: "Add" });
    await workspace.push(fixture.signal);
    const show = (path: string) => Buffer.from(remoteFile(fixture, "agent/REQ-1", path), "utf8");
    expect(show("故事/第一章.md").equals(mixed)).toBe(true);
    const blob = personGit(fixture.remote, "rev-parse", "agent/REQ-1:gbk.txt").trim();
    writeFileSync(join(fixture.root, "gbk.txt"), gbk);
    expect(personGit(fixture.root, "hash-object", "gbk.txt").trim()).toBe(blob);
  });

  it("BR-14 holds only the paths it was told", async () => {
    await workspace.files.write("wanted/a.txt", "a");
    await workspace.files.write("CLAUDE.md", "swapped in");
    await workspace.files.remove("src/a.txt");
    await workspace.commit({ message: "Only these", paths: ["wanted", "src/a.txt"] });
    expect(await workspace.changes()).toEqual([{ path: "CLAUDE.md", status: "added", mode: "100644" }]);
    expect(await workspace.commit({ message: "None", paths: ["nowhere.txt"] })).toBeNull();
  });

  it("is null when nothing changed", async () => {
    expect(await workspace.commit({ message: "Nothing" })).toBeNull();
    await workspace.files.write("README.md", "# Shop\n");
    expect(await workspace.commit({ message: "Nothing" })).toBeNull();
  });

  it("does not hold what package managers leave behind", async () => {
    await workspace.files.write("node_modules/x/index.js", "");
    await workspace.files.write("a/__pycache__/b.pyc", "");
    expect(await workspace.changes()).toEqual([]);
  });

  it("takes a folder that became a link, and a link that became a folder", async () => {
    await workspace.box.run(
      { command: "mkdir other && mv src/a.txt other/ && rmdir src && ln -s other src", timeoutMs: 10_000 },
      fixture.signal,
    );
    await workspace.commit({ message: "Link" });
    expect(await workspace.changes()).toEqual([]);
    await workspace.box.run(
      { command: "rm src && mkdir src && echo b > src/b.txt", timeoutMs: 10_000 },
      fixture.signal,
    );
    await workspace.commit({ message: "Folder" });
    await workspace.push(fixture.signal);
    expect(remoteFile(fixture, "agent/REQ-1", "src/b.txt")).toBe("b\n");
  });

  it.each(["/etc/passwd", "../../outside", "../x"])("refuses a link to %s", async (target) => {
    symlinkSync(target, join(workspace.path, "link"));
    await expect(workspace.commit({ message: "Link" })).rejects.toMatchObject({ code: "PATH_OUTSIDE" });
  });

  it("refuses a repository inside the tree and says what to do", async () => {
    await workspace.box.run(
      { command: "git init -q sub && echo x > sub/f", timeoutMs: 10_000 },
      fixture.signal,
    );
    await workspace.files.write("fine.txt", "f");
    expect(await workspace.changes()).toContainEqual({ path: "sub", status: "added", mode: "160000" });
    await expect(workspace.commit({ message: "All" })).rejects.toThrow(/delete sub\/\.git/);
    expect(await workspace.commit({ message: "Fine", paths: ["fine.txt"] })).not.toBeNull();
    rmSync(join(workspace.path, "sub/.git"), { recursive: true });
    expect(await workspace.commit({ message: "All" })).not.toBeNull();
  });
});
