import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { AccrueError, type InTurn, clipMiddle, messageOf } from "../shared/index.js";
import { copyFolder } from "./copy-folder.js";
import { createFiles } from "./files.js";
import { commitTree } from "./mirror-commit.js";
import type { Checkout } from "./publish.js";
import { createStaging } from "./staging.js";
import type { Box, Change, Fork, SealedFork } from "./types.js";
import type { RunFolders } from "./layout.js";

const NAME = /^[a-z0-9-]{1,64}$/;
const NAMED_CONFLICTS = 5;
const MAX_REASON_CHARS = 500;

/** What a fork is made from. */
export interface ForkDeps {
  checkout: Checkout;
  inTurn: InTurn;
  head(): Promise<string>;
  boxUid: number | null;
  makeBox(folders: RunFolders): Box;
}

/** Copies a checkout as it stands, ignored files such as installed dependencies included, to a place of its own beside it. */
export async function forkCheckout(deps: ForkDeps, name: string, signal: AbortSignal): Promise<Fork> {
  const { disk, folders, repository } = deps.checkout;
  if (!NAME.test(name)) {
    throw new AccrueError("INPUT_INVALID", `"${name}" is no name of a fork: use a-z, 0-9 and "-".`);
  }
  const folder = join(folders.folder, "forks", name);
  const own: RunFolders = {
    folder,
    tree: join(folder, "tree"),
    home: join(folder, "home"),
    index: join(folder, "index"),
  };
  signal.throwIfAborted();
  await disk.remove(folder);
  await disk.makeFolder(folder);
  let base: string;
  let isCommitted: boolean;
  try {
    await mkdir(own.home, { mode: 0o700 });
    const head = await deps.head();
    base = (await standingOf(deps.checkout, head)).commit;
    isCommitted = base === head;
    await copyTree(folders.tree, own.tree, signal);
    await disk.remove(join(own.tree, ".git"));
    await copyFile(folders.index, own.index);
    await disk.ownFiles(folder, ["home"]);
    signal.throwIfAborted();
  } catch (error) {
    await disk.remove(folder);
    throw error;
  }
  const staging = createStaging(repository, own);
  return {
    files: createFiles({ root: own.tree, list: (prefix) => staging.list(prefix), owner: deps.boxUid }),
    box: deps.makeBox(own),
    tree: staging.tree,
    seal: async () => {
      const result = await snapshot({ repository, staging }, base);
      return { adopt: () => deps.inTurn(() => adopt(deps, { base, isCommitted, result })) };
    },
    close: () => disk.remove(folder),
  };
}

/** Says what to do where the disk does not take a copy. */
async function copyTree(from: string, to: string, signal: AbortSignal): Promise<void> {
  try {
    await copyFolder(from, to, { signal });
  } catch (cause) {
    signal.throwIfAborted();
    const message = `The checkout ${from} cannot be copied: ${clipMiddle(messageOf(cause), MAX_REASON_CHARS)}. Look at the disk's space and the files' rights.`;
    throw new AccrueError("WORKSPACE_FAILED", message, { cause });
  }
}

/** A work tree as a commit that nothing names, and how it differs from the one below it. */
interface Snapshot {
  commit: string;
  changes: Change[];
}

/** The work tree of now on top of a commit; that commit itself where nothing differs. */
async function snapshot(
  { repository, staging }: Pick<Checkout, "repository" | "staging">,
  parent: string,
): Promise<Snapshot> {
  const changes = await staging.stageForCommit(parent);
  if (changes.length === 0) return { commit: parent, changes };
  const tree = (await staging.git(["write-tree"])).trim();
  const commit = await commitTree(repository, { tree, parents: [parent], message: "As it stands" });
  return { commit, changes };
}

/** The checkout of now, which git need not look at where nobody touched it. */
async function standingOf(checkout: Checkout, head: string): Promise<Snapshot> {
  return checkout.standing.isSettled() ? { commit: head, changes: [] } : snapshot(checkout, head);
}

/** What a fork was made from, and what became of it. `isCommitted`: the base is a commit of the checkout's own history. */
interface Sides {
  base: string;
  isCommitted: boolean;
  result: Snapshot;
}

/** Brings what changed in a fork into its checkout; where both changed the same place, nothing. */
async function adopt(deps: ForkDeps, sides: Sides): ReturnType<SealedFork["adopt"]> {
  const { checkout } = deps;
  const { repository, folders, disk, standing } = checkout;
  // The index holds exactly this afterwards.
  const now = (await standingOf(checkout, await deps.head())).commit;
  const merged = await mergeOf(checkout, now, sides);
  if ("conflict" in merged) return { kind: "conflict", message: merged.conflict };
  const where = { folder: folders.tree, workTree: folders.tree, indexFile: folders.index };
  const written = await repository.attempt(["read-tree", "-m", "-u", now, merged.tree], where);
  if (written.exitCode !== 0) {
    if (standing.isSettled()) {
      // Somebody touched it without our knowing.
      standing.stir();
      return adopt(deps, sides);
    }
    return { kind: "conflict", message: "Files that git does not know were in the way of its changes." };
  }
  standing.stir();
  const changes = sides.result.changes.map(({ path, status }) => ({ path, status }));
  await disk.ownFiles(
    folders.tree,
    changes.flatMap(({ path, status }) => (status === "deleted" ? [] : [path])),
  );
  return { kind: "adopted", changes };
}

/** The merged tree; git takes a commit for its tree. */
async function mergeOf(
  { repository }: Checkout,
  now: string,
  { base, isCommitted, result: { commit: result } }: Sides,
): Promise<{ tree: string } | { conflict: string }> {
  // Nothing happened beside it, or in it: there is nothing to merge.
  if (now === base) return { tree: result };
  if (result === base) return { tree: now };
  // Else the snapshots' histories say nothing: both sides become commits of one made-up history.
  const onBase = async (commit: string) => {
    const tree = (await repository.git(["rev-parse", `${commit}^{tree}`])).trim();
    return commitTree(repository, { tree, parents: [base], message: "A side" });
  };
  const [ours, theirs] = isCommitted ? [now, result] : [await onBase(now), await onBase(result)];
  const args = ["merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", ours, theirs];
  const { exitCode, stdout } = await repository.attempt(args);
  const [tree = "", ...files] = stdout.split("\0").filter(Boolean);
  if (exitCode === 0) return { tree };
  const named = files.slice(0, NAMED_CONFLICTS).join(", ");
  return { conflict: `The same places of ${named} were changed meanwhile.` };
}
