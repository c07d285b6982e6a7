import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Fixture, makeFixture, personGit, remoteFile, remoteTip } from "./fixture.js";

const BRANCH = "agent/REQ-1";
let fixture: Fixture;
beforeEach(() => {
  fixture = makeFixture();
});
afterEach(() => fixture.close());

async function openWith(files: Record<string, string>) {
  const workspace = await fixture.open();
  for (const [path, content] of Object.entries(files)) await workspace.files.write(path, content);
  await workspace.commit({ message: "The run's work" });
  return workspace;
}

describe("a workspace's push", () => {
  it("makes the branch, and goes on pushing to it", async () => {
    const workspace = await openWith({ "one.txt": "1" });
    expect(await workspace.push(fixture.signal)).toEqual({
      kind: "pushed",
      branch: BRANCH,
      sha: await workspace.head(),
    });
    await workspace.files.write("two.txt", "2");
    await workspace.commit({ message: "More" });
    expect(await workspace.push(fixture.signal)).toMatchObject({
      kind: "pushed",
      sha: await workspace.head(),
    });
    expect(remoteTip(fixture, BRANCH)).toBe(await workspace.head());
  });

  it("BR-16 SE-22 merges what a person pushed meanwhile, also into the checkout", async () => {
    const workspace = await openWith({ "ours.txt": "o\n" });
    await workspace.push(fixture.signal);
    personGit(fixture.person, "fetch", "-q", "origin");
    personGit(fixture.person, "reset", "-q", "--hard", `origin/${BRANCH}`);
    const theirs = fixture.commit({ "theirs.txt": "t\n" }, BRANCH);
    await workspace.files.write("ours.txt", "o2\n");
    await workspace.commit({ message: "More" });
    expect(await workspace.push(fixture.signal)).toMatchObject({ kind: "pushed", branch: BRANCH });
    expect(remoteFile(fixture, BRANCH, "ours.txt")).toBe("o2\n");
    expect(personGit(fixture.remote, "merge-base", "--is-ancestor", theirs, BRANCH)).toBe("");
    expect((await workspace.files.read("theirs.txt"))?.toString()).toBe("t\n");
    expect(await workspace.changes()).toEqual([]);
    await workspace.files.write("theirs.txt", "t2\n");
    await workspace.box.run({ command: "echo more >> theirs.txt", timeoutMs: 10_000 }, fixture.signal);
    expect((await workspace.files.read("theirs.txt"))?.toString()).toBe("t2\nmore\n");
  });

  it("BR-16 BR-17 on a conflict goes to a branch beside it and leaves the person's commit", async () => {
    const workspace = await openWith({ "src/a.txt": "one\nOURS\nthree\n" });
    const theirs = fixture.commit({ "src/a.txt": "one\nTHEIRS\nthree\n" }, BRANCH);
    const result = await workspace.push(fixture.signal);
    expect(result).toMatchObject({ kind: "pushed-beside", branch: `${BRANCH}-naaaaa` });
    expect(result).toMatchObject({ reason: expect.stringContaining("src/a.txt") });
    expect(remoteTip(fixture, BRANCH)).toBe(theirs);
    expect(remoteFile(fixture, `${BRANCH}-naaaaa`, "src/a.txt")).toContain("OURS");
    expect(await workspace.changes()).toEqual([]);
  });

  it("BR-17 goes beside a branch with another history, such as after a person's force-push", async () => {
    const workspace = await openWith({ "ours.txt": "o" });
    await workspace.push(fixture.signal);
    personGit(fixture.person, "checkout", "-q", "--orphan", "fresh");
    personGit(fixture.person, "commit", "-q", "-m", "Another beginning");
    personGit(fixture.person, "push", "-q", "--force", "origin", `HEAD:${BRANCH}`);
    const theirs = remoteTip(fixture, BRANCH);
    await workspace.files.write("ours.txt", "o2");
    await workspace.commit({ message: "More" });
    expect(await workspace.push(fixture.signal)).toMatchObject({ kind: "pushed-beside" });
    expect(remoteTip(fixture, BRANCH)).toBe(theirs);
  });

  it("R18 SE-17 does not make a branch again that a person deleted", async () => {
    const workspace = await openWith({ "ours.txt": "o" });
    await workspace.push(fixture.signal);
    personGit(fixture.person, "push", "-q", "origin", `:${BRANCH}`);
    await workspace.files.write("ours.txt", "o2");
    await workspace.commit({ message: "More" });
    expect(await workspace.push(fixture.signal)).toMatchObject({ kind: "refused", reason: "gone" });
    expect(remoteTip(fixture, BRANCH)).toBeNull();
  });

  it("SE-79 after a crash pushes what the run had committed", async () => {
    const workspace = await openWith({ "ours.txt": "o" });
    const sha = await workspace.head();
    const again = await fixture.open();
    expect(await again.push(fixture.signal)).toMatchObject({ kind: "pushed", sha });
  });

  it("a merge that uncommitted files stand in the way of loses neither", async () => {
    const workspace = await openWith({ "ours.txt": "o" });
    fixture.commit({ "new.txt": "theirs\n" }, BRANCH);
    await workspace.files.write("new.txt", "not committed\n");
    expect(await workspace.push(fixture.signal)).toMatchObject({ kind: "pushed-beside" });
    expect((await workspace.files.read("new.txt"))?.toString()).toBe("not committed\n");
  });
});

describe("a local repository as the remote", () => {
  const openLocal = async (branch: string) => {
    const mirror = await fixture.workspaces.mirror(fixture.mirrorInput(fixture.person), fixture.signal);
    const workspace = await fixture.workspaces.open(
      { mirror, base: "main", branch, run: "01LOCAL" },
      fixture.signal,
    );
    await workspace.files.write("ours.txt", "o");
    await workspace.commit({ message: "Work" });
    return workspace;
  };

  it("gets a branch; checkout, index and stash stay as they are", async () => {
    writeFileSync(join(fixture.person, "stashed.txt"), "s");
    personGit(fixture.person, "stash", "-u", "-q");
    writeFileSync(join(fixture.person, "README.md"), "being edited");
    writeFileSync(join(fixture.person, "staged.txt"), "staged");
    personGit(fixture.person, "add", "staged.txt");
    const state = () => [
      personGit(fixture.person, "status", "--porcelain"),
      personGit(fixture.person, "stash", "list"),
      personGit(fixture.person, "symbolic-ref", "HEAD"),
    ];
    const before = state();
    const workspace = await openLocal("agent/REQ-9");
    expect(await workspace.push(fixture.signal)).toMatchObject({ kind: "pushed" });
    expect(state()).toEqual(before);
    expect(personGit(fixture.person, "show", "agent/REQ-9:ours.txt")).toBe("o");
  });

  it("BR-25 never gets a push to the branch that is checked out, even where its settings would allow it", async () => {
    personGit(fixture.person, "config", "receive.denyCurrentBranch", "updateInstead");
    const before = personGit(fixture.person, "rev-parse", "main");
    const workspace = await openLocal("main");
    expect(await workspace.push(fixture.signal)).toMatchObject({ kind: "refused", reason: "checked-out" });
    expect(personGit(fixture.person, "rev-parse", "main")).toBe(before);
  });
});
