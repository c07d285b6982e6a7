import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openPull, startWorld, type Json, type World } from "./fixture.js";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.events();
});

const PULLS = "/repos/acme/shop/pulls";
const get = (path: string, accept?: string) =>
  world.ask("GET", path, { token: world.bot, ...(accept ? { accept } : {}) });
const commit = (
  branch: string,
  files: Record<string, string | null>,
  more: { from?: string; login?: string } = {},
) =>
  world.forge.control.commit({
    repository: "acme/shop",
    branch,
    files,
    message: `Change ${branch}`,
    login: "lee",
    ...more,
  });
const open = (body: Record<string, unknown>, token = world.bot) =>
  world.ask("POST", PULLS, { token, body: { title: "T", base: "main", ...body } });

describe("opening a pull request", () => {
  it("answers with what git knows of it, and tells of it", async () => {
    const number = await openPull(world, { branch: "open", draft: true });
    const { json } = await get(`${PULLS}/${number}`);
    expect(json).toMatchObject({
      state: "open",
      draft: true,
      merged: false,
      head: { label: "acme:open", ref: "open" },
      base: { ref: "main", repo: { full_name: "acme/shop" } },
      user: { login: "accrue[bot]" },
      commits: 1,
      additions: 1,
      deletions: 0,
      changed_files: 1,
    });
    expect(await world.events()).toEqual(["push", "create", "check_suite.requested", "pull_request.opened"]);
  });

  it.each([
    ["a head that does not exist", { head: "nothing" }, { field: "head", code: "invalid" }],
    ["a head of an owner without a fork", { head: "rival:x" }, { field: "head", code: "invalid" }],
    [
      "a base that does not exist (BR-08)",
      { head: "open", base: "master" },
      { field: "base", code: "invalid" },
    ],
    [
      "nothing new (BR-13)",
      { head: "main" },
      { code: "custom", message: "No commits between main and main" },
    ],
    [
      "a head that has one",
      { head: "open" },
      { code: "custom", message: "A pull request already exists for acme:open." },
    ],
    ["no title", { head: "open", title: "" }, { field: "title", code: "missing_field" }],
  ])("is refused for %s", async (_what, body, error) => {
    const { status, json } = await open(body);
    expect(status).toBe(422);
    expect(json).toMatchObject({ message: "Validation Failed", errors: [error] });
    expect(await world.events()).toEqual([]);
  });

  it.each([
    "put-back-arm64-#2",
    "fix/#123-x",
    "worktree-feat+foo",
    "feature/paris,france",
    "TICKET-123@add-feature",
    "@hotfix/x",
    "_release/v1.2.3",
    "user/name.with.dots",
    "a&b",
    "a$b",
    "a(b)",
    "a'b",
    "feature/テスト",
  ])("works for the branch %s (BR-01, BR-02)", async (branch) => {
    await commit(branch, { [`${branch.length}.txt`]: branch });
    const { status, json } = await open({ head: branch });
    expect(status).toBe(201);
    const query = `head=${encodeURIComponent(`acme:${branch}`)}`;
    expect((await get(`${PULLS}?${query}`)).json.map((one: { number: number }) => one.number)).toEqual([
      json.number,
    ]);
    expect((await get(`/repos/acme/shop/branches/${encodeURIComponent(branch)}`)).json.name).toBe(branch);
    const ref = await get(`/repos/acme/shop/git/ref/heads/${encodeURIComponent(branch)}`);
    expect(ref.json.object.sha).toBe(json.head.sha);
  });

  it("keeps refs/pull/N/head, also for a fork whose branch is called main (FK-01, FK-02, FK-13)", async () => {
    const { control } = world.forge;
    await control.addFork({ repository: "acme/shop", owner: "outsider" });
    const sha = await control.commit({
      repository: "outsider/shop",
      branch: "main",
      files: { "fork.txt": "fork" },
      message: "From a fork",
      login: "outsider",
    });
    const { status, json } = await open({ head: "outsider:main" }, world.outsider);
    expect(status).toBe(201);
    expect(json.head).toMatchObject({
      sha,
      label: "outsider:main",
      repo: { full_name: "outsider/shop", fork: true },
    });
    const remote = world.remote(world.bot);
    expect(await world.git(world.folder, "ls-remote", remote, `refs/pull/${json.number}/head`)).toContain(
      sha,
    );
    const next = await control.commit({
      repository: "outsider/shop",
      branch: "main",
      files: { "fork.txt": "more" },
      message: "More",
      login: "outsider",
    });
    expect((await get(`${PULLS}/${json.number}`)).json.head.sha).toBe(next);
    expect(await world.events()).toEqual(["pull_request.opened", "pull_request.synchronize"]);
    expect(await world.git(world.folder, "ls-remote", remote, `refs/pull/${json.number}/head`)).toContain(
      next,
    );
  });
});

describe("a pull request", () => {
  it("lists its files with their patches, renames and deletions (FK-16, CM-26, FI-10)", async () => {
    await commit("main", {
      "old/name.txt": "one\ntwo\nthree\nfour\n",
      "故事/第一章.md": "从前\n",
      "gone.txt": "x\n",
    });
    await commit("files", {
      "old/name.txt": null,
      "new/name.txt": "one\ntwo\nthree\nfour\nrename from x\n",
      "故事/第一章.md": "从前有座山\n",
      "gone.txt": null,
      "doc.md": "rename from x\nrename to y\n",
    });
    const { json } = await open({ head: "files" });
    const files = await get(`${PULLS}/${json.number}/files?per_page=100`);
    expect(
      files.json.map((file: Record<string, unknown>) => [
        file["status"],
        file["filename"],
        file["previous_filename"],
      ]),
    ).toEqual([
      ["added", "doc.md", undefined],
      ["removed", "gone.txt", undefined],
      ["renamed", "new/name.txt", "old/name.txt"],
      ["modified", "故事/第一章.md", undefined],
    ]);
    expect(files.json[3]).toMatchObject({
      additions: 1,
      deletions: 1,
      changes: 2,
      patch: "@@ -1 +1 @@\n-从前\n+从前有座山",
    });
    const diff = await get(`${PULLS}/${json.number}`, "application/vnd.github.diff");
    expect(diff.text).toContain("+从前有座山");
    expect(diff.headers.get("content-type")).toContain("application/vnd.github.diff");
    expect((await get(`${PULLS}/${json.number}/commits`)).json).toMatchObject([
      { commit: { message: "Change files" }, author: { login: "lee" } },
    ]);
  });

  it("knows whether it can be merged only when asked again (BR-22)", async () => {
    await commit("main", { "conflict.txt": "base\n" });
    await commit("conflict", { "conflict.txt": "theirs\n" });
    const { json } = await open({ head: "conflict" });
    expect(json.mergeable).toBeNull();
    const ask = async () => (await get(`${PULLS}/${json.number}`)).json;
    expect(await ask()).toMatchObject({ mergeable: null, mergeable_state: "unknown" });
    expect(await ask()).toMatchObject({ mergeable: true, mergeable_state: "clean" });
    await commit("main", { "conflict.txt": "ours\n" });
    expect((await ask()).mergeable).toBeNull();
    expect(await ask()).toMatchObject({ mergeable: false, mergeable_state: "dirty" });
    const merge = await world.ask("PUT", `${PULLS}/${json.number}/merge`, { token: world.lee });
    expect(merge).toMatchObject({ status: 405, json: { message: "Pull Request is not mergeable" } });
  });

  it("is edited, with what was before told (BR-19)", async () => {
    await commit("develop", { "d.txt": "d" });
    const number = await openPull(world, { branch: "edited", body: "by the bot" });
    await world.events();
    const { json } = await world.ask("PATCH", `${PULLS}/${number}`, {
      token: world.lee,
      body: { title: "By a person", body: "by a person", base: "develop" },
    });
    expect(json).toMatchObject({ title: "By a person", base: { ref: "develop" } });
    await world.settle();
    expect(world.received.at(-1)?.payload.changes).toMatchObject({
      title: { from: "Add b" },
      body: { from: "by the bot" },
      base: { ref: { from: "main" } },
    });
  });

  it("closes and reopens, until its branch is gone (FK-04)", async () => {
    const number = await openPull(world, { branch: "closing" });
    await world.events();
    const set = (state: string) =>
      world.ask("PATCH", `${PULLS}/${number}`, { token: world.bot, body: { state } });
    await set("closed");
    expect((await set("open")).json.state).toBe("open");
    await world.ask("DELETE", "/repos/acme/shop/git/refs/heads/closing", { token: world.bot });
    expect(await world.events()).toEqual([
      "pull_request.closed",
      "pull_request.reopened",
      "push",
      "delete",
      "pull_request.closed",
    ]);
    expect((await get(`${PULLS}/${number}`)).json).toMatchObject({ state: "closed", merged: false });
    expect((await set("open")).status).toBe(422);
  });

  it("becomes ready and a draft again through GraphQL only", async () => {
    const number = await openPull(world, { branch: "drafts", draft: true });
    const { json } = await get(`${PULLS}/${number}`);
    await world.events();
    const mutate = async (query: string, variables: Record<string, unknown>, token = world.bot) => {
      const answer = await fetch(`${world.forge.url}/api/graphql`, {
        method: "POST",
        headers: { "user-agent": "test", authorization: `bearer ${token}` },
        body: JSON.stringify({ query, variables }),
      });
      return (await answer.json()) as Json;
    };
    const ready = await mutate(
      "mutation Ready($id: ID!) { markPullRequestReadyForReview(input: { pullRequestId: $id }) { pullRequest { isDraft number } } }",
      { id: json.node_id },
    );
    expect(ready).toEqual({
      data: { markPullRequestReadyForReview: { pullRequest: { isDraft: false, number } } },
    });
    const draft = await mutate(
      "mutation($input: ConvertPullRequestToDraftInput!) { convertPullRequestToDraft(input: $input) { pullRequest { id state } } }",
      { input: { pullRequestId: json.node_id } },
    );
    expect(draft.data.convertPullRequestToDraft.pullRequest).toEqual({ id: json.node_id, state: "OPEN" });
    const literal = `mutation { markPullRequestReadyForReview(input: {pullRequestId: "${json.node_id}"}) { clientMutationId } }`;
    expect((await mutate(literal, {}, world.outsider)).errors[0].type).toBe("FORBIDDEN");
    expect((await mutate(literal.replace(json.node_id, "PR_x"), {})).errors[0].type).toBe("NOT_FOUND");
    expect((await mutate("{ viewer { login } }", {})).errors[0].message).toContain("viewer");
    expect(await world.events()).toEqual([
      "pull_request.ready_for_review",
      "pull_request.converted_to_draft",
    ]);
  });
});
