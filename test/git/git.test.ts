import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createGit, createHostedGit, type Git } from "../../src/git/index.js";

const MAKERS = [
  ["of our own process", createGit],
  ["of a process of its own", createHostedGit],
] as const;

let root = "";
const signal = AbortSignal.timeout(60_000);

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "accrue-git-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function makeRepository(git: Git): Promise<string> {
  const gitDir = join(root, "bare.git");
  await git.run(["init", "--bare", gitDir], { folder: root, signal });
  return gitDir;
}

describe.each(MAKERS)("git %s", (_of, make) => {
  let git: Git;
  beforeEach(() => {
    git = make({ home: join(root, "home"), path: process.env["PATH"] ?? "" });
  });

  it("uses no home in a folder for everybody that others can write", async () => {
    const shared = join(root, "shared");
    const home = join(shared, "home");
    mkdirSync(home, { recursive: true });
    chmodSync(shared, 0o1777);
    chmodSync(home, 0o777);
    const exposed = make({ home, path: process.env["PATH"] ?? "" });
    await expect(exposed.run(["version"], { folder: root, signal })).rejects.toThrow(
      /can be written by others: remove it/,
    );
    expect(readdirSync(home)).toEqual([]);
  });

  it("gives stdout, with names as they are", async () => {
    const gitDir = await makeRepository(git);
    const id = await git.run(["hash-object", "-w", "--stdin"], {
      folder: gitDir,
      gitDir,
      input: "章\n",
      signal,
    });
    const listed = `100644 blob ${id.trim()}\t第一章.md\0`;
    const tree = await git.run(["mktree", "-z"], { folder: gitDir, gitDir, input: listed, signal });
    expect(await git.run(["ls-tree", "--name-only", tree.trim()], { folder: gitDir, gitDir, signal })).toBe(
      "第一章.md\n",
    );
  });

  it("FI-01 reads the bytes of blobs and leaves out what is missing or no blob", async () => {
    const gitDir = await makeRepository(git);
    const bytes = Buffer.from([0, 255, 10, 13, 10, 128, 0]);
    const id = await git.run(["hash-object", "-w", "--stdin"], {
      folder: gitDir,
      gitDir,
      input: bytes,
      signal,
    });
    const tree = await git.run(["mktree"], {
      folder: gitDir,
      gitDir,
      input: `100644 blob ${id.trim()}\ta\n`,
      signal,
    });
    const blobs = await git.readBlobs([id.trim(), tree.trim(), "0".repeat(40)], {
      folder: gitDir,
      gitDir,
      signal,
    });
    expect([...blobs.keys()]).toEqual([id.trim()]);
    expect(blobs.get(id.trim())?.equals(bytes)).toBe(true);
  });

  it("rejects with the command and git's words when git fails", async () => {
    const gitDir = await makeRepository(git);
    const failing = git.run(["rev-parse", "--verify", "nothing"], { folder: gitDir, gitDir, signal });
    await expect(failing).rejects.toMatchObject({
      code: "GIT_FAILED",
      retryable: false,
      message: expect.stringMatching(
        /git rev-parse --verify nothing failed: fatal: Needed a single revision/,
      ),
    });
  });

  it("gives the exit code to callers for whom it is an answer", async () => {
    const gitDir = await makeRepository(git);
    const result = await git.attempt(["rev-parse", "--verify", "-q", "nothing"], {
      folder: gitDir,
      gitDir,
      signal,
    });
    expect(result).toMatchObject({ exitCode: 1, stdout: "" });
  });

  it("says so when git is not installed", async () => {
    const lost = make({ home: join(root, "home"), path: join(root, "empty") });
    await expect(lost.run(["version"], { folder: root, signal })).rejects.toMatchObject({
      code: "GIT_FAILED",
    });
  });

  it("inherits nothing: no variable, no configuration of the machine", async () => {
    mkdirSync(join(root, "home"));
    writeFileSync(join(root, "home", ".gitconfig"), "[alias]\n\tx = !echo pwned\n");
    process.env["GIT_AUTHOR_NAME"] = "Somebody";
    try {
      const listed = await git.run(["config", "--list", "--show-origin"], { folder: root, signal });
      expect(listed).not.toContain("alias.x");
      const origins = new Set(
        listed
          .split("\n")
          .filter(Boolean)
          .map((line) => line.split("\t")[0]),
      );
      expect([...origins]).toEqual([`file:${join(root, "home", ".gitconfig")}`]);
      await expect(git.run(["var", "GIT_AUTHOR_IDENT"], { folder: root, signal })).rejects.toThrow(/ident/);
    } finally {
      delete process.env["GIT_AUTHOR_NAME"];
    }
  });

  it("refuses transports that run programs", async () => {
    const gitDir = await makeRepository(git);
    const evil = git.run(["fetch", "--end-of-options", `ext::sh -c touch% ${root}/pwned`], {
      folder: gitDir,
      gitDir,
      signal,
    });
    await expect(evil).rejects.toThrow(/not allowed/);
    expect(readdirSync(root)).not.toContain("pwned");
  });

  it("stops when the signal fires, with the signal's reason", async () => {
    const server = await listen((_request, _response) => {});
    const gitDir = await makeRepository(git);
    const controller = new AbortController();
    const fetching = git.run(["fetch", `${urlOf(server)}/a.git`], {
      folder: gitDir,
      gitDir,
      signal: controller.signal,
    });
    setTimeout(() => controller.abort(new Error("stopped by a person")), 200);
    await expect(fetching).rejects.toThrow("stopped by a person");
    await close(server);
  });

  const accepted = [
    "feature/テスト",
    "put-back-arm64-#2",
    "worktree-feat+foo",
    "feature/paris,france",
    "TICKET-123@add-feature",
    "@hotfix/x",
    "_release/v1.2.3",
    "user/name.with.dots",
    "a&b",
    "a$b",
    "a(b)",
    "a'b",
  ];
  it.each(accepted)("BR-01 BR-02 SE-13 accepts the branch name %s", async (name) => {
    await expect(git.checkBranchName(name, signal)).resolves.toBeUndefined();
  });

  const refused = ["", "-x", "--upload-pack=touch", "a..b", "a b", "a:b", "x.lock", "a//b", "@{-1}", "HEAD^"];
  it.each(refused)("BR-05 refuses the branch name '%s'", async (name) => {
    await expect(git.checkBranchName(name, signal)).rejects.toMatchObject({ code: "INPUT_INVALID" });
  });
});

describe.each(MAKERS)("the credential of git %s", (_of, make) => {
  // Of its own, since the command lines of all that runs on this machine are looked at.
  const token = `ghs_${randomBytes(12).toString("hex")}`;
  const secret = `Basic ${Buffer.from(`x-access-token:${token}`).toString("base64")}`;

  it("reaches its origin and is in no argument, no file and no error while git fetches", async () => {
    const git = make({ home: join(root, "home"), path: process.env["PATH"] ?? "" });
    const seen: (string | undefined)[] = [];
    const sampled: string[] = [];
    const server = await listen((request, response) => {
      seen.push(request.headers.authorization);
      sampled.push(...commandLines());
      response.writeHead(403).end("denied");
    });
    const other = await listen((request, response) => {
      seen.push(`other ${request.headers.authorization}`);
      response.writeHead(404).end();
    });
    const gitDir = await makeRepository(git);
    const authorization = { origin: urlOf(server), header: secret };
    const fetch = (url: string) => git.run(["fetch", url], { folder: gitDir, gitDir, authorization, signal });
    const error = await fetch(`${urlOf(server)}/acme/shop.git`).catch((caught: Error) => caught);
    await expect(fetch(`${urlOf(other)}/acme/shop.git`)).rejects.toThrow();

    expect(seen).toEqual([secret, "other undefined"]);
    expect(sampled.some((line) => line.includes("git") && line.includes("fetch"))).toBe(true);
    expect(sampled.filter((line) => line.includes(token) || line.includes(secret.slice(6)))).toEqual([]);
    expect(String(error)).toContain("403");
    expect(String(error)).not.toContain(secret.slice(6));
    expect(filesWith(root, secret.slice(6))).toEqual([]);
    await close(server);
    await close(other);
  });
});

function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(text));
}

function commandLines(): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")];
      } catch {
        return [];
      }
    });
}

function listen(onRequest: RequestListener): Promise<Server> {
  const server = createServer(onRequest);
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
