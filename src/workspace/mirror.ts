import { randomInt } from "node:crypto";
import { AccrueError, isAccrueError, sleep } from "../shared/index.js";
import { commitFiles } from "./mirror-commit.js";
import { mergeCommits } from "./mirror-merge.js";
import { readTextFiles } from "./mirror-files.js";
import { pushCommit } from "./push.js";
import { parseRawDiff } from "./raw-diff.js";
import { commitOf, type Repository } from "./repository.js";
import type { Change, Mirror } from "./types.js";

/** Two processes that fetch at once meet at git's ref locks; the later one tries again. */
const FETCH_ATTEMPTS = 6;
/** No server takes a branch of such a name. */
const COMMIT_ID = /^[0-9a-f]{40}$/;
const REMOTE_REFS = "refs/remotes/origin/";

/** The mirror of a repository as other modules use it. */
export function createMirror(repository: Repository): Mirror {
  // A commit that was here once stays here, so that its id need not be asked for again.
  const present = new Set<string>();
  const known = async (revision: string) => {
    if (present.has(revision)) return revision;
    const sha = await resolveRevision(repository, revision);
    if (sha === null) {
      throw new AccrueError(
        "GIT_FAILED",
        `There is no commit "${revision}" in the mirror: fetch, or check the name.`,
      );
    }
    present.add(sha);
    return sha;
  };
  return {
    repository: repository.ref,
    fetch: (options, signal) => fetchMirror(repository, options, signal),
    resolve: (revision) => resolveRevision(repository, revision),
    branches: async (prefix, beyond) => {
      const format = "--format=%(refname) %(objectname)";
      const narrow = beyond === undefined ? [] : [`--no-merged=${await known(beyond)}`];
      const lines = (await repository.git(["for-each-ref", format, ...narrow, REMOTE_REFS]))
        .split("\n")
        .filter(Boolean);
      return lines
        .map((line) => line.slice(REMOTE_REFS.length).split(" "))
        .map(([name = "", sha = ""]) => ({ name, sha }))
        .filter((branch) => branch.name.startsWith(prefix));
    },
    readFiles: async (revision, prefixes, ending = "") =>
      readTextFiles(repository, await known(revision), { prefixes, ending }),
    history: async (revision, limit) => repository.history({ revision: await known(revision), limit }),
    past: (revision) => repository.past(revision),
    ...comparisons(repository, known),
    commit: async (input) =>
      commitFiles(repository, {
        ...input,
        parent: await known(input.parent),
        follows: input.follows && (await known(input.follows)),
      }),
    push: ({ sha, branch, create, onto }, signal) =>
      pushCommit(repository, { sha, branch, onto: create ? "new" : (onto ?? "any") }, signal),
  };
}

/** How two commits are held against each other, and put together. */
function comparisons(
  repository: Repository,
  known: (revision: string) => Promise<string>,
): Pick<Mirror, "changes" | "diff" | "ahead" | "merge" | "authors"> {
  const mergeBase = async (from: string, to: string) => {
    const { exitCode, stdout } = await repository.attempt(["merge-base", "--end-of-options", from, to]);
    return exitCode === 0 ? stdout.trim() : from;
  };
  return {
    changes: async (from, to) => {
      const sides = [await known(from), await known(to)];
      const raw = await repository.git([
        "diff-tree",
        "-r",
        "--raw",
        "-z",
        "--no-renames",
        "--full-index",
        ...sides,
      ]);
      return parseRawDiff(raw).map(({ path, status, mode }): Change => ({ path, status, mode }));
    },
    diff: async (from, to) => {
      const target = await known(to);
      const start = await mergeBase(await known(from), target);
      return repository.git(["diff-tree", "-r", "-p", "-M", "--no-ext-diff", "--no-textconv", start, target]);
    },
    ahead: async (from, to) => {
      const range = `${await known(from)}..${await known(to)}`;
      return Number(await repository.git(["rev-list", "--count", range]));
    },
    merge: async (input) =>
      mergeCommits(repository, {
        ...input,
        ours: await known(input.ours),
        theirs: await known(input.theirs),
      }),
    authors: async (from, to) => {
      const range = `${await known(from)}..${await known(to)}`;
      const listed = await repository.git(["log", "--no-merges", "--format=%ae", range]);
      return [...new Set(listed.split("\n").filter(Boolean))];
    },
  };
}

/** Brings the mirror up to date; waits and tries again while another process holds a lock of git's. */
export async function fetchMirror(
  repository: Repository,
  options: { pull?: number },
  signal: AbortSignal,
): Promise<void> {
  const refs = [`+refs/heads/*:${REMOTE_REFS}*`];
  if (options.pull !== undefined) {
    refs.push(`+refs/pull/${options.pull}/head:refs/remotes/pull/${options.pull}/head`);
  }
  const switches = ["--prune", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head", "--progress"];
  const args = ["fetch", ...switches, "--end-of-options", repository.remote.url, ...refs];
  for (let attempt = 1; ; attempt++) {
    try {
      await repository.remoteGit(args, signal);
      return;
    } catch (error) {
      const isLocked = isAccrueError(error, "GIT_FAILED") && /lock/i.test(error.message);
      if (!isLocked || attempt === FETCH_ATTEMPTS) throw error;
      await sleep(100 * attempt + randomInt(100), signal);
    }
  }
}

/** Rejects with `WORKSPACE_EMPTY` when the remote has no branch, and so no commit. */
export async function assertNotEmpty(repository: Repository): Promise<void> {
  if (await repository.git(["for-each-ref", "--count=1", REMOTE_REFS])) return;
  const { owner, name } = repository.ref;
  throw new AccrueError(
    "WORKSPACE_EMPTY",
    `${owner}/${name} has no commits yet: make a first commit, then ask again.`,
  );
}

/** A branch of the remote wins over any other reading of the same word. */
async function resolveRevision(repository: Repository, revision: string): Promise<string | null> {
  if (COMMIT_ID.test(revision)) return commitOf(repository, revision);
  const branch = revision.replace(/^refs\/heads\//, "");
  const pull = /^(?:refs\/)?pull\/(\d+)(?:\/head)?$/.exec(revision)?.[1];
  const candidates = [`${REMOTE_REFS}${branch}`, pull && `refs/remotes/pull/${pull}/head`, revision];
  for (const candidate of candidates) {
    const sha = candidate ? await commitOf(repository, candidate) : null;
    if (sha !== null) return sha;
  }
  return null;
}
