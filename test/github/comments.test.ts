import nock from "nock";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { marker } from "../../src/shared/index.js";
import { allowTokens, commentJson, fakeGitHub, REPO } from "./fake-github.js";

const MARK = marker("status", "REQ-12");
const COMMENTS = `${REPO}/issues/12/comments`;

let fake: ReturnType<typeof fakeGitHub>;
beforeEach(() => {
  fake = fakeGitHub();
  allowTokens(fake.api);
});
afterEach(() => {
  const pending = nock.pendingMocks();
  nock.cleanAll();
  expect(pending).toEqual([]);
});

/** Serves a list of comments in pages of a hundred, as GitHub does. */
function serveComments(comments: ReturnType<typeof commentJson>[]): void {
  const pages = Math.max(1, Math.ceil(comments.length / 100));
  for (let page = 1; page <= pages; page++) {
    const next = `<https://api.github.com${COMMENTS}?per_page=100&page=${page + 1}>; rel="next"`;
    fake.api
      .get(COMMENTS)
      .query((query) => query.per_page === "100" && (query.page ?? "1") === String(page))
      .reply(200, comments.slice((page - 1) * 100, page * 100), page < pages ? { link: next } : {});
  }
}
const others = (count: number) =>
  Array.from({ length: count }, (_, i) => commentJson(1000 + i, "a person's comment", null, "lee"));

describe("the living comment", () => {
  it("is made with its marker first when there is none", async () => {
    serveComments(others(3));
    fake.api.post(COMMENTS, { body: `${MARK}\nworking` }).reply(201, commentJson(7, `${MARK}\nworking`));
    serveComments([...others(3), commentJson(7, `${MARK}\nworking`)]);
    const comment = await fake.port.upsertComment(12, MARK, "working");
    expect(comment).toMatchObject({ id: 7, appId: 77, author: { login: "accrue[bot]", type: "Bot" } });
  });

  it("CM-08: is found on the third page and edited there", async () => {
    const all = others(250);
    all[230] = commentJson(7, `${MARK}\nold`);
    serveComments(all);
    fake.api
      .patch(`${REPO}/issues/comments/7`, { body: `${MARK}\nnew` })
      .reply(200, commentJson(7, `${MARK}\nnew`));
    expect((await fake.port.upsertComment(12, MARK, "new"))?.body).toBe(`${MARK}\nnew`);
  });

  it("CM-05: is not somebody else's that holds a copy of the marker", async () => {
    serveComments([
      commentJson(1, `${MARK}\ncopied`, null, "mallory"),
      commentJson(2, `${MARK}\nother app`, 99),
    ]);
    fake.api.post(COMMENTS).reply(201, commentJson(7, "made"));
    serveComments([commentJson(1, `${MARK}\ncopied`, null, "mallory"), commentJson(7, `${MARK}\nmade`)]);
    expect((await fake.port.upsertComment(12, MARK, "text"))?.id).toBe(7);
  });

  it("WH-08: is not touched when its text is the same", async () => {
    serveComments([commentJson(7, `${MARK}\nsame`)]);
    expect((await fake.port.upsertComment(12, MARK, "same"))?.id).toBe(7);
  });

  it("is made anew when a person deleted it in the meantime", async () => {
    serveComments([commentJson(7, `${MARK}\nold`)]);
    fake.api.patch(`${REPO}/issues/comments/7`).reply(404, { message: "Not Found" });
    fake.api.post(COMMENTS).reply(201, commentJson(8, "made"));
    serveComments([commentJson(8, `${MARK}\nmade`)]);
    expect((await fake.port.upsertComment(12, MARK, "new"))?.id).toBe(8);
  });

  it("CM-02: is cut visibly below GitHub's limit, without breaking a character or the marker", async () => {
    serveComments([]);
    let sent = "";
    fake.api.post(COMMENTS).reply(201, (_, body) => {
      sent = (body as { body: string }).body;
      return commentJson(7, sent);
    });
    serveComments([]);
    await fake.port.upsertComment(12, MARK, "结果🧑‍💻".repeat(14_000));
    expect(sent.length).toBeLessThanOrEqual(65_000);
    expect(sent.startsWith(MARK)).toBe(true);
    expect(sent).toContain("cut: too long");
    expect(sent).not.toMatch(/\p{Surrogate}/u);
  });

  it("is skipped with a recorded reason when the conversation is locked, and not tried again", async () => {
    serveComments([]);
    fake.api.post(COMMENTS).reply(403, { message: "Unable to create comment because issue is locked." });
    expect(await fake.port.upsertComment(12, MARK, "text")).toBeNull();
    expect(fake.warnings).toMatchObject([
      { fields: { where: "#12" }, message: expect.stringMatching(/locked/) },
    ]);
  });

  it("is ours by the account's login when a token writes", async () => {
    nock.cleanAll();
    fake = fakeGitHub({ auth: { kind: "token", token: "ghp_x" } });
    fake.api.get("/user").reply(200, { id: 3, login: "robot", type: "User" });
    serveComments([
      commentJson(1, `${MARK}\nx`, null, "lee"),
      commentJson(2, `${MARK}\ntext`, null, "robot"),
    ]);
    expect((await fake.port.upsertComment(12, MARK, "text"))?.id).toBe(2);
  });
});

describe("a comment that may have been written although GitHub failed", () => {
  it("is looked for before it is written again", async () => {
    fake.api.post(COMMENTS).reply(502, "<html>");
    serveComments([commentJson(7, `${MARK}\ntext`)]);
    expect((await fake.port.addComment(12, MARK, "text", false))?.id).toBe(7);
  });

  it("is written again when it is not there", async () => {
    fake.api.post(COMMENTS).replyWithError("socket hang up");
    serveComments([]);
    fake.api.post(COMMENTS).reply(201, commentJson(8, "text"));
    expect((await fake.port.addComment(12, MARK, "text", false))?.id).toBe(8);
  });

  it("is found again on a retry after a crash", async () => {
    serveComments([commentJson(7, `${MARK}\ntext`)]);
    expect((await fake.port.addComment(12, MARK, "text", true))?.id).toBe(7);
  });

  it("is taken back when the one that was sent before a crash arrives after it was looked for", async () => {
    serveComments([]);
    fake.api.post(COMMENTS).reply(201, commentJson(8, `${MARK}\ntext`));
    serveComments([
      commentJson(7, `${MARK}\ntext`),
      commentJson(8, `${MARK}\ntext`),
      commentJson(9, MARK, null, "mallory"),
    ]);
    fake.api.delete(`${REPO}/issues/comments/8`).reply(204);
    expect((await fake.port.addComment(12, MARK, "text", true))?.id).toBe(7);
  });

  it("is edited in its older copy when it is the living one", async () => {
    serveComments([]);
    fake.api.post(COMMENTS).reply(201, commentJson(8, `${MARK}\nnew`));
    serveComments([commentJson(7, `${MARK}\nold`), commentJson(8, `${MARK}\nnew`)]);
    fake.api.delete(`${REPO}/issues/comments/8`).reply(204);
    fake.api
      .patch(`${REPO}/issues/comments/7`, { body: `${MARK}\nnew` })
      .reply(200, commentJson(7, `${MARK}\nnew`));
    expect(await fake.port.upsertComment(12, MARK, "new")).toMatchObject({ id: 7, body: `${MARK}\nnew` });
  });
});

describe("reading comments", () => {
  it("CM-09: gives all of them, oldest first, ghosts included", async () => {
    const all = [...others(149), { ...commentJson(9, "last"), user: null, performed_via_github_app: null }];
    serveComments(all as ReturnType<typeof commentJson>[]);
    const comments = await fake.port.comments(12);
    expect(comments).toHaveLength(150);
    expect(comments.at(-1)).toMatchObject({ id: 9, author: null, appId: null });
  });
});

describe("reactions", () => {
  it.each([
    [{ kind: "issue", number: 12 }, "issues/12"],
    [{ kind: "comment", id: 7 }, "issues/comments/7"],
    [{ kind: "review-comment", id: 8 }, "pulls/comments/8"],
  ] as const)("go to %j", async (target, path) => {
    fake.api.post(`${REPO}/${path}/reactions`, { content: "eyes" }).reply(201, {});
    await expect(fake.port.react(target, "eyes")).resolves.toBeUndefined();
  });

  it("are sent again after a failure, because GitHub keeps one of a kind", async () => {
    fake.api.post(`${REPO}/issues/12/reactions`).reply(502, "");
    fake.api.post(`${REPO}/issues/12/reactions`).reply(200, {});
    await expect(fake.port.react({ kind: "issue", number: 12 }, "eyes")).resolves.toBeUndefined();
  });

  it("of people on a comment are read from all pages, with when they were made; a deleted user has no name", async () => {
    const path = `${REPO}/issues/comments/7/reactions`;
    const at = "2026-11-29T12:00:05Z";
    const page = (number: number, answer: object[], headers = {}) =>
      fake.api
        .get(path)
        .query(
          (query) =>
            query.content === "+1" && query.per_page === "100" && (query.page ?? "1") === String(number),
        )
        .reply(200, answer, headers);
    page(1, [{ id: 2, user: { id: 3, login: "lee", type: "User" }, content: "+1", created_at: at }], {
      link: `<https://api.github.com${path}?content=%2B1&per_page=100&page=2>; rel="next"`,
    });
    page(2, [{ id: 1, user: null, content: "+1", created_at: at }]);
    expect(await fake.port.thumbsUp(7)).toEqual([
      { id: 1, by: null, at },
      { id: 2, by: { id: 3, login: "lee", type: "User" }, at },
    ]);
  });
});
