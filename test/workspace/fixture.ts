import { execFileSync, spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  createWorkspaces,
  type Remote,
  type Workspaces,
  type WorkspacesOptions,
} from "../../src/workspace/index.js";

const ENVIRONMENT = {
  PATH: process.env["PATH"] ?? "",
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_AUTHOR_NAME: "Lee",
  GIT_AUTHOR_EMAIL: "lee@example.org",
  GIT_COMMITTER_NAME: "Lee",
  GIT_COMMITTER_EMAIL: "lee@example.org",
};

/** Whether this machine lets bubblewrap work; box.test.ts asserts what is said where it does not. */
export const canBox = spawnSync("bwrap", ["--unshare-all", "--ro-bind", "/", "/", "true"]).status === 0;

/** A person's git, in any folder. */
export function personGit(folder: string, ...args: string[]): string {
  return execFileSync("git", args, { cwd: folder, env: ENVIRONMENT, encoding: "utf8", stdio: "pipe" });
}

export interface Fixture {
  root: string;
  /** The bare repository that stands for the forge. */
  remote: string;
  /** A person's clone of it. */
  person: string;
  data: string;
  workspaces: Workspaces;
  signal: AbortSignal;
  /** Writes files in the person's clone, commits and pushes them. */
  commit(files: Record<string, string | Buffer>, branch?: string): string;
  /** Other workspaces over the same data folder, as another process would have them. */
  again(options?: Partial<WorkspacesOptions>): Workspaces;
  mirrorInput(url?: string): Parameters<Workspaces["mirror"]>[0];
  open(input?: { base?: string; branch?: string; run?: string }): ReturnType<Workspaces["open"]>;
  close(): void;
}

/** A forge's repository with one commit on `main`, a person and a data folder, all in one temporary folder. */
export function makeFixture(options: Partial<WorkspacesOptions> = {}): Fixture {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "accrue-workspace-")));
  chmodSync(root, 0o711);
  const remote = join(root, "forge.git");
  const person = join(root, "person");
  const data = join(root, "data");
  const commitHere = (files: Record<string, string | Buffer>) => {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(person, path)), { recursive: true });
      writeFileSync(join(person, path), content);
    }
    personGit(person, "add", "-A");
    personGit(person, "commit", "-q", "--allow-empty", "-m", "A person's work");
  };
  const commit: Fixture["commit"] = (files, branch = "main") => {
    commitHere(files);
    personGit(person, "push", "-q", "origin", `HEAD:refs/heads/${branch}`);
    return personGit(person, "rev-parse", "HEAD").trim();
  };
  const again: Fixture["again"] = (changed = {}) =>
    createWorkspaces(
      { clock: { now: () => 1_700_000_000_000 } },
      {
        data,
        path: process.env["PATH"] ?? "",
        sandbox: { level: canBox ? "auto" : "none", uid: 65534, network: [] },
        nodePath: process.execPath,
        uid: process.getuid?.() ?? 0,
        ...options,
        ...changed,
      },
    );
  const workspaces = again();
  // Of each call's own: files share a fixture over all their tests.
  const signal = () => AbortSignal.timeout(60_000);
  const mirrorInput: Fixture["mirrorInput"] = (url = remote) => ({
    repository: { host: "example.org", owner: "acme", name: "shop" },
    remote: { url, authorization: () => Promise.resolve(null) } satisfies Remote,
    identity: { name: "accrue[bot]", email: "bot@example.org" },
  });
  personGit(root, "init", "-q", "--template=", "-b", "main", person);
  commitHere({ "README.md": "# Shop\n", "src/a.txt": "one\ntwo\nthree\n" });
  // As a clone of the forge's, with three processes fewer for each test.
  cpSync(join(person, ".git"), remote, { recursive: true });
  rmSync(join(remote, "index"));
  writeFileSync(join(remote, "config"), "[core]\n\trepositoryformatversion = 0\n\tbare = true\n");
  const origin = `[remote "origin"]\n\turl = ${remote}\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n`;
  appendFileSync(join(person, ".git/config"), origin);
  cpSync(join(remote, "refs/heads"), join(person, ".git/refs/remotes/origin"), { recursive: true });
  return {
    root,
    remote,
    person,
    data,
    workspaces,
    get signal() {
      return signal();
    },
    commit,
    again,
    mirrorInput,
    open: async ({ base = "main", branch = "agent/REQ-1", run = "01RUNAAAAA" } = {}) => {
      const mirror = await workspaces.mirror(mirrorInput(), signal());
      return workspaces.open({ mirror, base, branch, run }, signal());
    },
    close: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** A branch's commit on the forge, or null. */
export function remoteTip(fixture: Fixture, branch: string): string | null {
  return (
    personGit(fixture.remote, "for-each-ref", "--format=%(objectname)", `refs/heads/${branch}`).trim() || null
  );
}

/** A file on a branch of the forge. */
export function remoteFile(fixture: Fixture, branch: string, path: string): string {
  return personGit(fixture.remote, "show", `refs/heads/${branch}:${path}`);
}
