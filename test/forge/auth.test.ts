import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startForge } from "../../src/forge/index.js";
import { APP, openIssue, openPull, startWorld, type World } from "./fixture.js";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const mint = (body?: unknown, token = world.jwt()) =>
  world.ask("POST", `/app/installations/${world.installation}/access_tokens`, { token, body });

describe("the App's own token", () => {
  it("opens the App's routes, by the App's number or client id", async () => {
    for (const iss of [42, "42", "Iv1.0123456789abcdef"]) {
      const { status, json } = await world.ask("GET", "/app", { token: world.jwt({ iss }) });
      expect(status).toBe(200);
      expect(json).toMatchObject({
        id: 42,
        slug: "accrue",
        owner: { login: "acme" },
        installations_count: 1,
      });
    }
  });

  it.each([
    ["expired", { exp: -1 }, /must be a numeric value representing the future time/],
    ["too far in the future", { exp: 3600 }, /too far in the future/],
    ["issued in the future", { iat: 300 }, /'Issued at' claim/],
  ])("is refused when %s", async (_why, offsets, message) => {
    const now = Math.floor(world.time.now / 1000);
    const claims = Object.fromEntries(Object.entries(offsets).map(([name, at]) => [name, now + at]));
    const { status, json } = await world.ask("GET", "/app", { token: world.jwt(claims) });
    expect(status).toBe(401);
    expect(json.message).toMatch(message);
  });

  it("is refused for another App, a wrong signature, or another algorithm", async () => {
    expect((await world.ask("GET", "/app", { token: world.jwt({ iss: 7 }) })).status).toBe(401);
    const [head, claims] = world.jwt().split(".");
    for (const token of [`${head}.${claims}.AAAA`, `e30.${claims}.AAAA`, `${head}.%%.AAAA`])
      expect(await world.ask("GET", "/app", { token })).toMatchObject({
        status: 401,
        json: { message: "A JSON web token could not be decoded" },
      });
  });

  it("opens nothing of a repository, and no other token opens the App's routes", async () => {
    expect((await world.ask("GET", "/repos/acme/shop/issues", { token: world.jwt() })).status).toBe(403);
    expect((await world.ask("GET", "/app", { token: world.bot })).status).toBe(401);
    expect((await world.ask("GET", "/app")).status).toBe(401);
  });

  it("finds its installations", async () => {
    const token = world.jwt();
    const all = await world.ask("GET", "/app/installations", { token });
    expect(all.json).toMatchObject([
      { id: world.installation, account: { login: "acme" }, target_type: "Organization" },
    ]);
    const one = await world.ask("GET", `/app/installations/${world.installation}`, { token });
    const ofRepository = await world.ask("GET", "/repos/acme/shop/installation", { token });
    expect(ofRepository.json.id).toBe(one.json.id);
    expect((await world.ask("GET", "/app/installations/1", { token })).status).toBe(404);
    expect((await world.ask("GET", "/repos/acme/nothing/installation", { token })).status).toBe(404);
  });

  it("gets an answer with the forge's time, by which clients correct their clocks", async () => {
    const { headers } = await world.ask("GET", "/app", { token: world.jwt() });
    expect(Date.parse(headers.get("date") ?? "")).toBe(world.time.now);
  });
});

describe("an installation token", () => {
  it("lives for one hour (WH-14)", async () => {
    const { status, json } = await mint();
    expect(status).toBe(201);
    expect(Date.parse(json.expires_at)).toBe(world.time.now + 3_600_000);
    const ask = () => world.ask("GET", "/repos/acme/shop", { token: json.token });
    world.time.now += 3_599_000;
    expect((await ask()).status).toBe(200);
    world.time.now += 1000;
    expect(await ask()).toMatchObject({ status: 401, json: { message: "Bad credentials" } });
    world.time.now -= 3_600_000;
  });

  it("reaches the repositories that it was asked for, and only those", async () => {
    const { id } = await world.forge.control.addRepository({
      owner: "acme",
      name: "wallet",
      files: { a: "" },
      private: true,
    });
    const narrow = await mint({ repositories: ["shop"] });
    expect(narrow.json).toMatchObject({ repository_selection: "selected", repositories: [{ name: "shop" }] });
    expect((await world.ask("GET", "/repos/acme/shop", { token: narrow.json.token })).status).toBe(200);
    expect((await world.ask("GET", "/repos/acme/wallet", { token: narrow.json.token })).status).toBe(404);
    const byId = await mint({ repository_ids: [id] });
    const list = await world.ask("GET", "/installation/repositories", { token: byId.json.token });
    expect(list.json).toMatchObject({ total_count: 1, repositories: [{ name: "wallet", private: true }] });
    expect((await mint({ repositories: ["nothing"] })).status).toBe(422);
  });

  it("has the permissions that it was asked for, and only those (BR-20)", async () => {
    const { json } = await mint({ permissions: { issues: "read" } });
    expect(json.permissions).toEqual({ metadata: "read", issues: "read" });
    expect((await world.ask("GET", "/repos/acme/shop/issues", { token: json.token })).status).toBe(200);
    const denied = await world.ask("POST", "/repos/acme/shop/issues", {
      token: json.token,
      body: { title: "x" },
    });
    expect(denied).toMatchObject({
      status: 403,
      json: { message: "Resource not accessible by integration" },
    });
    expect(denied.headers.get("x-accepted-github-permissions")).toBe("issues=write");
    expect((await mint({ permissions: { administration: "write" } })).status).toBe(422);
  });

  it("for pull requests does not write to issues", async () => {
    const issue = await openIssue(world);
    const pull = await openPull(world, { branch: "permissions" });
    const { json } = await mint({ permissions: { pull_requests: "write" } });
    const say = (number: number) =>
      world.ask("POST", `/repos/acme/shop/issues/${number}/comments`, {
        token: json.token,
        body: { body: "x" },
      });
    expect((await say(pull)).status).toBe(201);
    expect((await say(issue)).status).toBe(403);
  });

  it("does not reach what belongs to others, and is nobody's user", async () => {
    await world.forge.control.addRepository({ owner: "rival", name: "shop", files: { a: "" } });
    expect((await world.ask("GET", "/repos/rival/shop", { token: world.bot })).status).toBe(404);
    expect((await world.ask("GET", "/user", { token: world.bot })).status).toBe(403);
  });

  it("is refused while the installation is suspended, and not minted", async () => {
    const { control } = world.forge;
    await world.events();
    control.suspend(world.installation, true);
    const message = "This installation has been suspended";
    expect(await world.ask("GET", "/repos/acme/shop", { token: world.bot })).toMatchObject({
      status: 403,
      json: { message },
    });
    expect(await mint()).toMatchObject({ status: 403, json: { message } });
    await openIssue(world);
    control.suspend(world.installation, false);
    expect((await world.ask("GET", "/repos/acme/shop", { token: world.bot })).status).toBe(200);
    expect(await world.events()).toEqual(["installation.suspend", "installation.unsuspend"]);
  });

  it("can be given back", async () => {
    const { json } = await mint();
    expect((await world.ask("DELETE", "/installation/token", { token: json.token })).status).toBe(204);
    expect((await world.ask("GET", "/repos/acme/shop", { token: json.token })).status).toBe(401);
  });
});

describe("a person", () => {
  it("is known by a token of their own, also as basic authentication", async () => {
    expect((await world.ask("GET", "/user", { token: world.lee })).json.login).toBe("lee");
    const basic = `Basic ${Buffer.from(`lee:${world.lee}`).toString("base64")}`;
    expect((await world.ask("GET", "/user", { headers: { authorization: basic } })).json.login).toBe("lee");
    expect((await world.ask("GET", "/user")).status).toBe(401);
    expect((await world.ask("GET", "/users/LEE", { token: world.bot })).json.login).toBe("lee");
  });

  it("sees a private repository as a collaborator only", async () => {
    const { control } = world.forge;
    await control.addRepository({
      owner: "acme",
      name: "secret",
      files: { a: "" },
      private: true,
      collaborators: { lee: "read" },
    });
    const see = (token?: string) => world.ask("GET", "/repos/acme/secret", { token });
    expect([(await see(world.lee)).status, (await see(world.outsider)).status, (await see()).status]).toEqual(
      [200, 404, 404],
    );
  });

  it("has one of GitHub's roles, which the permission route names (PM-01)", async () => {
    const role = async (login: string) =>
      (await world.ask("GET", `/repos/acme/shop/collaborators/${login}/permission`, { token: world.bot }))
        .json;
    expect(await role("acme")).toMatchObject({ permission: "admin", role_name: "admin" });
    expect(await role("lee")).toMatchObject({ permission: "write", user: { login: "lee" } });
    expect(await role("tri")).toMatchObject({ permission: "read", role_name: "triage" });
    expect(await role("outsider")).toMatchObject({ permission: "read" });
    expect(await role("nobody")).toMatchObject({ message: "nobody is not a user", status: "404" });
    const secret = await world.ask("GET", "/repos/acme/secret/collaborators/outsider/permission", {
      token: world.bot,
    });
    expect(secret.json.permission).toBe("none");
  });
});

describe("a request", () => {
  it("without a user agent is refused", async () => {
    const { status } = await world.ask("GET", "/rate_limit", { headers: { "user-agent": "" } });
    expect(status).toBe(403);
  });

  it("with an unknown token is refused even where none is needed", async () => {
    expect(await world.ask("GET", "/repos/acme/shop", { token: "ghp_unknown" })).toMatchObject({
      status: 401,
      json: { message: "Bad credentials", documentation_url: expect.any(String) },
    });
    expect((await world.ask("GET", "/repos/acme/shop")).status).toBe(200);
    expect((await world.ask("POST", "/repos/acme/shop/issues", { body: { title: "x" } })).status).toBe(401);
  });

  it("of an unknown route, repository or number is not found", async () => {
    for (const path of [
      "/nothing",
      "/repos/acme/none",
      "/repos/acme/shop/issues/999",
      "/repos/acme/shop/issues/x",
    ])
      expect((await world.ask("GET", path, { token: world.bot })).status).toBe(404);
    expect((await world.ask("GET", "/repos/acme/shop/labels/%E0%A4%A", { token: world.bot })).status).toBe(
      404,
    );
  });

  it("gets an entity tag, and 304 when it is still true", async () => {
    const first = await world.ask("GET", "/rate_limit", { token: world.bot });
    const headers = { "if-none-match": first.headers.get("etag") ?? "" };
    expect((await world.ask("GET", "/rate_limit", { token: world.bot, headers })).status).toBe(304);
    expect(first.headers.get("x-ratelimit-limit")).toBe("5000");
  });
});

describe("an App's registration", () => {
  it.each([
    ["an unknown permission", { permissions: { isues: "write" } }, /isues/],
    ["an unknown event", { events: ["issue"] }, /events\[0\]/],
    ["no private key", { privateKey: "nothing" }, /no PEM private key/],
    ["an empty secret", { webhookSecret: "" }, /signs nothing/],
  ])("is refused with %s", async (_what, part, message) => {
    const start = startForge({
      root: world.folder,
      clock: { now: () => 0 },
      app: { ...APP, ...(part as Partial<typeof APP>) },
    });
    await expect(start).rejects.toMatchObject({
      code: "INPUT_INVALID",
      message: expect.stringMatching(message),
    });
  });
});
