import { mkdirSync, mkdtempSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createGit, listHistory, listTree } from "../../src/git/index.js";

const signal = AbortSignal.timeout(60_000);
let root = "";
let folder = "";
const git = () => createGit({ home: join(root, "home"), path: process.env["PATH"] ?? "" });
const run = (...args: string[]) =>
  git().run(args, { folder, signal, identity: { name: "T", email: "t@example.org", at: 1_700_000_000_000 } });
const write = (path: string, text: string) => {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), text);
};
const listed = async () =>
  Object.fromEntries((await listTree(git(), { folder, signal })).map(({ path, blob }) => [path, blob]));

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), "accrue-tree-"));
  folder = join(root, "repository");
  mkdirSync(folder);
  await run("init", "-q");
  write("a.ts", "a\n");
  write("目录/文件 é.ts", "b\n");
  write(".gitignore", "ignored/\n");
  await run("add", "-A");
  await run("commit", "-qm", "first");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const A = "78981922613b2afb6025042ff6bd878ac1994e85";
const B = "61780798228d17af2d34fce4cfbdf35556832472";

describe("the listing of a work tree", () => {
  it("CM-02 gives git's ids and paths as they are, whatever their letters", async () => {
    const found = await listed();
    expect(Object.keys(found)).toEqual([".gitignore", "a.ts", "目录/文件 é.ts"]);
    expect(found).toMatchObject({ "a.ts": A, "目录/文件 é.ts": B });
  });

  it("gives no id for what git does not know as it stands, and nothing of what is gone or ignored", async () => {
    write("a.ts", "changed\n");
    write("new folder/new.ts", "n\n");
    write("ignored/x.ts", "x\n");
    unlinkSync(join(folder, "目录/文件 é.ts"));
    expect(await listed()).toMatchObject({ "a.ts": null, "new folder/new.ts": null });
    expect(Object.keys(await listed())).toEqual([".gitignore", "a.ts", "new folder/new.ts"]);
  });

  it("knows what was staged by its id, and what was changed again after that by none", async () => {
    write("a.ts", "b\n");
    write("c.ts", "b\n");
    await run("add", "-A");
    expect(await listed()).toMatchObject({ "a.ts": B, "c.ts": B });
    write("c.ts", "c\n");
    expect(await listed()).toMatchObject({ "a.ts": B, "c.ts": null });
  });

  it("CM-22 leaves out links, submodules and repositories inside the tree", async () => {
    symlinkSync("a.ts", join(folder, "link.ts"));
    await run("add", "link.ts");
    await run("update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},module`);
    mkdirSync(join(folder, "inner"));
    await git().run(["init", "-q"], { folder: join(folder, "inner"), signal });
    write("inner/x.ts", "x\n");
    expect(Object.keys(await listed())).toEqual([".gitignore", "a.ts", "目录/文件 é.ts"]);
  });

  it("names a file once that a merge left in conflict, without an id", async () => {
    await run("checkout", "-qb", "other");
    write("a.ts", "theirs\n");
    await run("commit", "-qam", "theirs");
    await run("checkout", "-q", "-");
    write("a.ts", "ours\n");
    await run("commit", "-qam", "ours");
    await expect(run("merge", "other")).rejects.toThrow();
    expect(await listed()).toMatchObject({ "a.ts": null });
  });
});

describe("the history of a branch", () => {
  it("gives messages and paths, newest first, a merge with what it brought in", async () => {
    write("b.ts", "b\n");
    await run("add", "-A");
    await run("commit", "-qm", "Add b\n\nIt was missing.");
    await run("checkout", "-qb", "side");
    write("目录/c.ts", "c\n");
    await run("add", "-A");
    await run("commit", "-qm", "Add c");
    await run("checkout", "-q", "-");
    await run("merge", "-q", "--no-ff", "-m", "Merge side", "side");
    const history = (limit: number, revision = "HEAD") =>
      listHistory(git(), { revision, limit }, { folder, signal });
    const sha = expect.stringMatching(/^[0-9a-f]{40}$/);
    expect(await history(10)).toEqual([
      { sha, message: "Merge side", files: ["目录/c.ts"] },
      { sha, message: "Add b\n\nIt was missing.", files: ["b.ts"] },
      { sha, message: "first", files: [".gitignore", "a.ts", "目录/文件 é.ts"] },
    ]);
    expect(await history(1)).toHaveLength(1);
    expect(await history(1, "nowhere")).toEqual([]);
  });
});
