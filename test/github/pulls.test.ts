import nock from "nock";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { allowTokens, fakeGitHub, pullJson, REPO } from "./fake-github.js";

const HEAD = "agent/REQ-12-export";
const block = (text: string) => `<!-- accrue:start -->\n${text}\n<!-- accrue:end -->`;
const INPUT = { head: HEAD, base: "main", title: "Add export", body: "Closes #12", draft: true };

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

function serveList(...pulls: object[]): void {
  fake.api
    .get(`${REPO}/pulls`)
    .query({ state: "open", head: `acme:${HEAD}` })
    .reply(200, pulls);
}

describe("a pull request", () => {
  it("FK-05: is read when its fork and its author are gone", async () => {
    const head = { ref: "x", sha: "abc", repo: null };
    fake.api.get(`${REPO}/pulls/30`).reply(200, pullJson({ head, user: null }));
    expect(await fake.port.pull(30)).toMatchObject({ headRepository: null, author: null, body: "" });
  });

  it("has a merge commit only when it was merged", async () => {
    fake.api.get(`${REPO}/pulls/30`).reply(200, pullJson());
    expect(await fake.port.pull(30)).toMatchObject({ merged: false, mergeCommit: null });
    fake.api
      .get(`${REPO}/pulls/30`)
      .reply(200, pullJson({ merged_at: "2026-11-29T12:00:00Z", state: "closed", merge_commit_sha: "m" }));
    expect(await fake.port.pull(30)).toMatchObject({ merged: true, mergeCommit: "m", state: "closed" });
  });

  it("of a branch is one of this repository, not of a fork with a branch of that name", async () => {
    const fork = { ref: HEAD, sha: "abc", repo: { id: 10, full_name: "mallory/shop" } };
    serveList(pullJson({ head: fork }), pullJson({ head: { ...fork, ref: "other" } }));
    expect(await fake.port.findPull(HEAD)).toBeNull();
    serveList(pullJson({ head: fork }), pullJson({ number: 31 }));
    expect((await fake.port.findPull(HEAD))?.number).toBe(31);
  });
});

describe("opening a pull request", () => {
  it("CM-18: keeps the title as it is", async () => {
    const title = `<class 'ValueError'> "quoted" $(id)`;
    serveList();
    fake.api
      .post(`${REPO}/pulls`, { ...INPUT, title, body: block("Closes #12") })
      .reply(201, pullJson({ title }));
    expect((await fake.port.openPull({ ...INPUT, title })).title).toBe(title);
  });

  it("finds the open one instead of opening another", async () => {
    serveList(pullJson());
    expect((await fake.port.openPull(INPUT)).number).toBe(30);
  });

  it("finds it when another process was faster", async () => {
    serveList();
    fake.api.post(`${REPO}/pulls`).reply(422, {
      message: "Validation Failed",
      errors: [{ message: "A pull request already exists for acme:x." }],
    });
    serveList(pullJson());
    expect((await fake.port.openPull(INPUT)).number).toBe(30);
  });

  it("opens no draft where GitHub has none", async () => {
    serveList();
    fake.api
      .post(`${REPO}/pulls`, (body: { draft: boolean }) => body.draft)
      .reply(422, { message: "Draft pull requests are not supported in this repository." });
    fake.api
      .post(`${REPO}/pulls`, (body: { draft: boolean }) => !body.draft)
      .reply(201, pullJson({ draft: false }));
    expect((await fake.port.openPull(INPUT)).draft).toBe(false);
  });

  it("BR-08: says what GitHub found invalid, once", async () => {
    serveList();
    fake.api
      .post(`${REPO}/pulls`)
      .reply(422, { message: "Validation Failed", errors: [{ field: "base", code: "invalid" }] });
    await expect(fake.port.openPull(INPUT)).rejects.toMatchObject({
      code: "GITHUB_FAILED",
      retryable: false,
      message: expect.stringMatching(/into main.*"base".*"invalid"/),
    });
  });
});

describe("BR-19: our block in a body", () => {
  it.each([
    ["is appended when it is missing", "By hand.\r\n", `By hand.\r\n\n\n${block("new")}`],
    ["stands alone in an empty body", null, block("new")],
    [
      "is replaced, with the text around it untouched",
      `Above\n${block("old")}\nBelow  `,
      `Above\n${block("new")}\nBelow  `,
    ],
    [
      "leaves a start without an end alone",
      "text <!-- accrue:start --> more",
      `text <!-- accrue:start --> more\n\n${block("new")}`,
    ],
    [
      "is the last start before an end",
      `<!-- accrue:start --> a\n${block("old")}`,
      `<!-- accrue:start --> a\n${block("new")}`,
    ],
  ])("%s", async (_, before, after) => {
    fake.api.get(`${REPO}/pulls/30`).reply(200, pullJson({ body: before }));
    fake.api.patch(`${REPO}/pulls/30`, { body: after }).reply(200, pullJson());
    await fake.port.updatePullBlock(30, "new");
  });

  it("is not sent again when it is the same", async () => {
    fake.api.get(`${REPO}/pulls/30`).reply(200, pullJson({ body: `x\n${block("same $& $1")}` }));
    await expect(fake.port.updatePullBlock(30, "same $& $1")).resolves.toBeUndefined();
  });

  it("cannot be ended early by its own text, and fits beside a long one", async () => {
    let sent = "";
    fake.api.get(`${REPO}/pulls/30`).reply(200, pullJson({ body: "p".repeat(40_000) }));
    fake.api.patch(`${REPO}/pulls/30`).reply(200, (_, body) => {
      sent = (body as { body: string }).body;
      return pullJson();
    });
    await fake.port.updatePullBlock(30, `a <!-- accrue:end --> ${"b".repeat(60_000)}`);
    expect(sent.startsWith("p".repeat(40_000))).toBe(true);
    expect(sent.length).toBeLessThanOrEqual(65_000);
    expect(sent.match(/accrue:end/g)).toHaveLength(1);
    expect(sent.endsWith("<!-- accrue:end -->")).toBe(true);
  });
});

describe("marking as ready", () => {
  it("takes a draft out of its draft, and asks nothing of one that is none", async () => {
    fake.api.get(`${REPO}/pulls/30`).reply(200, pullJson({ node_id: "PR_1" }));
    fake.api
      .post("/graphql", (body: { query: string; variables: unknown }) => {
        expect(body.variables).toEqual({ id: "PR_1" });
        return body.query.includes("markPullRequestReadyForReview");
      })
      .reply(200, { data: { markPullRequestReadyForReview: { clientMutationId: null } } });
    await fake.port.markReady(30);
    fake.api.get(`${REPO}/pulls/30`).reply(200, pullJson({ draft: false }));
    await fake.port.markReady(30);
  });

  it("that is refused says what the app needs", async () => {
    fake.api.get(`${REPO}/pulls/30`).reply(200, pullJson({ node_id: "PR_1" }));
    fake.api.post("/graphql").reply(200, { data: null, errors: [{ type: "FORBIDDEN", message: "no" }] });
    await expect(fake.port.markReady(30)).rejects.toMatchObject({
      code: "GITHUB_DENIED",
      message: expect.stringContaining("pull_requests: write"),
    });
  });
});
