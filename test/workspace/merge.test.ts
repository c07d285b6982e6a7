import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Mirror } from "../../src/workspace/index.js";
import { type Fixture, makeFixture, personGit, remoteTip } from "./fixture.js";

let fixture: Fixture;
let mirror: Mirror;
let start: string;
beforeEach(async () => {
  fixture = makeFixture();
  mirror = await fixture.workspaces.mirror(fixture.mirrorInput(), fixture.signal);
  start = (await mirror.resolve("main")) ?? "";
});
afterEach(() => fixture.close());

const on = (parent: string, files: Record<string, string | null>) =>
  mirror.commit({ parent, writes: new Map(Object.entries(files)), message: "change" });

describe("a merge without a checkout", () => {
  it("joins what two sides changed in different places, and takes the newer where one holds the other", async () => {
    const ours = await on(start, { "context/a.md": "a\n" });
    const theirs = await on(start, { "context/b.md": "b\n" });
    const merged = await mirror.merge({ ours, theirs, message: "merge" });
    if (merged.kind !== "merged") throw new Error(merged.kind);
    expect([...(await mirror.readFiles(merged.sha, ["context/"])).keys()]).toEqual([
      "context/a.md",
      "context/b.md",
    ]);
    expect(await mirror.merge({ ours: start, theirs: ours, message: "" })).toMatchObject({
      kind: "merged",
      sha: ours,
    });
    expect(await mirror.merge({ ours, theirs: start, message: "" })).toMatchObject({
      kind: "merged",
      sha: ours,
    });
  });

  it("names what conflicts with the commit that both come from, and writes what it is told instead", async () => {
    const base = await on(start, { "context/a.md": "a\n", "context/gone.md": "1\n" });
    const ours = await on(base, { "context/a.md": "ours\n", "context/gone.md": null });
    const theirs = await on(base, { "context/a.md": "theirs\n", "context/gone.md": "2\n" });
    const conflict = await mirror.merge({ ours, theirs, message: "merge" });
    expect(conflict).toEqual({ kind: "conflict", base, paths: ["context/a.md", "context/gone.md"] });
    const half = new Map([["context/a.md", "both\n"]]);
    expect((await mirror.merge({ ours, theirs, message: "merge", resolved: half })).kind).toBe("conflict");
    const resolved = new Map<string, string | null>([...half, ["context/gone.md", null]]);
    const merged = await mirror.merge({ ours, theirs, message: "merge", resolved });
    if (merged.kind !== "merged") throw new Error(merged.kind);
    expect(await mirror.readFiles(merged.sha, ["context/"])).toEqual(half);
    expect(await mirror.ahead(theirs, merged.sha)).toBe(2);
  });

  it("leaves a new file where it was written, when the other side has moved all others of its folder", async () => {
    const text = (number: number) => `# Lesson ${number}\n\n${"the same words in each of them\n".repeat(20)}`;
    const base = await on(start, { "context/deposits/1.md": text(1), "context/deposits/2.md": text(2) });
    const filed = { "context/experience/1.md": text(1), "context/experience/2.md": text(2) };
    const ours = await on(base, { "context/deposits/1.md": null, "context/deposits/2.md": null, ...filed });
    const theirs = await on(base, { "context/deposits/3.md": text(3) });
    // As GitHub sees it, nobody knows where the new file belongs.
    const path = "context/experience/3.md";
    expect(await mirror.merge({ ours, theirs, message: "" })).toEqual({
      kind: "conflict",
      base,
      paths: [path],
    });
    const resolved = new Map([["context/deposits/3.md", text(3)]]);
    const merged = await mirror.merge({ ours, theirs, message: "", resolved });
    if (merged.kind !== "merged") throw new Error(merged.kind);
    expect([...(await mirror.readFiles(merged.sha, ["context/"])).keys()]).toEqual([
      "context/deposits/3.md",
      ...Object.keys(filed),
    ]);
  });
});

describe("a push onto a commit", () => {
  it("is refused when a person has taken the branch back meanwhile, so that nothing returns that they threw away", async () => {
    const moved = fixture.commit({ "b.txt": "b\n" });
    await mirror.fetch({}, fixture.signal);
    const sha = await on(moved, { "context/a.md": "a\n" });
    personGit(fixture.person, "push", "-q", "--force", "origin", `${start}:refs/heads/main`);
    const push = { sha, branch: "main", create: false };
    expect(await mirror.push({ ...push, onto: moved }, fixture.signal)).toMatchObject({
      kind: "refused",
      reason: "stale",
    });
    expect(remoteTip(fixture, "main")).toBe(start);
  });

  it("may follow a branch without taking its files over", async () => {
    const left = await on(start, { "context/old.md": "old\n" });
    await mirror.push({ sha: left, branch: "standing", create: true }, fixture.signal);
    const writes = new Map([["context/new.md", "new\n"]]);
    const sha = await mirror.commit({ parent: start, writes, message: "anew", follows: left });
    const push = { sha, branch: "standing", create: false, onto: left };
    expect((await mirror.push(push, fixture.signal)).kind).toBe("pushed");
    expect(await mirror.readFiles(sha, ["context/"])).toEqual(writes);
  });
});

it("names the branches that have more than another, as those that are still to be merged", async () => {
  fixture.commit({ "b.txt": "b\n" }, "agent/REQ-1-open");
  personGit(fixture.person, "push", "-q", "origin", `${start}:refs/heads/agent/REQ-2-merged`);
  await mirror.fetch({}, fixture.signal);
  expect((await mirror.branches("agent/", start)).map(({ name }) => name)).toEqual(["agent/REQ-1-open"]);
});

it("tells who wrote what a branch has more", async () => {
  const theirs = fixture.commit({ "b.txt": "b\n" }, "theirs");
  await mirror.fetch({}, fixture.signal);
  const sha = await on(theirs, { "context/a.md": "a\n" });
  const authors = await mirror.authors(start, sha);
  expect(authors).toHaveLength(2);
  expect(authors).toContain("lee@example.org");
  expect(await mirror.authors(sha, sha)).toEqual([]);
});
