import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { App, Octokit } from "octokit";
import { afterEach, describe, expect, it } from "vitest";
import { startForge } from "../../src/forge/index.js";
import { APP, openIssue, openPull, startWorld, type World } from "./fixture.js";

let world: World;
afterEach(() => world.close());

describe("a fault", () => {
  it("hits the requests that it is for, as often as it says, with what it says (WH-10)", async () => {
    world = await startWorld();
    world.forge.control.fault({
      method: "POST",
      path: /\/comments$/,
      times: 2,
      status: 403,
      headers: { "x-ratelimit-remaining": "4771", "retry-after": "60" },
      body: { message: "You have exceeded a secondary rate limit." },
    });
    const number = await openIssue(world);
    const say = () =>
      world.ask("POST", `/repos/acme/shop/issues/${number}/comments`, {
        token: world.bot,
        body: { body: "x" },
      });
    const hit = await say();
    expect(hit).toMatchObject({
      status: 403,
      json: { message: "You have exceeded a secondary rate limit." },
    });
    expect(hit.headers.get("retry-after")).toBe("60");
    expect(
      (await world.ask("GET", `/repos/acme/shop/issues/${number}/comments`, { token: world.bot })).json,
    ).toEqual([]);
    expect((await say()).status).toBe(403);
    expect((await say()).status).toBe(201);
  });

  it("may answer with a page, drop the connection, or only delay", async () => {
    world = await startWorld();
    const { control } = world.forge;
    const ask = () => world.ask("GET", "/rate_limit", { token: world.bot });
    control.fault({ path: /^\/rate_limit$/, status: 502, body: "<h1>Unicorn</h1>" });
    expect(await ask()).toMatchObject({ status: 502, text: "<h1>Unicorn</h1>" });
    control.fault({ path: /^\/rate_limit$/, drop: true });
    await expect(ask()).rejects.toThrow("fetch failed");
    control.fault({ path: /^\/rate_limit$/, delayMs: 5 });
    expect((await ask()).status).toBe(200);
  });

  it("hits git too", async () => {
    world = await startWorld();
    world.forge.control.fault({ path: /git-upload-pack|info\/refs/, status: 503 });
    await expect(world.git(world.folder, "ls-remote", world.remote(world.bot))).rejects.toThrow(/503/);
    expect(await world.git(world.folder, "ls-remote", world.remote(world.bot))).toContain("refs/heads/main");
  });
});

describe("the log", () => {
  it("has a line for each REST exchange and webhook, and no token, fault, git or page", async () => {
    world = await startWorld();
    const file = join(world.folder, "log.jsonl");
    const logged = await startWorld({ logFile: file });
    try {
      await openIssue(logged);
      logged.forge.control.fault({ path: /rate_limit/, status: 500 });
      await logged.ask("GET", "/rate_limit", { token: logged.bot });
      await logged.git(logged.folder, "ls-remote", logged.remote(logged.bot));
      await fetch(`${logged.forge.url}/acme/shop`);
      await logged.forge.control.settle();
      const text = readFileSync(file, "utf8");
      const lines = text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      expect(lines).toMatchObject([
        { kind: "webhook", event: "installation", action: "created" },
        {
          kind: "exchange",
          method: "POST",
          path: `/app/installations/${logged.installation}/access_tokens`,
          request: null,
          status: 201,
          response: { token: "ghs_***" },
        },
        {
          kind: "exchange",
          method: "POST",
          path: "/repos/acme/shop/issues",
          request: { title: "Add CSV export" },
        },
        { kind: "webhook", event: "issues", action: "opened", payload: { action: "opened" } },
      ]);
      expect(text).not.toContain(logged.bot);
    } finally {
      await logged.close();
    }
  });
});

describe("the server", () => {
  it("tells a watcher of each answered request until it stops watching", async () => {
    world = await startWorld();
    const seen: string[] = [];
    const stop = world.forge.control.watch(({ method, path, status }) =>
      seen.push(`${method} ${path} ${status}`),
    );
    const number = await openIssue(world);
    await world.git(world.folder, "ls-remote", world.remote(world.bot));
    await world.settle();
    stop();
    await openIssue(world);
    expect(seen).toEqual([
      "POST /repos/acme/shop/issues 201",
      "GET /acme/shop.git/info/refs 200",
      "POST /acme/shop.git/git-upload-pack 200",
    ]);
    expect(number).toBe(1);
  });

  it("shows pages to browsers, from its state", async () => {
    world = await startWorld({
      pages: async (path, state) =>
        path === "/acme/shop"
          ? { status: 200, html: `<h1>${state.app.name} of ${state.repositories.size}</h1>` }
          : null,
    });
    const page = async (path: string) => {
      const answer = await fetch(`${world.forge.url}${path}`);
      return [answer.status, await answer.text()];
    };
    expect(await page("/acme/shop")).toEqual([200, "<h1>Accrue of 1</h1>"]);
    expect(await page("/acme/nothing")).toEqual([404, "Not Found"]);
  });

  it("says which port it cannot have", async () => {
    world = await startWorld();
    const port = Number(new URL(world.forge.url).port);
    const second = startForge({
      root: join(world.folder, "second"),
      clock: { now: () => 0 },
      app: APP,
      port,
    });
    await expect(second).rejects.toMatchObject({
      code: "GITHUB_FAILED",
      message: expect.stringContaining(`127.0.0.1:${port}`),
    });
  });

  it("closes while requests and webhooks are under way", async () => {
    world = await startWorld();
    const slow = createServer(() => undefined);
    await new Promise<void>((resolve) => slow.listen(0, "127.0.0.1", resolve));
    const address = slow.address();
    world.forge.control.setWebhook(
      `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`,
    );
    world.forge.control.fault({ path: /rate_limit/, delayMs: 60_000 });
    await openIssue(world);
    const hanging = world.ask("GET", "/rate_limit", { token: world.bot });
    const outcome = expect(hanging).rejects.toThrow("fetch failed");
    await world.forge.close();
    await outcome;
    slow.closeAllConnections();
    await new Promise((resolve) => slow.close(resolve));
  });

  it("refuses control calls about what is not there", async () => {
    world = await startWorld();
    const { control } = world.forge;
    const invalid = expect.objectContaining({ code: "INPUT_INVALID" });
    expect(() => control.protectBranch("acme/none", "main")).toThrow(invalid);
    expect(() => control.deleteUser("none")).toThrow(invalid);
    expect(() => control.deleteUser("acme")).toThrow(invalid);
    expect(() => control.suspend(1, true)).toThrow(invalid);
    expect(() => control.lockIssue("acme/shop", 9, true)).toThrow(invalid);
    await expect(control.addRepository({ owner: "acme", name: "shop" })).rejects.toThrow(invalid);
    await expect(control.addRepository({ owner: "acme", name: ".." })).rejects.toThrow(invalid);
    const commit = { repository: "acme/shop", branch: "b", files: {}, message: "m", login: "lee" };
    await expect(control.commit({ ...commit, from: "none" })).rejects.toThrow(invalid);
    await expect(control.commit({ ...commit, login: "none" })).rejects.toThrow(invalid);
  });
});

describe("Octokit", () => {
  it("works as an App: tokens, pages, pull requests, drafts", async () => {
    const now = Date.now();
    world = await startWorld({ clock: { now: () => now } });
    const number = await openPull(world, { branch: "octokit", draft: true });
    const app = new App({
      appId: APP.id,
      privateKey: APP.privateKey,
      webhooks: { secret: APP.webhookSecret },
      Octokit: Octokit.defaults({ baseUrl: world.forge.apiUrl, throttle: { enabled: false } }),
    });
    const octokit = await app.getInstallationOctokit(world.installation);
    const place = { owner: "acme", repo: "shop" };
    for (let i = 0; i < 35; i += 1)
      await octokit.rest.issues.createComment({ ...place, issue_number: number, body: `c${i}` });
    const comments = await octokit.paginate(octokit.rest.issues.listComments, {
      ...place,
      issue_number: number,
    });
    expect(comments).toHaveLength(35);
    const { data: pull } = await octokit.rest.pulls.get({ ...place, pull_number: number });
    const ready = await octokit.graphql<{
      markPullRequestReadyForReview: { pullRequest: { isDraft: boolean } };
    }>(
      "mutation($id: ID!) { markPullRequestReadyForReview(input: {pullRequestId: $id}) { pullRequest { isDraft } } }",
      { id: pull.node_id },
    );
    expect(ready.markPullRequestReadyForReview.pullRequest.isDraft).toBe(false);
    const installations: number[] = [];
    for await (const { installation } of app.eachInstallation.iterator()) installations.push(installation.id);
    expect(installations).toEqual([world.installation]);
  });
});
