import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openPull, startWorld, type World } from "./fixture.js";

let world: World;
let number: number;
let sha: string;
beforeAll(async () => {
  world = await startWorld();
  number = await openPull(world, {
    branch: "review",
    files: { "src/a.ts": "export const a = 2;\nexport const c = 3;\n", "src/b.ts": "b\n" },
  });
  const { json } = await world.ask("GET", `/repos/acme/shop/pulls/${number}`, { token: world.bot });
  sha = json.head.sha;
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.events();
});

const pull = () => `/repos/acme/shop/pulls/${number}`;

describe("reviews", () => {
  it("carry a verdict and comments on lines, in one call (WH-07)", async () => {
    const { status, json } = await world.ask("POST", `${pull()}/reviews`, {
      token: world.lee,
      body: {
        event: "REQUEST_CHANGES",
        body: "Please",
        comments: [
          { path: "src/a.ts", line: 2, body: "why" },
          { path: "src/a.ts", line: 1, side: "LEFT", body: "was better" },
          { path: "src/b.ts", position: 1, body: "by position" },
        ],
      },
    });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      state: "CHANGES_REQUESTED",
      body: "Please",
      user: { login: "lee" },
      commit_id: sha,
    });
    const comments = await world.ask("GET", `${pull()}/comments`, { token: world.bot });
    expect(comments.json).toMatchObject([
      {
        line: 2,
        side: "RIGHT",
        position: 3,
        diff_hunk: expect.stringMatching(/^@@ -1 \+1,2 @@[^]*\+export const c = 3;$/),
      },
      { line: 1, side: "LEFT", position: 1, pull_request_review_id: json.id },
      { line: 1, side: "RIGHT", path: "src/b.ts" },
    ]);
    expect(await world.events()).toEqual([
      "pull_request_review.submitted",
      "pull_request_review_comment.created",
      "pull_request_review_comment.created",
      "pull_request_review_comment.created",
    ]);
    const list = await world.ask("GET", `${pull()}/reviews`, { token: world.bot });
    expect(list.json.at(-1).id).toBe(json.id);
    expect((await world.ask("GET", `${pull()}/reviews/${json.id}`, { token: world.bot })).json.id).toBe(
      json.id,
    );
  });

  it("write their verdict in small letters in the webhook", async () => {
    await world.ask("POST", `${pull()}/reviews`, { token: world.lee, body: { event: "APPROVE" } });
    await world.settle();
    expect(world.received[0]?.payload.review.state).toBe("approved");
  });

  it.each([
    [{ event: "APPROVE" }, "bot", "Can not approve your own pull request"],
    [{ event: "REQUEST_CHANGES", body: "x" }, "bot", "Can not request changes on your own pull request"],
    [{ event: "COMMENT" }, "lee", "Body can't be blank"],
    [
      { event: "COMMENT", comments: [{ path: "none", line: 1, body: "x" }] },
      "lee",
      "Path could not be resolved",
    ],
    [
      { event: "COMMENT", comments: [{ path: "src/a.ts", line: 9, body: "x" }] },
      "lee",
      "Line could not be resolved",
    ],
  ] as const)("are refused for %j of %s", async (body, who, message) => {
    const answer = await world.ask("POST", `${pull()}/reviews`, { token: world[who], body });
    expect(answer).toMatchObject({
      status: 422,
      json: { message: "Unprocessable Entity", errors: [message] },
    });
  });

  it("that are pending are seen by their author only, and told to nobody", async () => {
    const { json } = await world.ask("POST", `${pull()}/reviews`, {
      token: world.lee,
      body: { body: "later" },
    });
    expect(json.state).toBe("PENDING");
    const see = (token: string) => world.ask("GET", `${pull()}/reviews/${json.id}`, { token });
    expect([(await see(world.lee)).status, (await see(world.bot)).status]).toEqual([200, 404]);
    expect(await world.events()).toEqual([]);
  });

  it("are asked of collaborators", async () => {
    const change = (method: string, reviewers: string[]) =>
      world.ask(method, `${pull()}/requested_reviewers`, { token: world.bot, body: { reviewers } });
    expect((await change("POST", ["lee"])).json.requested_reviewers).toMatchObject([{ login: "lee" }]);
    const list = await world.ask("GET", `${pull()}/requested_reviewers`, { token: world.bot });
    expect(list.json.users).toMatchObject([{ login: "lee" }]);
    expect((await change("POST", ["outsider"])).status).toBe(422);
    expect((await change("POST", ["accrue[bot]"])).status).toBe(422);
    expect((await change("DELETE", ["lee"])).json.requested_reviewers).toEqual([]);
    expect(await world.events()).toEqual([
      "pull_request.review_requested",
      "pull_request.review_request_removed",
    ]);
  });
});

describe("comments on lines", () => {
  it("answer one another in one flat thread", async () => {
    const first = await world.ask("POST", `${pull()}/comments`, {
      token: world.lee,
      body: { body: "first", commit_id: sha, path: "src/b.ts", line: 1 },
    });
    expect(first.status).toBe(201);
    const reply = await world.ask("POST", `${pull()}/comments/${first.json.id}/replies`, {
      token: world.bot,
      body: { body: "reply" },
    });
    expect(reply.json).toMatchObject({ in_reply_to_id: first.json.id, path: "src/b.ts", line: 1 });
    const again = await world.ask("POST", `${pull()}/comments`, {
      token: world.lee,
      body: { body: "again", in_reply_to: reply.json.id, commit_id: sha, path: "src/b.ts" },
    });
    expect(again.json.in_reply_to_id).toBe(first.json.id);
    const one = await world.ask("GET", `/repos/acme/shop/pulls/comments/${reply.json.id}`, {
      token: world.bot,
    });
    expect(one.json.body).toBe("reply");
    expect(
      (await world.events()).filter((event) => event === "pull_request_review_comment.created"),
    ).toHaveLength(3);
  });

  it("take reactions", async () => {
    const { json } = await world.ask("POST", `${pull()}/comments`, {
      token: world.lee,
      body: { body: "x", commit_id: sha, path: "src/b.ts", subject_type: "file" },
    });
    const path = `/repos/acme/shop/pulls/comments/${json.id}/reactions`;
    const reacted = await world.ask("POST", path, { token: world.bot, body: { content: "+1" } });
    expect(reacted.status).toBe(201);
    expect((await world.ask("GET", path, { token: world.bot })).json).toHaveLength(1);
  });

  it.each([
    [{ path: "none", line: 1 }, "pull_request_review_thread.path"],
    [{ path: "src/b.ts", line: 7 }, "pull_request_review_thread.line"],
  ])("are refused outside the diff: %j", async (where, field) => {
    const { status, json } = await world.ask("POST", `${pull()}/comments`, {
      token: world.bot,
      body: { body: "x", commit_id: sha, ...where },
    });
    expect(status).toBe(422);
    expect(json.errors).toMatchObject([{ field }]);
  });
});
