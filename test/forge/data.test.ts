import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startWorld, type World } from "./fixture.js";

let world: World;
let main: string;
beforeAll(async () => {
  world = await startWorld();
  main = (await world.ask("GET", "/repos/acme/shop/commits/main", { token: world.bot })).json.sha;
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.events();
});

const REPOSITORY = "/repos/acme/shop";
const get = (path: string, accept?: string) =>
  world.ask("GET", `${REPOSITORY}${path}`, { token: world.bot, ...(accept ? { accept } : {}) });
const post = (path: string, body: unknown) =>
  world.ask("POST", `${REPOSITORY}${path}`, { token: world.bot, body });

describe("contents", () => {
  it("of a file come as base64 or raw, of a folder as a list", async () => {
    const file = await get("/contents/src/a.ts?ref=main");
    expect(file.json).toMatchObject({ type: "file", path: "src/a.ts", encoding: "base64", size: 20 });
    expect(Buffer.from(file.json.content, "base64").toString()).toBe("export const a = 1;\n");
    expect((await get("/contents/README.md", "application/vnd.github.raw+json")).text).toBe("# Shop\n");
    expect((await get("/contents/src")).json).toMatchObject([{ name: "a.ts", path: "src/a.ts" }]);
  });

  it("of what is not there are not found", async () => {
    expect((await get("/contents/none.txt")).status).toBe(404);
    expect((await get("/contents/src/a.ts/deeper")).status).toBe(404);
    expect(await get("/contents/README.md?ref=none")).toMatchObject({
      status: 404,
      json: { message: "No commit found for the ref none" },
    });
  });

  it("need the permission for contents", async () => {
    const { json } = await world.ask("POST", `/app/installations/${world.installation}/access_tokens`, {
      token: world.jwt(),
      body: { permissions: { issues: "write" } },
    });
    expect((await world.ask("GET", `${REPOSITORY}/contents/README.md`, { token: json.token })).status).toBe(
      403,
    );
  });
});

describe("a repository without commits (BR-11)", () => {
  it("says that it is empty", async () => {
    await world.forge.control.addRepository({ owner: "acme", name: "empty" });
    const ask = (path: string) => world.ask("GET", `/repos/acme/empty${path}`, { token: world.bot });
    expect((await ask("")).json.default_branch).toBe("main");
    for (const path of ["/git/ref/heads/main", "/commits"])
      expect(await ask(path)).toMatchObject({ status: 409, json: { message: "Git Repository is empty." } });
    expect(await ask("/contents/README.md")).toMatchObject({
      status: 404,
      json: { message: "This repository is empty." },
    });
    expect((await ask("/branches")).json).toEqual([]);
  });
});

describe("refs", () => {
  it("are created, moved and deleted, each as a push", async () => {
    const created = await post("/git/refs", { ref: "refs/heads/made", sha: main });
    expect(created).toMatchObject({
      status: 201,
      json: { ref: "refs/heads/made", object: { sha: main, type: "commit" } },
    });
    const next = await world.forge.control.commit({
      repository: "acme/shop",
      branch: "next",
      files: { n: "n" },
      message: "n",
      login: "lee",
    });
    await world.events();
    const move = (sha: string, force?: boolean) =>
      world.ask("PATCH", `${REPOSITORY}/git/refs/heads/made`, {
        token: world.bot,
        body: { sha, ...(force === undefined ? {} : { force }) },
      });
    expect((await move(next)).json.object.sha).toBe(next);
    expect(await move(main)).toMatchObject({
      status: 422,
      json: { message: "Update is not a fast forward" },
    });
    expect((await move(main, true)).status).toBe(200);
    const path = `${REPOSITORY}/git/refs/heads/made`;
    expect((await world.ask("DELETE", path, { token: world.bot })).status).toBe(204);
    expect((await world.ask("DELETE", path, { token: world.bot })).status).toBe(422);
    expect(await world.events()).toEqual([
      "push",
      "check_suite.requested",
      "push",
      "check_suite.requested",
      "push",
      "delete",
    ]);
    expect((await get("/git/ref/heads/made")).status).toBe(404);
  });

  it.each([
    ["exists (BR-10)", { ref: "refs/heads/main" }, "Reference already exists"],
    ["points to nothing", { sha: "0".repeat(39) + "1" }, "Object does not exist"],
    [
      "has a name that git refuses (BR-05)",
      { ref: "refs/heads/area:permissions" },
      "Reference name is invalid",
    ],
    ["is no full name", { ref: "refs/x" }, "Reference name is invalid"],
  ])("are refused when one %s", async (_what, part, message) => {
    const answer = await post("/git/refs", { ref: "refs/heads/other", sha: main, ...part });
    expect(answer).toMatchObject({ status: 422, json: { message } });
  });

  it("of a protected branch are not moved by the App (BR-25, BR-29)", async () => {
    world.forge.control.protectBranch("acme/shop", "release");
    const answer = await post("/git/refs", { ref: "refs/heads/release", sha: main });
    expect(answer.status).toBe(422);
    expect(answer.json.message).toMatch(/^GH006: Protected branch update failed for refs\/heads\/release/);
    await world.forge.control.commit({
      repository: "acme/shop",
      branch: "release",
      files: { r: "r" },
      message: "r",
      login: "lee",
    });
    expect((await get("/branches/release")).json.protected).toBe(true);
  });

  it("are found by prefix, and branches by name", async () => {
    const found = await get("/git/matching-refs/heads/ma");
    expect(found.json.map((one: { ref: string }) => one.ref)).toEqual(["refs/heads/main"]);
    expect((await get("/branches?per_page=100")).json).toContainEqual(
      expect.objectContaining({ name: "main", protected: false }),
    );
    expect((await get("/branches/none")).json.message).toBe("Branch not found");
  });
});

describe("git objects", () => {
  it("make a commit file by file, bytes intact (FI-01, FI-03)", async () => {
    const bytes = Buffer.from([0, 255, 254, 10, 13, 0]);
    const blob = await post("/git/blobs", { content: bytes.toString("base64"), encoding: "base64" });
    const base = (await get(`/git/commits/${main}`)).json.tree.sha;
    const tree = await post("/git/trees", {
      base_tree: base,
      tree: [
        { path: "bin/data.bmp", mode: "100644", type: "blob", sha: blob.json.sha },
        { path: "run.sh", mode: "100755", type: "blob", content: "#!/bin/sh\n" },
        { path: "link", mode: "120000", type: "blob", content: "README.md" },
        { path: "src/a.ts", mode: "100644", type: "blob", sha: null },
      ],
    });
    expect(tree.status).toBe(201);
    const commit = await post("/git/commits", { message: "By API", tree: tree.json.sha, parents: [main] });
    expect(commit.json).toMatchObject({
      message: "By API",
      parents: [{ sha: main }],
      author: { name: "accrue[bot]", email: expect.stringMatching(/^\d+\+accrue\[bot\]@users\.noreply\./) },
    });
    await post("/git/refs", { ref: "refs/heads/by-api", sha: commit.json.sha });
    const read = await get("/git/trees/by-api?recursive=1");
    expect(read.json.tree.map((one: { mode: string; path: string }) => `${one.mode} ${one.path}`)).toEqual([
      "100644 README.md",
      "040000 bin",
      "100644 bin/data.bmp",
      "120000 link",
      "100755 run.sh",
    ]);
    const back = await get(`/git/blobs/${blob.json.sha}`);
    expect(Buffer.from(back.json.content, "base64").equals(bytes)).toBe(true);
    const shown = await get("/commits/by-api");
    expect(shown.json).toMatchObject({
      author: { login: "accrue[bot]" },
      stats: { additions: 2, deletions: 1, total: 3 },
    });
    expect(shown.json.files.map((one: { filename: string }) => one.filename)).toContain("bin/data.bmp");
  });

  it("are refused when what they name is not there", async () => {
    const none = "1".repeat(40);
    expect((await post("/git/commits", { message: "m", tree: none })).status).toBe(422);
    expect((await post("/git/commits", { message: "m", tree: main, parents: [none] })).status).toBe(422);
    const tree = [{ path: "x", mode: "100644", type: "blob", sha: none }];
    expect((await post("/git/trees", { tree })).status).toBe(422);
    expect((await get(`/git/blobs/${none}`)).status).toBe(404);
    expect((await get(`/git/commits/${none}`)).status).toBe(404);
  });
});

describe("commits", () => {
  it("are listed by branch and path, page by page", async () => {
    for (const i of [1, 2, 3])
      await world.forge.control.commit({
        repository: "acme/shop",
        branch: "history",
        files: { [i === 2 ? "two.txt" : "others.txt"]: String(i) },
        message: `Change ${i}\n\nBody`,
        login: "lee",
      });
    const messages = async (query: string) =>
      (await get(`/commits?sha=history&${query}`)).json.map((one: { commit: { message: string } }) =>
        one.commit.message.slice(0, 8),
      );
    expect(await messages("")).toEqual(["Change 3", "Change 2", "Change 1", "Initial "]);
    expect(await messages("path=two.txt")).toEqual(["Change 2"]);
    expect(await messages("per_page=1&page=2")).toEqual(["Change 2"]);
    expect((await get("/commits?sha=none")).status).toBe(404);
    expect((await get("/commits/none")).json.message).toBe("No commit found for SHA: none");
    expect((await get("/commits/history", "application/vnd.github.diff")).text).toContain("+++ b/others.txt");
  });

  it("are compared from where they parted", async () => {
    await world.forge.control.commit({
      repository: "acme/shop",
      branch: "main",
      files: { moved: "on" },
      message: "Move on",
      login: "lee",
    });
    const { json } = await get("/compare/main...acme:history");
    expect(json).toMatchObject({
      status: "diverged",
      ahead_by: 3,
      behind_by: 1,
      total_commits: 3,
      merge_base_commit: { sha: main },
    });
    expect(json.files.map((one: { filename: string }) => one.filename)).toEqual(["others.txt", "two.txt"]);
    expect((await get("/compare/main...main")).json).toMatchObject({
      status: "identical",
      commits: [],
      files: [],
    });
    expect((await get("/compare/main...none")).status).toBe(404);
  });
});

// GitHub's description has no operation for the root folder, so this is asked of a forge without a log.
describe("the root folder", () => {
  it("is listed under an empty path", async () => {
    const quiet = await startWorld({ logFile: null });
    try {
      for (const path of ["", "/"]) {
        const folder = await quiet.ask("GET", `${REPOSITORY}/contents${path}`, { token: quiet.bot });
        expect(folder.json.map((one: { type: string; path: string }) => [one.type, one.path])).toEqual([
          ["file", "README.md"],
          ["dir", "src"],
        ]);
      }
    } finally {
      await quiet.close();
    }
  });
});
