import type { Disk } from "./disk.js";
import type { RunFolders } from "./layout.js";
import { commitTree } from "./mirror-commit.js";
import { fetchMirror } from "./mirror.js";
import { goneBranch, pushCommit } from "./push.js";
import { commitOf, type Repository } from "./repository.js";
import type { Staging } from "./staging.js";
import type { Standing } from "./standing.js";
import type { PushResult } from "./types.js";

const NAMED_CONFLICTS = 5;

/** Everything one run's checkout is made of. */
export interface Checkout {
  readonly repository: Repository;
  readonly run: string;
  readonly folders: RunFolders;
  readonly staging: Staging;
  readonly disk: Disk;
  readonly branch: string;
  /** Where the run's HEAD lives: a ref of the mirror that no fetch and no agent can move. */
  readonly headRef: string;
  readonly standing: Standing;
}

/** Brings a run's commits to its branch: plain push, one merge if somebody else was there, else a branch beside it. */
export async function publish(checkout: Checkout, isNew: boolean, signal: AbortSignal): Promise<PushResult> {
  const { repository, branch, headRef } = checkout;
  const sha = await headOf(repository, headRef);
  if (isNew) {
    const first = await pushCommit(repository, { sha, branch, onto: "new" }, signal);
    if (!isMoved(first)) return first;
  } else {
    const seen = await commitOf(repository, `refs/remotes/origin/${branch}`);
    const isOnTop = seen !== null && (await isAncestor(repository, seen, sha));
    const next = isOnTop ? await pushCommit(repository, { sha, branch, onto: seen }, signal) : null;
    if (next && !isMoved(next)) return next;
  }

  await fetchMirror(repository, {}, signal);
  const theirs = await commitOf(repository, `refs/remotes/origin/${branch}`);
  if (theirs === null) return goneBranch(branch);
  const merged = await merge(checkout, sha, theirs);
  if ("conflict" in merged) return pushBeside(checkout, merged.conflict, signal);
  const second = await pushCommit(repository, { sha: merged.sha, branch, onto: theirs }, signal);
  if (!isMoved(second)) return second;
  return pushBeside(checkout, "Somebody keeps pushing to it at the same time.", signal);
}

function isMoved(result: PushResult): boolean {
  return result.kind === "refused" && (result.reason === "stale" || result.reason === "exists");
}

async function isAncestor(repository: Repository, older: string, newer: string): Promise<boolean> {
  return (await repository.attempt(["merge-base", "--is-ancestor", older, newer])).exitCode === 0;
}

async function headOf(repository: Repository, headRef: string): Promise<string> {
  return (await repository.git(["rev-parse", "--verify", headRef])).trim();
}

/** Merges the moved branch into the run's work and checks the result out. */
async function merge(
  checkout: Checkout,
  ours: string,
  theirs: string,
): Promise<{ sha: string } | { conflict: string }> {
  const { repository, staging, branch, headRef, disk, folders } = checkout;
  const args = ["merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", ours, theirs];
  const result = await repository.attempt(args);
  const [tree = "", ...files] = result.stdout.split("\0").filter(Boolean);
  if (result.exitCode === 1) {
    const named = files.slice(0, NAMED_CONFLICTS).join(", ");
    const more = files.length > NAMED_CONFLICTS ? ` and ${files.length - NAMED_CONFLICTS} more` : "";
    return { conflict: `Somebody else changed the same places of ${named}${more}.` };
  }
  if (result.exitCode !== 0) return { conflict: "Its history has nothing in common with this work." };
  const message = `Merge branch '${branch}'`;
  const sha = await commitTree(repository, { tree, parents: [ours, theirs], message });
  await staging.git(["read-tree", "--reset", ours]);
  const where = { folder: folders.tree, workTree: folders.tree, indexFile: folders.index };
  const checkedOut = await repository.attempt(["read-tree", "-m", "-u", ours, sha], where);
  if (checkedOut.exitCode !== 0) return { conflict: "Uncommitted files were in the way of a merge." };
  await repository.git(["update-ref", headRef, sha, ours]);
  await disk.own(folders.tree);
  return { sha };
}

/** Nothing of the run is lost and nothing of theirs is touched: the work gets a branch of its own. */
async function pushBeside(checkout: Checkout, why: string, signal: AbortSignal): Promise<PushResult> {
  const { repository, headRef, run } = checkout;
  const branch = `${checkout.branch}-${run.slice(-6).toLowerCase()}`;
  const sha = await headOf(repository, headRef);
  const result = await pushCommit(repository, { sha, branch, onto: "any" }, signal);
  if (result.kind !== "pushed") return result;
  const reason = `${checkout.branch} moved while this run worked. ${why} The work is on ${branch}.`;
  return { kind: "pushed-beside", branch, sha, reason };
}
