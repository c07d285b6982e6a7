import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, describe, it } from "vitest";
import type { Workspace } from "../../src/workspace/index.js";
import { type Fixture, makeFixture, personGit, remoteFile, remoteTip } from "./fixture.js";

const FILTERS = ["filter.x.clean=PAYLOAD", "filter.x.smudge=PAYLOAD", "filter.x.process=PAYLOAD"];
let fixture: Fixture;
let workspace: Workspace;
let payload = "";
let trace = "";

beforeEach(async () => {
  fixture = makeFixture();
  workspace = await fixture.open();
  trace = join(fixture.root, "pwned");
  payload = join(workspace.path, "payload.sh");
  writeFileSync(payload, `#!/bin/sh\necho "$0 $*" >> ${trace}\ncat\n`, { mode: 0o755 });
});
afterEach(() => fixture.close());

/** Makes a repository the way an agent could, in a folder of the tree. */
function plant(folder: string): string {
  const path = join(workspace.path, folder);
  mkdirSync(path, { recursive: true });
  personGit(path, "init", "-q", "-b", "main");
  return path;
}

/** Makes its configuration name the payload wherever git may run a program. */
function arm(path: string, settings: readonly string[]): void {
  for (const setting of settings) {
    const [key = "", value = ""] = setting.split("=");
    personGit(path, "config", "--file", join(path, ".git/config"), key, value.replace("PAYLOAD", payload));
  }
}

async function useEverything(): Promise<void> {
  await workspace.files.write("feature.txt", "agent work\n");
  await workspace.changes();
  await workspace.files.list();
  await workspace.commit({ message: "Work", paths: ["feature.txt", "README.md", ".gitattributes"] });
  const pushed = await workspace.push(fixture.signal);
  expect(pushed.kind).toBe("pushed");
  await workspace.reset();
  expect(existsSync(trace) ? readFileSync(trace, "utf8") : "").toBe("");
  expect(remoteFile(fixture, "agent/REQ-1", "feature.txt")).toBe("agent work\n");
}

describe("nothing an agent leaves in the tree runs on the host", () => {
  it("hooks", async () => {
    const path = plant(".");
    for (const hook of [
      "pre-commit",
      "pre-push",
      "reference-transaction",
      "post-index-change",
      "post-checkout",
    ]) {
      mkdirSync(join(path, ".git/hooks"), { recursive: true });
      writeFileSync(join(path, ".git/hooks", hook), readFileSync(payload), { mode: 0o755 });
    }
    await useEverything();
  });

  it("settings that name programs, proxies and other places", async () => {
    arm(plant("."), [
      "core.fsmonitor=PAYLOAD",
      "core.hooksPath=.",
      "core.sshCommand=PAYLOAD",
      "core.askPass=PAYLOAD",
      "credential.helper=!PAYLOAD",
      "diff.external=PAYLOAD",
      "core.pager=PAYLOAD",
      "gpg.program=PAYLOAD",
      "http.proxy=http://127.0.0.1:1",
      "url.http://127.0.0.1:1/.insteadOf=/",
      "core.worktree=/",
    ]);
    await useEverything();
  });

  it("clean, smudge and process filters and merge drivers", async () => {
    arm(plant("."), [...FILTERS, "merge.x.driver=PAYLOAD", "diff.x.textconv=PAYLOAD"]);
    writeFileSync(join(workspace.path, ".gitattributes"), "* filter=x merge=x diff=x\n");
    await useEverything();
  });

  it("a .git file that leads elsewhere", async () => {
    const elsewhere = join(fixture.root, "elsewhere");
    personGit(fixture.root, "init", "-q", "--bare", elsewhere);
    personGit(elsewhere, "config", "--file", join(elsewhere, "config"), "core.fsmonitor", payload);
    writeFileSync(join(workspace.path, ".git"), `gitdir: ${elsewhere}\n`);
    await useEverything();
  });

  it("a repository inside the tree, with files changed since its own commit", async () => {
    const path = plant("sub");
    writeFileSync(join(path, "t.txt"), "v1");
    writeFileSync(join(path, ".gitattributes"), "*.txt filter=x\n");
    personGit(path, "add", "-A");
    personGit(path, "commit", "-q", "-m", "s");
    writeFileSync(join(path, "t.txt"), "v2");
    arm(path, [...FILTERS, "core.fsmonitor=PAYLOAD"]);
    await useEverything();
  });

  it("a repository where a tracked folder is: its files are committed all the same", async () => {
    const path = plant("src");
    writeFileSync(join(path, ".gitattributes"), "* filter=x\n");
    arm(path, [...FILTERS, "core.fsmonitor=PAYLOAD"]);
    await workspace.files.write("src/a.txt", "changed\n");
    await workspace.files.write("src/b.txt", "new\n");
    expect((await workspace.changes()).map((change) => change.path)).toContain("src/b.txt");
    await workspace.commit({ message: "Work", paths: ["src"] });
    await workspace.push(fixture.signal);
    expect(existsSync(trace)).toBe(false);
    expect(remoteFile(fixture, "agent/REQ-1", "src/a.txt")).toBe("changed\n");
  });

  it("a repository where a submodule belongs", async () => {
    const sha = remoteTip(fixture, "main") ?? "";
    personGit(fixture.person, "update-index", "--add", "--cacheinfo", `160000,${sha},sub`);
    personGit(fixture.person, "commit", "-q", "-m", "A submodule");
    personGit(fixture.person, "push", "-q", "origin", "HEAD:main");
    workspace = await fixture.open({ run: "01RUNB" });
    rmdirSync(join(workspace.path, "sub"));
    const path = plant("sub");
    writeFileSync(join(path, ".gitattributes"), "* filter=x\n");
    writeFileSync(join(path, "t.txt"), "v1");
    personGit(path, "add", "-A");
    personGit(path, "commit", "-q", "-m", "s");
    writeFileSync(join(path, "t.txt"), "v2");
    arm(path, [...FILTERS, "core.fsmonitor=PAYLOAD"]);
    await useEverything();
    expect(personGit(fixture.remote, "ls-tree", "agent/REQ-1", "sub")).toContain(sha);
  });
});
