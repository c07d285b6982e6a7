import { execFileSync, fork } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createHostedGit, type Git } from "../../src/git/index.js";
import { until } from "../support/stack.js";

const signal = AbortSignal.timeout(60_000);
const PATH = process.env["PATH"] ?? "";
let root = "";
let git: Git;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "accrue-git-"));
  git = createHostedGit({ home: join(root, "home"), path: PATH });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** The processes that run git for another one. */
function hostsOf(parent: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const isHost = readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("git-host.js");
        const [, above] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
        return isHost && Number(above) === parent ? [Number(pid)] : [];
      } catch {
        return [];
      }
    });
}

describe("git in a process of its own", () => {
  it("says that it may be tried again when that process dies, and starts another for the next call", async () => {
    await git.run(["version"], { folder: root, signal });
    const [host = 0] = hostsOf(process.pid).slice(-1);
    const waiting = git.run(["hash-object", "--stdin-paths"], { folder: root, signal, input: "/dev/tty\n" });
    const slow = git.run(["--exec-path"], { folder: root, signal }).catch((error: unknown) => error);
    process.kill(host, "SIGKILL");
    await expect(waiting).rejects.toMatchObject({ code: "GIT_FAILED" });
    await slow;
    expect(await git.run(["version"], { folder: root, signal })).toContain("git version");
  });

  it("answers calls side by side, each with its own answer, and stops one without the others", async () => {
    const stop = new AbortController();
    const stopped = git.run(["version"], { folder: root, signal: stop.signal });
    const others = Array.from({ length: 20 }, (_, at) =>
      git.run(["hash-object", "--stdin"], { folder: root, signal, input: `text ${at}` }),
    );
    stop.abort(new Error("not wanted any more"));
    await expect(stopped).rejects.toThrow("not wanted any more");
    const ids = others.map(async (id, at) => [await id, idOf(`text ${at}`)]);
    for (const [found, right] of await Promise.all(ids)) expect(found).toBe(right);
  });

  it("ends with the process that it serves, also one that is killed, and keeps none alive", async () => {
    const index = new URL("../../dist/git/index.js", import.meta.url).pathname;
    const file = join(root, "user.mjs");
    writeFileSync(
      file,
      `import { createHostedGit } from ${JSON.stringify(index)};
       const git = createHostedGit({ home: ${JSON.stringify(join(root, "other"))}, path: ${JSON.stringify(PATH)} });
       await git.run(["version"], { folder: ${JSON.stringify(root)}, signal: AbortSignal.timeout(30_000) });
       if (process.argv[2] === "stay") setInterval(() => {}, 1000);
       process.stdout.write("asked\\n");`,
    );
    execFileSync(process.execPath, [file], { timeout: 20_000 });

    const user = fork(file, ["stay"], { stdio: ["ignore", "pipe", "inherit", "ipc"] });
    await new Promise((resolve) => user.stdout?.once("data", resolve));
    const hosts = hostsOf(user.pid ?? 0);
    expect(hosts).toHaveLength(1);
    user.kill("SIGKILL");
    await until("the host's end", async () => hosts.every((pid) => !isThere(pid)));
  });
});

function idOf(text: string): string {
  return execFileSync("git", ["hash-object", "--stdin"], { input: text, encoding: "utf8" });
}

function isThere(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
}
