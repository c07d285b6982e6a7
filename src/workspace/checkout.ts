import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { AccrueError, createTurns } from "../shared/index.js";
import type { Disk } from "./disk.js";
import { type ForkDeps, forkCheckout } from "./fork.js";
import { createFiles } from "./files.js";
import type { RunFolders } from "./layout.js";
import { commitTree } from "./mirror-commit.js";
import { type Checkout, publish } from "./publish.js";
import { commitOf, type Repository } from "./repository.js";
import { createStaging } from "./staging.js";
import { createStanding } from "./standing.js";
import type { Box, Mirror, Workspace } from "./types.js";

/** The ref in the mirror that keeps a run's commits. */
export function headRefOf(run: string): string {
  return `refs/accrue/runs/${run}`;
}

/** Lays out a run's checkout afresh from its branch, its own earlier commits, or the base. */
export async function openCheckout(
  deps: {
    repository: Repository;
    mirror: Mirror;
    disk: Disk;
    boxUid: number | null;
    makeBox(folders: RunFolders): Box;
    /** What its boxes show of others. */
    beside: Map<string, string>;
  },
  input: { base: string; branch: string; run: string; folders: RunFolders },
  signal: AbortSignal,
): Promise<Workspace> {
  const { repository, disk } = deps;
  const { base, branch, run, folders } = input;
  await repository.checkBranchName(branch);
  const baseTip = await commitOf(repository, `refs/remotes/origin/${base}`);
  if (baseTip === null) {
    throw new AccrueError(
      "INPUT_INVALID",
      `There is no branch "${base}" to start from: check the base branch.`,
    );
  }
  const headRef = headRefOf(run);
  const remoteTip = await commitOf(repository, `refs/remotes/origin/${branch}`);
  const start = await startOf(repository, { headRef, remoteTip, baseTip });
  signal.throwIfAborted();

  await disk.remove(folders.tree);
  await disk.remove(folders.index);
  await mkdir(folders.tree, { mode: 0o700 });
  await mkdir(folders.home, { recursive: true, mode: 0o700 });
  await repository.git(["update-ref", headRef, start]);
  const staging = createStaging(repository, folders);
  await staging.git(["read-tree", "--reset", "-u", start]);
  await disk.own(folders.tree, folders.home);

  const standing = createStanding();
  const mergeBase = await repository.attempt(["merge-base", start, baseTip]);
  return createWorkspace({ repository, run, folders, staging, disk, branch, headRef, standing }, deps, {
    path: folders.tree,
    mirror: deps.mirror,
    branch,
    baseBranch: base,
    baseSha: mergeBase.exitCode === 0 ? mergeBase.stdout.trim() : baseTip,
    isNew: remoteTip === null,
    ...standing.watch({
      files: createFiles({ root: folders.tree, list: (prefix) => staging.list(prefix), owner: deps.boxUid }),
      box: deps.makeBox(folders),
    }),
    showBeside: (name, path) => void deps.beside.set(name, path),
  });
}

/** After a crash the run's own commits count, unless the branch already holds them and more. */
async function startOf(
  repository: Repository,
  tips: { headRef: string; remoteTip: string | null; baseTip: string },
): Promise<string> {
  const own = await commitOf(repository, tips.headRef);
  if (own === null) return tips.remoteTip ?? tips.baseTip;
  if (tips.remoteTip === null) return own;
  const { exitCode } = await repository.attempt(["merge-base", "--is-ancestor", own, tips.remoteTip]);
  return exitCode === 0 ? tips.remoteTip : own;
}

type Facts = Pick<
  Workspace,
  "path" | "mirror" | "branch" | "baseBranch" | "baseSha" | "isNew" | "files" | "box" | "showBeside"
>;

function createWorkspace(
  checkout: Checkout,
  { boxUid, makeBox }: Pick<ForkDeps, "boxUid" | "makeBox">,
  facts: Facts,
): Workspace {
  const { repository, staging, folders, disk, headRef, standing } = checkout;
  // Nobody but this checkout moves its ref; where another holder of the run did, the next commit is refused.
  let tip: string | null = null;
  const head = async () => (tip ??= (await repository.git(["rev-parse", "--verify", headRef])).trim());
  const inTurn = createTurns();
  const publishing = { isNew: facts.isNew };
  return {
    ...facts,
    tree: staging.tree,
    head,
    changes: async () => staging.stageAll(await head()),
    commit: async ({ message, ...input }) => {
      const before = await head();
      const chosen = "paths" in input ? input.paths : undefined;
      const isChanged = chosen
        ? await stageChosen(checkout, before, chosen)
        : (await staging.stageForCommit(before, "review" in input ? input.review : undefined)).length > 0;
      if (!isChanged) {
        if (!chosen) standing.settle();
        return null;
      }
      const tree = (await staging.git(["write-tree"])).trim();
      const sha = await commitTree(repository, { tree, parents: [before], message });
      await repository.git(["update-ref", headRef, sha, before]);
      tip = sha;
      if (!chosen) standing.settle();
      return sha;
    },
    reset: async () => {
      await disk.remove(join(folders.tree, ".git"));
      await staging.git(["read-tree", "--reset", "-u", await head()]);
      // Twice -f: also repositories that the agent made.
      await staging.git(["clean", "-ffdq"]);
      await disk.own(folders.tree);
      standing.stir();
    },
    push: async (signal) => {
      // It may merge what somebody else pushed.
      tip = null;
      standing.stir();
      const result = await publish(checkout, publishing.isNew, signal);
      if (result.kind === "pushed") publishing.isNew = false;
      return result;
    },
    fork: (name, signal) =>
      inTurn(() => forkCheckout({ checkout, head, inTurn, boxUid, makeBox }, name, signal)),
    close: async () => {
      await disk.remove(folders.folder);
      await repository.git(["update-ref", "-d", headRef]);
    },
  };
}

/** False when none of the paths differs from the commit. */
async function stageChosen({ staging }: Checkout, head: string, paths: readonly string[]): Promise<boolean> {
  const chosen = (await staging.stageAll(head)).filter(({ path }) => isAmong(path, paths));
  if (chosen.length > 0) await staging.stageOnly(head, chosen);
  return chosen.length > 0;
}

function isAmong(path: string, paths: readonly string[]): boolean {
  return paths.some((wanted) => path === wanted || path.startsWith(`${wanted.replace(/\/$/, "")}/`));
}
