import { createPublicKey, verify } from "node:crypto";
import nock from "nock";
import { afterEach, describe, expect, it } from "vitest";
import { allowTokens, APP_ID, fakeGitHub, PLACE, publicKey, REPO, START } from "./fake-github.js";

const TOKENS = "/app/installations/5/access_tokens";
const MINUTE_MS = 60_000;

afterEach(() => {
  const pending = nock.pendingMocks();
  nock.cleanAll();
  expect(pending).toEqual([]);
});

describe("addresses", () => {
  it.each([
    ["https://api.github.com", "https://github.com", "github.com"],
    ["https://api.github.com/", "https://github.com", "github.com"],
    ["https://api.acme.ghe.com", "https://acme.ghe.com", "acme.ghe.com"],
    ["https://git.acme.test/api/v3", "https://git.acme.test", "git.acme.test"],
    ["https://api.acme.test/api/v3/", "https://api.acme.test", "api.acme.test"],
    ["http://127.0.0.1:4567/api/v3", "http://127.0.0.1:4567", "127.0.0.1:4567"],
  ])("of pages and git follow from %s", (baseUrl, web, host) => {
    const { github, port } = fakeGitHub({ baseUrl });
    expect(github.cloneUrl(PLACE)).toBe(`${web}/acme/shop.git`);
    expect(port.web("blob/main/a.ts")).toBe(`${web}/acme/shop/blob/main/a.ts`);
    expect(port.web("")).toBe(`${web}/acme/shop`);
    expect(port.repository).toEqual({ host, owner: "acme", name: "shop" });
  });

  it.each(["github.com", "ftp://github.com", ""])("are refused when they are none: %j", (baseUrl) => {
    expect(() => fakeGitHub({ baseUrl })).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
  });
});

describe("the app's key and tokens", () => {
  it("are refused at once when the key is none", () => {
    const auth = { kind: "app" as const, appId: 1, privateKey: "-----BEGIN" };
    expect(() => fakeGitHub({ auth })).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
  });

  it("T7: are minted for one repository with a signed, short-lived proof", async () => {
    const { github, api } = fakeGitHub();
    let proof = "";
    api.post(TOKENS, { repositories: ["shop"], permissions: { contents: "write" } }).reply(201, function () {
      proof = String(this.req.headers.authorization).replace("Bearer ", "");
      return { token: "ghs_git" };
    });
    const header = await github.gitAuthorization(PLACE);
    expect(header).toBe(`Basic ${Buffer.from("x-access-token:ghs_git").toString("base64")}`);
    const [head = "", claims = "", signature = ""] = proof.split(".");
    const signed = Buffer.from(`${head}.${claims}`);
    expect(verify("sha256", signed, createPublicKey(publicKey), Buffer.from(signature, "base64url"))).toBe(
      true,
    );
    expect(JSON.parse(Buffer.from(claims, "base64url").toString())).toEqual({
      iss: String(APP_ID),
      iat: START / 1000 - 60,
      exp: START / 1000 + 540,
    });
  });

  it("WH-14: are used again for fifty minutes, then minted anew with the same scope", async () => {
    const { github, api, clock } = fakeGitHub();
    const scope = { repositories: ["shop"], permissions: { contents: "write" } };
    api.post(TOKENS, scope).reply(201, { token: "one" });
    const first = await github.gitAuthorization(PLACE);
    clock.time += 49 * MINUTE_MS;
    expect(await github.gitAuthorization(PLACE)).toBe(first);
    clock.time += 2 * MINUTE_MS;
    api.post(TOKENS, scope).reply(201, { token: "two" });
    expect(await github.gitAuthorization(PLACE)).not.toBe(first);
  });

  it("are minted once for many that ask at the same time", async () => {
    const { github, api } = fakeGitHub();
    api.post(TOKENS).reply(201, { token: "one" });
    const headers = await Promise.all(Array.from({ length: 5 }, () => github.gitAuthorization(PLACE)));
    expect(new Set(headers).size).toBe(1);
  });

  it("are not kept when minting failed", async () => {
    const { github, api } = fakeGitHub();
    api.post(TOKENS).reply(404, { message: "Not Found" });
    await expect(github.gitAuthorization(PLACE)).rejects.toMatchObject({ code: "GITHUB_MISSING" });
    api.post(TOKENS).reply(201, { token: "one" });
    await expect(github.gitAuthorization(PLACE)).resolves.toMatch(/^Basic /);
  });

  it("are minted anew when GitHub refuses one", async () => {
    const { port, api } = fakeGitHub();
    api.post(TOKENS).reply(201, { token: "old" });
    api.get(REPO).matchHeader("authorization", "token old").reply(401, { message: "Bad credentials" });
    api.post(TOKENS).reply(201, { token: "new" });
    api.get(REPO).matchHeader("authorization", "token new").reply(200, { default_branch: "trunk" });
    expect((await port.about()).defaultBranch).toBe("trunk");
  });

  it("find their installation when the event did not tell it", async () => {
    const { github, api } = fakeGitHub();
    api.get(`${REPO}/installation`).reply(200, { id: 5 });
    api.post(TOKENS).reply(201, { token: "one" });
    await expect(github.gitAuthorization({ ...PLACE, installation: null })).resolves.toMatch(/^Basic /);
  });
});

describe("identity", () => {
  it("WH-16: of an app is its bot account, with an address that GitHub links to it", async () => {
    const { github, api } = fakeGitHub();
    api.get("/app").reply(200, { id: APP_ID, slug: "accrue" });
    api
      .get("/app/installations")
      .query({ per_page: 1 })
      .reply(200, [{ id: 5 }]);
    api.post(TOKENS, { permissions: { metadata: "read" } }).reply(201, { token: "one" });
    api.get("/users/accrue%5Bbot%5D").reply(200, { id: 4242 });
    const expected = {
      appId: APP_ID,
      slug: "accrue",
      login: "accrue[bot]",
      email: "4242+accrue[bot]@users.noreply.github.com",
    };
    expect(await github.identity()).toEqual(expected);
    expect(await github.identity()).toEqual(expected);
  });

  it("of an Action's token is known although it may not ask", async () => {
    const { github, api } = fakeGitHub({ auth: { kind: "token", token: "ghs_x" } });
    api.get("/user").reply(403, { message: "Resource not accessible by integration" });
    expect(await github.identity()).toMatchObject({ login: "github-actions[bot]" });
  });

  it("is asked for again when it could not be read", async () => {
    const { github, api } = fakeGitHub({ auth: { kind: "token", token: "ghp_x" } });
    api.get("/user").reply(401, { message: "Bad credentials" });
    await expect(github.identity()).rejects.toMatchObject({ code: "GITHUB_DENIED" });
    api.get("/user").reply(200, { id: 3, login: "lee", type: "User" });
    expect(await github.identity()).toMatchObject({ appId: null, login: "lee" });
  });
});

describe("permission", () => {
  function ask(status: number, body: object, times = 1) {
    const fake = fakeGitHub();
    allowTokens(fake.api);
    fake.api.get(`${REPO}/collaborators/lee/permission`).times(times).reply(status, body);
    return fake.port.permission("lee");
  }

  it.each([
    [{ permission: "admin", role_name: "admin" }, "admin"],
    [{ permission: "write", role_name: "maintain" }, "maintain"],
    [{ permission: "read", role_name: "triage" }, "triage"],
    [{ permission: "write", role_name: "release-crew" }, "write"],
    [{ permission: "none" }, "none"],
    [{ permission: "strange" }, "none"],
  ])("is read from %j as %s", async (answer, permission) => {
    expect(await ask(200, answer)).toBe(permission);
  });

  it.each([401, 403, 404, 422])("PM-01: is none when GitHub answers %i", async (status) => {
    expect(await ask(status, { message: "no" }, status === 401 ? 2 : 1)).toBe("none");
  });

  it("PM-07: is neither yes nor no while GitHub is failing", async () => {
    await expect(ask(502, {}, 4)).rejects.toMatchObject({ code: "GITHUB_FAILED", retryable: true });
  });
});

describe("reading", () => {
  function reader() {
    const fake = fakeGitHub();
    allowTokens(fake.api);
    return fake;
  }

  it("FK-10, FK-17: an issue without body, author or plain labels, told from a pull request", async () => {
    const { port, api } = reader();
    const json = {
      number: 12,
      title: "T",
      body: null,
      state: "open",
      locked: false,
      html_url: "u",
      user: null,
    };
    api.get(`${REPO}/issues/12`).reply(200, { ...json, labels: ["a", { name: "b" }, { name: null }] });
    expect(await port.issue(12)).toEqual({
      number: 12,
      title: "T",
      body: "",
      state: "open",
      isPull: false,
      locked: false,
      labels: ["a", "b"],
      author: null,
      url: "u",
    });
    api.get(`${REPO}/issues/12`).reply(200, { ...json, labels: [], pull_request: { url: "x" } });
    expect((await port.issue(12)).isPull).toBe(true);
  });

  it("a file gives its text, and null for a folder or what is not there", async () => {
    const { port, api } = reader();
    const path = `${REPO}/contents/.github%2Fagent.yml`;
    const content = Buffer.from("语言: zh\n").toString("base64");
    api.get(path).query({ ref: "main" }).reply(200, { type: "file", encoding: "base64", content });
    expect(await port.readFile(".github/agent.yml", "main")).toBe("语言: zh\n");
    api
      .get(path)
      .query({ ref: "main" })
      .reply(200, [{ type: "file" }]);
    expect(await port.readFile(".github/agent.yml", "main")).toBeNull();
    api.get(path).query({ ref: "main" }).reply(404, { message: "Not Found" });
    expect(await port.readFile(".github/agent.yml", "main")).toBeNull();
  });
});
