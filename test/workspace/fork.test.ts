import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Workspace } from "../../src/workspace/index.js";
import { type Fixture, makeFixture } from "./fixture.js";

let fixture: Fixture;
let workspace: Workspace;
const text = async (files: Workspace["files"], path: string) => (await files.read(path))?.toString() ?? null;

beforeEach(async () => {
  fixture = makeFixture();
  workspace = await fixture.open();
  await workspace.files.write(".gitignore", "node_modules/\n");
  await workspace.commit({ message: "Ignore" });
  await workspace.files.write("draft.txt", "not committed\n");
  mkdirSync(join(workspace.path, "node_modules"));
  writeFileSync(join(workspace.path, "node_modules/tool.js"), "1\n");
});
afterEach(() => fixture.close());

describe("a fork of a workspace", () => {
  it("holds what the checkout holds, committed or not, with its installed dependencies", async () => {
    const fork = await workspace.fork("t1", fixture.signal);
    expect(await fork.files.list()).toEqual([".gitignore", "README.md", "draft.txt", "src/a.txt"]);
    const seen = await fork.box.run(
      { command: "cat draft.txt node_modules/tool.js", timeoutMs: 10_000 },
      fixture.signal,
    );
    expect(seen.output).toBe("not committed\n1\n");
    await fork.close();
    await fork.close();
  });

  it("lists its files by git's ids, and without one what differs from them, as the checkout does", async () => {
    const README = expect.stringMatching(/^[0-9a-f]{40}$/);
    const known = { ".gitignore": README, "README.md": README, "src/a.txt": README };
    const listed = async ({ tree }: Pick<Workspace, "tree">) =>
      Object.fromEntries((await tree(fixture.signal)).map(({ path, blob }) => [path, blob]));
    expect(await listed(workspace)).toEqual({ ...known, "draft.txt": null });
    const fork = await workspace.fork("t1", fixture.signal);
    await fork.files.write("README.md", "changed\n");
    await fork.files.remove("src/a.txt");
    const { [".gitignore"]: ignore, "README.md": readme, ...rest } = await listed(fork);
    expect([ignore, readme]).toEqual([README, null]);
    expect(Object.keys(rest)).toEqual(["draft.txt"]);
    expect(await listed(workspace)).toMatchObject(known);
    await fork.close();
  });

  it("keeps its changes to itself until they are adopted, and then brings them uncommitted", async () => {
    const fork = await workspace.fork("t1", fixture.signal);
    await fork.files.write("src/new.txt", "new\n");
    await fork.files.write("draft.txt", "better\n");
    await fork.files.remove("README.md");
    await fork.box.run({ command: "echo x > node_modules/tool.js", timeoutMs: 10_000 }, fixture.signal);
    expect(await text(workspace.files, "draft.txt")).toBe("not committed\n");
    const head = await workspace.head();
    expect(await (await fork.seal()).adopt()).toEqual({
      kind: "adopted",
      changes: [
        { path: "README.md", status: "deleted" },
        { path: "draft.txt", status: "modified" },
        { path: "src/new.txt", status: "added" },
      ],
    });
    expect(await workspace.head()).toBe(head);
    expect(await text(workspace.files, "draft.txt")).toBe("better\n");
    expect(existsSync(join(workspace.path, "README.md"))).toBe(false);
    const tool = await workspace.box.run(
      { command: "cat node_modules/tool.js", timeoutMs: 10_000 },
      fixture.signal,
    );
    expect(tool.output).toBe("1\n");
    expect((await workspace.changes()).map(({ path, status }) => `${status} ${path}`)).toEqual([
      "deleted README.md",
      "added draft.txt",
      "added src/new.txt",
    ]);
  });

  it("side by side with another is merged, and refused where both changed the same place", async () => {
    const [one, two, three] = await Promise.all(
      ["one", "two", "three"].map((name) => workspace.fork(name, fixture.signal)),
    );
    await one?.files.write("src/a.txt", "ONE\ntwo\nthree\n");
    await two?.files.write("src/b.txt", "b\n");
    await three?.files.write("src/a.txt", "eins\ntwo\nthree\n");
    expect(await (await one?.seal())?.adopt()).toMatchObject({ kind: "adopted" });
    expect(await (await two?.seal())?.adopt()).toEqual({
      kind: "adopted",
      changes: [{ path: "src/b.txt", status: "added" }],
    });
    expect(await (await three?.seal())?.adopt()).toEqual({
      kind: "conflict",
      message: "The same places of src/a.txt were changed meanwhile.",
    });
    expect(await text(workspace.files, "src/a.txt")).toBe("ONE\ntwo\nthree\n");
    expect(await text(workspace.files, "src/b.txt")).toBe("b\n");
  });

  it("leaves alone what somebody wrote into the checkout behind our back, whether it is in the way or not", async () => {
    await workspace.commit({ message: "All of it" });
    const [one, two] = await Promise.all(["one", "two"].map((name) => workspace.fork(name, fixture.signal)));
    await one?.files.write("src/b.txt", "b\n");
    await two?.files.write("src/a.txt", "eins\ntwo\nthree\n");
    writeFileSync(join(workspace.path, "src/a.txt"), "one\ntwo\nDREI\nfour\n");
    expect(await (await one?.seal())?.adopt()).toMatchObject({ kind: "adopted" });
    expect(await text(workspace.files, "src/a.txt")).toBe("one\ntwo\nDREI\nfour\n");
    await workspace.commit({ message: "One" });
    writeFileSync(join(workspace.path, "src/a.txt"), "uno\ntwo\nDREI\nfour\n");
    expect(await (await two?.seal())?.adopt()).toMatchObject({ kind: "conflict" });
    expect(await text(workspace.files, "src/a.txt")).toBe("uno\ntwo\nDREI\nfour\n");
  });

  it("is not made when the run is stopped in the middle of it, and leaves nothing", async () => {
    for (let at = 0; at < 300; at++) writeFileSync(join(workspace.path, `node_modules/${at}.js`), "1\n");
    const forks = join(workspace.path, "../forks");
    const stop = new AbortController();
    const making = workspace.fork("t1", stop.signal);
    const stopInTheMiddle = async () => {
      while (!existsSync(join(forks, "t1/tree"))) await new Promise((later) => setImmediate(later));
      stop.abort(new Error("stopped by a person"));
    };
    await expect(Promise.all([making, stopInTheMiddle()])).rejects.toThrow("stopped by a person");
    expect(readdirSync(forks)).toEqual([]);
  });

  it("goes with its workspace", async () => {
    const fork = await workspace.fork("t1", fixture.signal);
    await fork.files.write("x", "x");
    await workspace.close();
    expect(existsSync(join(workspace.path, "..", "forks"))).toBe(false);
    await fork.close();
  });

  it("has a name that cannot be a path", async () => {
    await expect(workspace.fork("../x", fixture.signal)).rejects.toMatchObject({ code: "INPUT_INVALID" });
  });
});
