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

const ISSUES = "/repos/acme/shop/issues";

describe("issues", () => {
  it("tell of each label of a new issue in an event of its own", async () => {
    const { status, json } = await world.ask("POST", ISSUES, {
      token: world.lee,
      body: { title: "Export", labels: ["agent", { name: "area/export" }] },
    });
    expect(status).toBe(201);
    expect(json).toMatchObject({ title: "Export", body: null, user: { login: "lee" }, state: "open" });
    expect(json.labels.map((label: { name: string }) => label.name)).toEqual(["agent", "area/export"]);
    expect(await world.events()).toEqual(["issues.opened", "issues.labeled", "issues.labeled"]);
  });

  it("drop the labels of somebody who may not set any", async () => {
    const { json } = await world.ask("POST", ISSUES, {
      token: world.outsider,
      body: { title: "Export", labels: ["agent"] },
    });
    expect(json.labels).toEqual([]);
    expect(json.author_association).toBe("NONE");
  });

  it("keep titles and bodies byte for byte (CM-18)", async () => {
    const title = `<class 'ValueError'> "quoted" $(id)`;
    const body = "中文 🧑‍💻 `a` \u0000 …";
    const { json } = await world.ask("POST", ISSUES, { token: world.lee, body: { title, body } });
    const again = await world.ask("GET", `${ISSUES}/${json.number}`, { token: world.bot });
    expect(again.json).toMatchObject({ title, body });
    await world.settle();
    expect(world.received.at(-1)?.payload.issue).toMatchObject({ title, body });
    expect(world.received.at(-1)?.isSigned).toBe(true);
  });

  it("are listed newest first by state, label, creator and page", async () => {
    const numbers: number[] = [];
    for (let i = 0; i < 3; i += 1) numbers.push(await openIssue(world, `Listed ${i}`));
    for (const number of numbers)
      await world.ask("POST", `${ISSUES}/${number}/labels`, {
        token: world.lee,
        body: { labels: ["Listed"] },
      });
    const list = (query: string) => world.ask("GET", `${ISSUES}?${query}`, { token: world.bot });
    const first = await list("labels=listed&per_page=2&creator=lee");
    expect(first.json.map((issue: { number: number }) => issue.number)).toEqual([numbers[2], numbers[1]]);
    expect(first.headers.get("link")).toMatch(/page=2>; rel="next".*page=2>; rel="last"/);
    const second = await list("labels=listed&per_page=2&page=2");
    expect(second.json.map((issue: { number: number }) => issue.number)).toEqual([numbers[0]]);
    expect((await list("state=closed&labels=listed")).json).toEqual([]);
  });

  it("close and reopen with their reason, and tell of it once", async () => {
    const number = await openIssue(world);
    await world.events();
    const closing = { token: world.bot, body: { state: "closed", state_reason: "not_planned" } };
    const closed = await world.ask("PATCH", `${ISSUES}/${number}`, closing);
    expect(closed.json).toMatchObject({
      state: "closed",
      state_reason: "not_planned",
      closed_by: { login: "accrue[bot]" },
    });
    await world.ask("PATCH", `${ISSUES}/${number}`, closing);
    const reopened = await world.ask("PATCH", `${ISSUES}/${number}`, {
      token: world.lee,
      body: { state: "open" },
    });
    expect(reopened.json).toMatchObject({ state: "open", closed_at: null });
    expect(await world.events()).toEqual(["issues.closed", "issues.reopened"]);
  });

  it("tell what a title and a body were before an edit", async () => {
    const number = await openIssue(world, "Before");
    await world.events();
    await world.ask("PATCH", `${ISSUES}/${number}`, {
      token: world.lee,
      body: { title: "After", body: "new" },
    });
    await world.settle();
    expect(world.received.at(-1)).toMatchObject({
      event: "issues",
      payload: {
        action: "edited",
        changes: { title: { from: "Before" }, body: { from: "As a user I want CSV." } },
      },
    });
  });

  it("assign people and take them off", async () => {
    const number = await openIssue(world);
    await world.events();
    const set = (assignees: string[]) =>
      world.ask("PATCH", `${ISSUES}/${number}`, { token: world.lee, body: { assignees } });
    expect((await set(["lee"])).json.assignee.login).toBe("lee");
    await set([]);
    expect(await world.events()).toEqual(["issues.assigned", "issues.unassigned"]);
  });

  it("are changed by their author or a collaborator only", async () => {
    const number = await openIssue(world);
    const denied = await world.ask("PATCH", `${ISSUES}/${number}`, {
      token: world.outsider,
      body: { title: "mine" },
    });
    expect(denied.status).toBe(403);
    const own = await openIssue(world, "Own", world.outsider);
    const allowed = await world.ask("PATCH", `${ISSUES}/${own}`, {
      token: world.outsider,
      body: { title: "x" },
    });
    expect(allowed.status).toBe(200);
  });

  it("have no author once the account is gone", async () => {
    const ghost = world.forge.control.addUser("leaver").token;
    const number = await openIssue(world, "Left behind", ghost);
    await world.ask("POST", `${ISSUES}/${number}/comments`, { token: ghost, body: { body: "bye" } });
    world.forge.control.deleteUser("leaver");
    const issue = await world.ask("GET", `${ISSUES}/${number}`, { token: world.bot });
    const comments = await world.ask("GET", `${ISSUES}/${number}/comments`, { token: world.bot });
    expect(issue.json.user).toBeNull();
    expect(comments.json[0].user).toBeNull();
    expect((await world.ask("GET", "/users/leaver", { token: world.bot })).status).toBe(404);
    await world.ask("PATCH", `${ISSUES}/${number}`, { token: world.bot, body: { state: "closed" } });
    expect(await world.events()).toContain("issues.closed");
  });
});

describe("labels", () => {
  it("are made when an issue gets one that the repository lacks, and found in any case", async () => {
    const number = await openIssue(world);
    await world.events();
    const add = (labels: string[]) =>
      world.ask("POST", `${ISSUES}/${number}/labels`, { token: world.bot, body: { labels } });
    expect((await add(["New Label"])).json).toMatchObject([{ name: "New Label", color: "ededed" }]);
    expect((await add(["new label"])).json).toHaveLength(1);
    const label = await world.ask("GET", "/repos/acme/shop/labels/NEW%20LABEL", { token: world.bot });
    expect(label.json.name).toBe("New Label");
    expect(await world.events()).toEqual(["issues.labeled"]);
  });

  it("go away by name, and 404 when they were not there", async () => {
    const number = await openIssue(world);
    const path = `${ISSUES}/${number}/labels`;
    await world.ask("PUT", path, { token: world.lee, body: { labels: ["a", "b"] } });
    await world.events();
    const removed = await world.ask("DELETE", `${path}/a`, { token: world.bot });
    expect(removed.json.map((label: { name: string }) => label.name)).toEqual(["b"]);
    const missing = await world.ask("DELETE", `${path}/a`, { token: world.bot });
    expect(missing).toMatchObject({ status: 404, json: { message: "Label does not exist" } });
    expect((await world.ask("GET", path, { token: world.bot })).json).toHaveLength(1);
    expect(await world.events()).toEqual(["issues.unlabeled"]);
  });

  it("of a repository are created once", async () => {
    const create = () =>
      world.ask("POST", "/repos/acme/shop/labels", {
        token: world.bot,
        body: { name: "bot", color: "00ff00", description: "by the bot" },
      });
    expect((await create()).json).toMatchObject({ name: "bot", color: "00ff00" });
    expect(await create()).toMatchObject({ status: 422, json: { errors: [{ code: "already_exists" }] } });
    const all = await world.ask("GET", "/repos/acme/shop/labels?per_page=100", { token: world.bot });
    expect(all.json.filter((label: { name: string }) => label.name === "bot")).toHaveLength(1);
  });

  it("of a pull request are told as events of the pull request", async () => {
    const number = await openPull(world, { branch: "labels" });
    await world.events();
    await world.ask("POST", `${ISSUES}/${number}/labels`, { token: world.bot, body: { labels: ["x"] } });
    await world.ask("DELETE", `${ISSUES}/${number}/labels/x`, { token: world.bot });
    expect(await world.events()).toEqual(["pull_request.labeled", "pull_request.unlabeled"]);
  });

  it("are refused from somebody without the triage role", async () => {
    const number = await openIssue(world);
    const answer = await world.ask("POST", `${ISSUES}/${number}/labels`, {
      token: world.outsider,
      body: { labels: ["agent"] },
    });
    expect(answer.status).toBe(403);
  });
});
