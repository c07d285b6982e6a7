import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openPull, startWorld, type World } from "./fixture.js";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.events();
});

let clones = 0;
/** A fresh clone with a token of its own. */
async function clone(token: string, ...more: string[]): Promise<string> {
  clones += 1;
  const folder = join(world.folder, `clone-${clones}`);
  await world.git(world.folder, "clone", "-q", ...more, world.remote(token), folder);
  return folder;
}

async function commitIn(folder: string, path: string, content = "x\n"): Promise<string> {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  appendFileSync(join(folder, path), content);
  await world.git(folder, "add", "-A");
  await world.git(folder, "commit", "-q", "-m", `Change ${path}`);
  return (await world.git(folder, "rev-parse", "HEAD")).trim();
}

const mint = async (body: unknown) => {
  const path = `/app/installations/${world.installation}/access_tokens`;
  return (await world.ask("POST", path, { token: world.jwt(), body })).json.token as string;
};
const stderrOf = (work: Promise<unknown>) =>
  work.then(
    () => "",
    (error: { stderr?: string }) => error.stderr ?? "",
  );

describe("git over HTTP", () => {
  it("clones, also shallow, without blobs, and anonymously when public", async () => {
    const folder = await clone(world.bot);
    expect(readFileSync(join(folder, "README.md"), "utf8")).toBe("# Shop\n");
    const lean = await clone(world.bot, "--depth=1", "--filter=blob:none");
    expect((await world.git(lean, "rev-list", "--count", "HEAD")).trim()).toBe("1");
    const anonymous = join(world.folder, "anonymous");
    await world.git(world.folder, "clone", "-q", `${world.forge.url}/acme/shop`, anonymous);
    expect(readFileSync(join(anonymous, "src/a.ts"), "utf8")).toContain("a = 1");
  });

  it.each(["git-receive-pack", "git-upload-pack"])(
    "is done with a client that goes away in the middle of %s",
    async (service) => {
      const { hostname, port } = new URL(world.forge.url);
      for (const pauseMs of [0, 1, 3, 5, 8, 12, 20, 35, 60]) {
        const socket = connect(Number(port), hostname);
        socket.on("error", () => undefined);
        const authorization = Buffer.from(`x-access-token:${world.bot}`).toString("base64");
        const head = [
          `POST /acme/shop.git/${service} HTTP/1.1`,
          "host: forge",
          `authorization: Basic ${authorization}`,
          `content-type: application/x-${service}-request`,
          "content-length: 100000",
        ];
        socket.write(`${head.join("\r\n")}\r\n\r\n0000`);
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
        socket.destroy();
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
      await world.forge.control.settle();
      expect(readFileSync(join(await clone(world.bot), "README.md"), "utf8")).toBe("# Shop\n");
    },
    10_000,
  );

  it("fetches any commit by its SHA, as the loser of a forced push", async () => {
    const { control } = world.forge;
    const change = (content: string, from?: string) =>
      control.commit({
        repository: "acme/shop",
        branch: "forced",
        files: { f: content },
        message: content,
        login: "lee",
        ...(from === undefined ? {} : { from }),
      });
    const lost = await change("one");
    await change("two", "main");
    const folder = await clone(world.bot);
    await world.git(folder, "fetch", "-q", "origin", lost);
    expect((await world.git(folder, "show", `${lost}:f`)).trim()).toBe("one");
    await world.settle();
    const pushes = world.received.filter(({ event }) => event === "push");
    expect(pushes.map(({ payload }) => payload.forced)).toEqual([false, true]);
  });

  it("takes a push and tells of it with its commits", async () => {
    const folder = await clone(world.bot);
    const before = (await world.git(folder, "rev-parse", "HEAD")).trim();
    await world.git(folder, "checkout", "-q", "-b", "topic");
    await commitIn(folder, "one.txt");
    writeFileSync(join(folder, "README.md"), "# Shop, changed\n");
    const after = await commitIn(folder, "故事.txt");
    await world.git(folder, "push", "-q", "origin", "topic");
    await world.settle();
    const [push, created] = world.received;
    expect(push?.payload).toMatchObject({
      ref: "refs/heads/topic",
      before: "0".repeat(40),
      after,
      created: true,
      deleted: false,
      pusher: { name: "accrue[bot]" },
      sender: { login: "accrue[bot]" },
      commits: [
        { added: ["one.txt"], modified: [] },
        { added: ["故事.txt"], modified: ["README.md"] },
      ],
      head_commit: { id: after },
    });
    expect(created?.payload).toMatchObject({ ref: "topic", ref_type: "branch", master_branch: "main" });
    expect((await world.git(folder, "merge-base", "origin/topic", "origin/main")).trim()).toBe(before);
    await world.events();
    await world.git(folder, "push", "-q", "origin", ":topic");
    expect(await world.events()).toEqual(["push", "delete"]);
  });

  it("tells of pushes to a pull request as synchronize, and serves its head", async () => {
    const number = await openPull(world, { branch: "sync" });
    const folder = await clone(world.bot, "--branch=sync");
    const before = (await world.git(folder, "rev-parse", "HEAD")).trim();
    const after = await commitIn(folder, "more.txt");
    await world.events();
    await world.git(folder, "push", "-q", "origin", "sync");
    await world.settle();
    const told = world.received.find(({ event }) => event === "pull_request");
    expect(told?.payload).toMatchObject({ action: "synchronize", number, before, after });
    await world.git(folder, "fetch", "-q", "origin", `refs/pull/${number}/head:pr`);
    expect((await world.git(folder, "rev-parse", "pr")).trim()).toBe(after);
  });

  it("takes large and parallel pushes one after another", async () => {
    const folders = await Promise.all([clone(world.bot), clone(world.lee)]);
    await Promise.all(
      folders.map((folder, i) =>
        commitIn(folder, `big-${i}.txt`, `${"0123456789abcdef".repeat(8192)}${i}\n`.repeat(16)),
      ),
    );
    await world.events();
    await Promise.all(
      folders.map((folder, i) => world.git(folder, "push", "-q", "origin", `HEAD:parallel-${i}`)),
    );
    expect((await world.events()).toSorted()).toEqual([
      "check_suite.requested",
      "check_suite.requested",
      "create",
      "create",
      "push",
      "push",
    ]);
  });
});

describe("git over HTTP refuses", () => {
  it("an unknown or an expired token, and a push without any", async () => {
    await world.forge.control.addRepository({
      owner: "acme",
      name: "vault",
      files: { a: "" },
      private: true,
    });
    const read = (token: string) =>
      stderrOf(world.git(world.folder, "ls-remote", world.remote(token, "acme/vault")));
    expect(await read("ghs_unknown")).toMatch(/Authentication failed/);
    world.time.now += 3_600_000;
    expect(await read(world.bot)).toMatch(/Authentication failed/);
    world.time.now -= 3_600_000;
    const folder = join(world.folder, "pushless");
    await world.git(world.folder, "clone", "-q", `${world.forge.url}/acme/shop`, folder);
    await commitIn(folder, "x.txt");
    expect(await stderrOf(world.git(folder, "push", "-q", "origin", "HEAD:x"))).toMatch(
      /could not read Username/,
    );
  });

  it("a push with a token that may only read (BR-20)", async () => {
    const folder = await clone(await mint({ permissions: { contents: "read" } }));
    await commitIn(folder, "x.txt");
    const stderr = await stderrOf(world.git(folder, "push", "-q", "origin", "HEAD:x"));
    expect(stderr).toMatch(/Write access to repository not granted[^]*403/);
    const outsider = await clone(world.outsider);
    await commitIn(outsider, "x.txt");
    expect(await stderrOf(world.git(outsider, "push", "-q", "origin", "HEAD:x"))).toMatch(
      /Permission to acme\/shop.git denied to outsider/,
    );
  });

  it("a repository that the token does not reach, as if it were not there", async () => {
    await world.forge.control.addRepository({
      owner: "rival",
      name: "private",
      files: { a: "" },
      private: true,
    });
    const stderr = await stderrOf(
      world.git(world.folder, "ls-remote", world.remote(world.bot, "rival/private")),
    );
    expect(stderr).toMatch(/not found/);
  });

  it("the App's push to a protected branch, and nobody else's (BR-25)", async () => {
    world.forge.control.protectBranch("acme/shop", "main");
    const bot = await clone(world.bot);
    await commitIn(bot, "x.txt");
    const stderr = await stderrOf(world.git(bot, "push", "-q", "origin", "main"));
    expect(stderr).toMatch(/GH006: Protected branch update failed for refs\/heads\/main\./);
    expect(stderr).toMatch(/\[remote rejected\] main -> main/);
    await world.git(bot, "push", "-q", "origin", "HEAD:beside");
    const lee = await clone(world.lee);
    await commitIn(lee, "y.txt");
    await world.git(lee, "push", "-q", "origin", "main");
    expect(await world.events()).toEqual([
      "push",
      "create",
      "check_suite.requested",
      "push",
      "check_suite.requested",
    ]);
  });

  it("a forced push to a moved branch without force, and pushes to refs/pull (BR-16, BR-17)", async () => {
    const folder = await clone(world.bot);
    await commitIn(folder, "mine.txt");
    await world.forge.control.commit({
      repository: "acme/shop",
      branch: "race",
      files: { r: "1" },
      message: "theirs",
      login: "lee",
    });
    expect(await stderrOf(world.git(folder, "push", "-q", "origin", "HEAD:race"))).toMatch(/\[rejected\]/);
    expect(await stderrOf(world.git(folder, "push", "-q", "origin", "HEAD:refs/pull/9/head"))).toMatch(
      /hidden ref/,
    );
  });

  it("workflow files from an App without the permission for them (BR-28)", async () => {
    const folder = await clone(world.bot);
    await commitIn(folder, ".github/workflows/ci.yml");
    const stderr = await stderrOf(world.git(folder, "push", "-q", "origin", "HEAD:ci"));
    expect(stderr).toContain(
      "refusing to allow a GitHub App to create or update workflow `.github/workflows/ci.yml` without `workflows` permission",
    );
    const lee = await clone(world.lee);
    await commitIn(lee, ".github/workflows/ci.yml");
    await world.git(lee, "push", "-q", "origin", "HEAD:ci-of-lee");
  });

  it("pushes to an archived repository", async () => {
    const folder = await clone(world.bot);
    await commitIn(folder, "x.txt");
    world.forge.control.archive("acme/shop", true);
    const stderr = await stderrOf(world.git(folder, "push", "-q", "origin", "HEAD:late"));
    expect(stderr).toMatch(/archived so it is read-only/);
    const issue = await world.ask("POST", "/repos/acme/shop/issues", {
      token: world.bot,
      body: { title: "x" },
    });
    expect(issue).toMatchObject({
      status: 403,
      json: { message: "Repository was archived so is read-only." },
    });
    world.forge.control.archive("acme/shop", false);
    expect(await world.events()).toEqual(["repository.archived", "repository.unarchived"]);
  });
});
