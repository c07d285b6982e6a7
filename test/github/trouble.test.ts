import nock from "nock";
import { afterEach, describe, expect, it } from "vitest";
import { allowTokens, fakeGitHub, REPO, START } from "./fake-github.js";

afterEach(() => {
  const pending = nock.pendingMocks();
  nock.cleanAll();
  expect(pending).toEqual([]);
});

describe("trouble", () => {
  function prepared(options = {}) {
    const fake = fakeGitHub(options);
    allowTokens(fake.api);
    return fake;
  }

  it("of a failing server is waited out", async () => {
    const { port, api } = prepared();
    api.get(REPO).times(2).reply(502, "<html>Bad gateway</html>");
    api.get(REPO).replyWithError("socket hang up");
    api.get(REPO).reply(200, { default_branch: "main" });
    expect((await port.about()).defaultBranch).toBe("main");
  });

  it("that lasts is reported as something to try again later", async () => {
    const { port, api } = prepared();
    api.get(REPO).times(4).reply(503, {});
    await expect(port.about()).rejects.toMatchObject({
      code: "GITHUB_FAILED",
      retryable: true,
      message: expect.stringMatching(/503.*read the repository/),
    });
  });

  it("WH-10: of a secondary limit without any header is recognised by its text and waited out", async () => {
    const { port, api, warnings } = prepared();
    api.post(`${REPO}/issues/12/reactions`).reply(
      403,
      {
        message:
          "You have exceeded a secondary rate limit and have been temporarily blocked from content creation.",
      },
      { "x-ratelimit-remaining": "4771" },
    );
    api.post(`${REPO}/issues/12/reactions`).reply(201, {});
    await port.react({ kind: "issue", number: 12 }, "eyes");
    expect(warnings).toMatchObject([{ fields: { seconds: 60 }, message: expect.stringMatching(/limits/) }]);
  });

  it.each([
    [{ "retry-after": "7" }, 7],
    [{ "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(START / 1000 + 30) }, 31],
  ])("of a limit is waited out as long as %j says", async (headers, seconds) => {
    const { port, api, warnings } = prepared();
    api
      .get(REPO)
      .reply(429, { message: "API rate limit exceeded" }, headers as unknown as Record<string, string>);
    api.get(REPO).reply(200, { default_branch: "main" });
    await port.about();
    expect(warnings).toMatchObject([{ fields: { seconds } }]);
  });

  it("of a limit that lasts too long is reported at once as something to try again later", async () => {
    const { port, api } = prepared();
    const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(START / 1000 + 3600) };
    api.get(REPO).reply(403, { message: "API rate limit exceeded" }, headers);
    await expect(port.about()).rejects.toMatchObject({ code: "GITHUB_FAILED", retryable: true });
  });

  it("BR-20: of a missing permission is named, once", async () => {
    const { port, api } = prepared();
    api
      .get(REPO)
      .reply(
        403,
        { message: "Resource not accessible by integration" },
        { "x-accepted-github-permissions": "metadata=read" },
      );
    await expect(port.about()).rejects.toMatchObject({
      code: "GITHUB_DENIED",
      retryable: false,
      message: expect.stringMatching(/metadata=read/),
    });
  });

  it.each([404, 410])("of something that is gone (%i) is told apart", async (status) => {
    const { port, api } = prepared();
    api.get(`${REPO}/issues/12`).reply(status, { message: "gone" });
    await expect(port.issue(12)).rejects.toMatchObject({ code: "GITHUB_MISSING", retryable: false });
  });
});

describe("writes", () => {
  it("are spaced, so that no two go out side by side", async () => {
    const fake = fakeGitHub({ writeSpacingMs: 30 });
    allowTokens(fake.api);
    const order: string[] = [];
    for (const number of [1, 2, 3]) {
      fake.api.post(`${REPO}/issues/${number}/reactions`).reply(201, () => {
        order.push(`write ${number}`);
        return {};
      });
    }
    fake.api.get(REPO).reply(200, () => {
      order.push("read");
      return { default_branch: "main" };
    });
    const writes = [1, 2, 3].map((number) => fake.port.react({ kind: "issue", number }, "eyes"));
    await Promise.all([...writes, fake.port.about()]);
    expect(order.filter((step) => step !== "read")).toEqual(["write 1", "write 2", "write 3"]);
    expect(order.indexOf("read")).toBeLessThan(order.indexOf("write 3"));
  });
});
