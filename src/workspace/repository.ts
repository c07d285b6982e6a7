import { randomBytes } from "node:crypto";
import { chmod, mkdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type FilePast,
  type Git,
  type GitIdentity,
  type GitResult,
  type GitRun,
  type HistoryCommit,
  type TreeEntry,
  createFilePast,
  listHistory,
  listTree,
} from "../git/index.js";
import { AccrueError, type Clock, type RepositoryRef } from "../shared/index.js";
import type { Identity, Remote } from "./types.js";

/** A git command without network that takes longer than this hangs. */
const LOCAL_LIMIT_MS = 10 * 60_000;
/** What tools leave behind and nobody means to commit, also where the repository's own `.gitignore` forgot it. */
const NEVER_COMMITTED = "node_modules/\n__pycache__/\n*.pyc\n.pytest_cache/\n*.egg-info/\n";

/** What every part of a mirror and its checkouts works with: one bare repository and its remote. */
export interface Repository {
  readonly ref: RepositoryRef;
  /** The folder of the mirror and the runs. */
  readonly folder: string;
  readonly gitDir: string;
  readonly remote: Remote;
  readonly identity: Identity;
  /** A local command in the bare repository, or in a checkout of it. */
  git(args: readonly string[], extra?: Partial<GitRun>): Promise<string>;
  attempt(args: readonly string[], extra?: Partial<GitRun>): Promise<GitResult>;
  blobs(ids: readonly string[]): Promise<Map<string, Buffer>>;
  /** The files of a checkout of it. */
  tree(checkout: Partial<GitRun>): Promise<TreeEntry[]>;
  history(of: { revision: string; limit: number }): Promise<HistoryCommit[]>;
  past(revision: string): FilePast;
  /** A command that talks to the remote, with its credential. */
  remoteAttempt(args: readonly string[], signal: AbortSignal): Promise<GitResult>;
  remoteGit(args: readonly string[], signal: AbortSignal): Promise<string>;
  checkBranchName(name: string): Promise<void>;
  /** The bot as author, now. */
  author(): GitIdentity;
}

/** Opens a repository's bare mirror and makes it on first use. Contract: two processes may do so at once. */
export async function openRepository(
  deps: { git: Git; clock: Clock },
  input: { ref: RepositoryRef; folder: string; remote: Remote; identity: Identity },
  signal: AbortSignal,
): Promise<Repository> {
  const gitDir = join(input.folder, "mirror.git");
  await createBare(deps.git, input.folder, gitDir, signal);
  const local = (extra: Partial<GitRun> = {}): GitRun => ({
    folder: gitDir,
    gitDir,
    signal: AbortSignal.timeout(LOCAL_LIMIT_MS),
    ...extra,
  });
  const authorized = async (signal: AbortSignal): Promise<GitRun> => {
    const header = /^https?:\/\//.test(input.remote.url) ? await input.remote.authorization() : null;
    const authorization = header === null ? null : { origin: new URL(input.remote.url).origin, header };
    return local({ authorization, signal });
  };
  return {
    ...input,
    gitDir,
    git: (args, extra) => deps.git.run(args, local(extra)),
    attempt: (args, extra) => deps.git.attempt(args, local(extra)),
    blobs: (ids) => deps.git.readBlobs(ids, local()),
    history: (of) => listHistory(deps.git, of, local()),
    past: (revision) => createFilePast(deps.git, revision, local()),
    tree: (checkout) => listTree(deps.git, local(checkout)),
    remoteAttempt: async (args, signal) => deps.git.attempt(args, await authorized(signal)),
    remoteGit: async (args, signal) => deps.git.run(args, await authorized(signal)),
    checkBranchName: (name) => deps.git.checkBranchName(name, AbortSignal.timeout(LOCAL_LIMIT_MS)),
    author: () => ({ ...input.identity, at: deps.clock.now() }),
  };
}

/** The commit that a revision names, or null. */
export async function commitOf(repository: Repository, revision: string): Promise<string | null> {
  const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`];
  const { exitCode, stdout } = await repository.attempt(args);
  return exitCode === 0 ? stdout.trim() : null;
}

async function createBare(git: Git, folder: string, gitDir: string, signal: AbortSignal): Promise<void> {
  if (await exists(gitDir)) return;
  // Made aside and renamed: another process sees a whole mirror or none.
  const draft = `${gitDir}.${randomBytes(6).toString("hex")}`;
  try {
    await git.run(["init", "--quiet", "--bare", draft], { folder, signal });
    await mkdir(join(draft, "info"), { recursive: true });
    await writeFile(join(draft, "info", "exclude"), NEVER_COMMITTED);
    await chmod(draft, 0o700);
    await rename(draft, gitDir);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // ENOTEMPTY: the other process was first, and its mirror is as good.
    if (!(await exists(gitDir))) throw mirrorFailed(gitDir, error);
  }
}

function mirrorFailed(gitDir: string, cause: unknown): AccrueError {
  const message = `The mirror ${gitDir} could not be made: check that the data folder is writable and has space.`;
  return new AccrueError("WORKSPACE_FAILED", message, { cause });
}

async function exists(path: string): Promise<boolean> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  return found !== null;
}
