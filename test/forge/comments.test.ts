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
const say = (number: number, body: string, token = world.bot) =>
  world.ask("POST", `${ISSUES}/${number}/comments`, { token, body: { body } });

describe("comments", () => {
  it("are told to the App, its own too, and name the App that wrote them", async () => {
    const number = await openIssue(world);
    await world.events();
    const { status, json } = await say(number, "hello");
    expect(status).toBe(201);
    expect(json).toMatchObject({
      user: { login: "accrue[bot]", type: "Bot", html_url: `${world.forge.url}/apps/accrue` },
      performed_via_github_app: { id: 42 },
    });
    expect(json.user.url).toContain("/users/accrue%5Bbot%5D");
    expect((await say(number, "hi", world.lee)).json.performed_via_github_app).toBeNull();
    expect(await world.events()).toEqual(["issue_comment.created", "issue_comment.created"]);
  });

  it("tell what they said before an edit, and nothing when nothing changed", async () => {
    const { json } = await say(await openIssue(world), "one");
    await world.events();
    const edit = (body: string) =>
      world.ask("PATCH", `${ISSUES}/comments/${json.id}`, { token: world.bot, body: { body } });
    world.time.now += 5000;
    const edited = await edit("two");
    await edit("two");
    expect(Date.parse(edited.json.updated_at) - Date.parse(edited.json.created_at)).toBe(5000);
    await world.settle();
    expect(world.received.map(({ payload }) => payload.changes)).toEqual([{ body: { from: "one" } }]);
  });

  it("are gone after a delete", async () => {
    const { json } = await say(await openIssue(world), "one");
    await world.events();
    const path = `${ISSUES}/comments/${json.id}`;
    expect((await world.ask("DELETE", path, { token: world.bot })).status).toBe(204);
    expect((await world.ask("GET", path, { token: world.bot })).status).toBe(404);
    expect(await world.events()).toEqual(["issue_comment.deleted"]);
  });

  it("are listed oldest first, 30 a page, 100 at most (CM-08)", async () => {
    const number = await openIssue(world);
    for (let i = 0; i < 101; i += 1) await say(number, `comment ${i}`);
    const list = (query: string) =>
      world.ask("GET", `${ISSUES}/${number}/comments?${query}`, { token: world.bot });
    expect((await list("")).json).toHaveLength(30);
    const first = await list("per_page=250");
    expect(first.json).toHaveLength(100);
    expect(first.json[0].body).toBe("comment 0");
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get("link") ?? "")?.[1] ?? "";
    const second = await world.ask("GET", next.slice(world.forge.apiUrl.length), { token: world.bot });
    expect(second.json.map((one: { body: string }) => one.body)).toEqual(["comment 100"]);
    expect(second.headers.get("link")).toMatch(/rel="prev".*rel="first"/);
  });

  it("with more than 65,536 characters are refused, with as many are taken (CM-02)", async () => {
    const number = await openIssue(world);
    expect((await say(number, "x".repeat(65_536))).status).toBe(201);
    expect(await say(number, "x".repeat(65_537))).toMatchObject({
      status: 422,
      json: {
        message: "Validation Failed",
        errors: [
          {
            resource: "IssueComment",
            field: "data",
            message: "Body is too long (maximum is 65536 characters)",
          },
        ],
      },
    });
  });

  it("without text are refused", async () => {
    expect(await say(await openIssue(world), "  ")).toMatchObject({
      status: 422,
      json: { errors: [{ code: "missing_field", field: "body" }] },
    });
  });

  it("on a locked issue are for people with write access only", async () => {
    const number = await openIssue(world);
    world.forge.control.lockIssue("acme/shop", number, true);
    expect(await say(number, "x")).toMatchObject({
      status: 403,
      json: { message: "Unable to create comment because issue is locked." },
    });
    expect((await say(number, "x", world.outsider)).status).toBe(403);
    expect((await say(number, "x", world.lee)).status).toBe(201);
    world.forge.control.lockIssue("acme/shop", number, false);
    expect((await say(number, "x")).status).toBe(201);
    expect(await world.events()).toEqual(expect.arrayContaining(["issues.locked", "issues.unlocked"]));
  });

  it("on a pull request belong to its conversation, with the pull request marked as one (FK-17)", async () => {
    const number = await openPull(world, { branch: "conversation" });
    await world.events();
    expect((await say(number, "on a pull")).status).toBe(201);
    await world.settle();
    expect(world.received.at(-1)?.payload.issue).toMatchObject({
      number,
      pull_request: { url: `${world.forge.apiUrl}/repos/acme/shop/pulls/${number}` },
    });
  });

  it("are edited by their author or somebody with write access only", async () => {
    const { json } = await say(await openIssue(world), "mine", world.lee);
    const edit = (token: string) =>
      world.ask("PATCH", `${ISSUES}/comments/${json.id}`, { token, body: { body: "yours" } });
    expect((await edit(world.outsider)).status).toBe(403);
    expect((await edit(world.lee)).status).toBe(200);
  });
});

describe("reactions", () => {
  it("exist once per account and content, and send no webhook", async () => {
    const number = await openIssue(world);
    const { json: comment } = await say(number, "react");
    await world.events();
    for (const path of [`${ISSUES}/${number}/reactions`, `${ISSUES}/comments/${comment.id}/reactions`]) {
      const react = (token: string) => world.ask("POST", path, { token, body: { content: "eyes" } });
      const first = await react(world.bot);
      const second = await react(world.bot);
      expect([first.status, second.status]).toEqual([201, 200]);
      expect(second.json.id).toBe(first.json.id);
      expect((await react(world.lee)).status).toBe(201);
      const list = await world.ask("GET", `${path}?content=eyes`, { token: world.bot });
      expect(list.json.map((one: { user: { login: string } }) => one.user.login)).toEqual([
        "accrue[bot]",
        "lee",
      ]);
      expect((await world.ask("DELETE", `${path}/${first.json.id}`, { token: world.lee })).status).toBe(403);
      expect((await world.ask("DELETE", `${path}/${first.json.id}`, { token: world.bot })).status).toBe(204);
    }
    const { json } = await world.ask("GET", `${ISSUES}/comments/${comment.id}`, { token: world.bot });
    expect(json.reactions).toMatchObject({ total_count: 1, eyes: 1 });
    expect(await world.events()).toEqual([]);
  });
});
