import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openIssue, openPull, startWorld, type World } from "./fixture.js";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.events();
});

const PULLS = "/repos/acme/shop/pulls";
const get = (path: string) => world.ask("GET", path, { token: world.bot });

describe("merging", () => {
  it("closes the issues that the body names, when the base is the default branch", async () => {
    const issue = await openIssue(world);
    const other = await openIssue(world);
    const number = await openPull(world, {
      branch: "merging",
      body: `Closes #${issue}\n\nSee #${other}`,
      files: { "merged.txt": "m" },
    });
    await world.events();
    const { status, json } = await world.ask("PUT", `${PULLS}/${number}/merge`, { token: world.lee });
    expect(status).toBe(200);
    expect(await world.events()).toEqual([
      "pull_request.closed",
      "issues.closed",
      "push",
      "check_suite.requested",
    ]);
    const pull = await get(`${PULLS}/${number}`);
    expect(pull.json).toMatchObject({
      merged: true,
      merged_by: { login: "lee" },
      merge_commit_sha: json.sha,
      state: "closed",
      changed_files: 1,
    });
    const closed = await get(`/repos/acme/shop/issues/${issue}`);
    expect(closed.json).toMatchObject({
      state: "closed",
      state_reason: "completed",
      closed_by: { login: "lee" },
    });
    expect((await get(`/repos/acme/shop/issues/${other}`)).json.state).toBe("open");
    expect((await get(`${PULLS}/${number}/merge`)).status).toBe(204);
    const tip = await get("/repos/acme/shop/commits/main");
    expect(tip.json).toMatchObject({ sha: json.sha, parents: [{}, { sha: pull.json.head.sha }] });
    expect(tip.json.commit.message).toBe(`Merge pull request #${number} from acme/merging\n\nAdd b`);
  });

  it("squashes and rebases", async () => {
    for (const method of ["squash", "rebase"]) {
      const number = await openPull(world, { branch: method, files: { [`${method}.txt`]: "x" } });
      const { json } = await world.ask("PUT", `${PULLS}/${number}/merge`, {
        token: world.lee,
        body: { merge_method: method },
      });
      const tip = await get("/repos/acme/shop/commits/main");
      expect(tip.json.sha).toBe(json.sha);
      expect(tip.json.parents).toHaveLength(1);
    }
  });

  it("is refused for drafts, moved heads, closed pulls, and without write access to contents", async () => {
    const draft = await openPull(world, { branch: "refuse-draft", draft: true, files: { "r.txt": "1" } });
    const merge = (number: number, body?: unknown, token = world.lee) =>
      world.ask("PUT", `${PULLS}/${number}/merge`, { token, body });
    expect((await merge(draft)).status).toBe(405);
    const number = await openPull(world, { branch: "refuse", files: { "r.txt": "2" } });
    expect((await merge(number, { sha: "0".repeat(40) })).status).toBe(409);
    expect((await merge(number, undefined, world.outsider)).status).toBe(403);
    expect((await get(`${PULLS}/${number}/merge`)).status).toBe(404);
    await world.ask("PATCH", `${PULLS}/${number}`, { token: world.bot, body: { state: "closed" } });
    expect((await merge(number)).status).toBe(405);
  });

  it("happens also when a person pushes the commits to the base", async () => {
    const issue = await openIssue(world);
    const number = await openPull(world, { branch: "pushed", files: { "pushed.txt": "p" } });
    const folder = `${world.folder}/pusher`;
    await world.git(world.folder, "clone", "-q", world.remote(world.lee), folder);
    await world.git(folder, "merge", "-q", "--no-ff", "-m", `Bring it. Fixes #${issue}`, "origin/pushed");
    await world.events();
    await world.git(folder, "push", "-q", "origin", "main");
    expect(await world.events()).toEqual([
      "push",
      "issues.closed",
      "pull_request.closed",
      "check_suite.requested",
    ]);
    expect((await get(`${PULLS}/${number}`)).json.merged).toBe(true);
  });
});
