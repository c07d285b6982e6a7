import { join } from "node:path";
import { AccrueError } from "../shared/index.js";
import { demandAccount, demandRepository, ensureAccount } from "./accounts.js";
import { branchTip, findCommit } from "./git-read.js";
import { commitFiles, initBare } from "./git-write.js";
import type { Hub } from "./hub.js";
import { signatureOf } from "./merging.js";
import { afterPush, ZERO } from "./pushes.js";
import { findRepository, inTurn, nextId } from "./lookup.js";
import type { Repository } from "./state.js";
import type { NewCommit, NewRepository } from "./types.js";

const NAME = /^(?!\.{1,2}$)[A-Za-z0-9._-]+$/;

async function addBare(
  hub: Hub,
  root: string,
  input: Pick<Repository, "owner" | "name" | "description" | "defaultBranch" | "isPrivate" | "forkOfId">,
): Promise<Repository> {
  const { owner, name } = input;
  if (!NAME.test(owner) || !NAME.test(name) || findRepository(hub.state, `${owner}/${name}`))
    throw new AccrueError(
      "INPUT_INVALID",
      `${owner}/${name} is taken or no name for a repository: use another.`,
    );
  const path = join(root, owner, `${name}.git`);
  await initBare(hub.git, path, input.defaultBranch);
  const now = hub.clock.now();
  const repository: Repository = {
    ...input,
    id: nextId(hub.state),
    path,
    archived: false,
    collaborators: new Map(),
    protectedBranches: new Set(),
    labels: new Map(),
    issues: new Map(),
    suites: [],
    checkRuns: new Map(),
    statuses: [],
    createdAt: now,
    pushedAt: now,
    queue: Promise.resolve(),
  };
  hub.state.repositories.set(repository.id, repository);
  return repository;
}

/** Makes a repository with its first commit, its people, and no webhook. */
export async function addRepository(hub: Hub, root: string, input: NewRepository): Promise<Repository> {
  const owner = ensureAccount(hub, input.owner);
  const repository = await addBare(hub, root, {
    owner: owner.login,
    name: input.name,
    description: input.description ?? null,
    defaultBranch: input.defaultBranch ?? "main",
    isPrivate: input.private ?? false,
    forkOfId: null,
  });
  for (const [login, role] of Object.entries(input.collaborators ?? {}))
    repository.collaborators.set(ensureAccount(hub, login).id, role);
  if (input.files)
    await commitFiles(hub.git, repository.path, {
      branch: repository.defaultBranch,
      parent: null,
      files: input.files,
      message: "Initial commit",
      author: signatureOf(hub, owner),
    });
  return repository;
}

/** Makes a person's fork. */
export async function addFork(
  hub: Hub,
  root: string,
  input: { repository: string; owner: string },
): Promise<Repository> {
  const original = demandRepository(hub, input.repository);
  const owner = ensureAccount(hub, input.owner);
  const { name, description, defaultBranch, isPrivate, id } = original;
  const same = { name, description, defaultBranch, isPrivate };
  const fork = await addBare(hub, root, { ...same, owner: owner.login, forkOfId: id });
  await hub.git.text(fork.path, ["fetch", "--quiet", original.path, "+refs/heads/*:refs/heads/*"]);
  return fork;
}

/** A person's push of one commit; done when its webhooks are on their way. */
export async function pushCommit(hub: Hub, input: NewCommit): Promise<string> {
  const repository = demandRepository(hub, input.repository);
  const actor = demandAccount(hub, input.login);
  return inTurn(repository, async () => {
    const before = await branchTip(hub.git, repository.path, input.branch);
    const start = input.from ?? (before === null ? repository.defaultBranch : input.branch);
    const parent = await findCommit(hub.git, repository.path, start);
    if (parent === null && input.from !== undefined)
      throw new AccrueError(
        "INPUT_INVALID",
        `There is no commit ${input.from} in ${input.repository} to start from.`,
      );
    const sha = await commitFiles(hub.git, repository.path, {
      branch: input.branch,
      parent,
      files: input.files,
      message: input.message,
      author: signatureOf(hub, actor),
    });
    await afterPush(hub, repository, actor, [
      { ref: `refs/heads/${input.branch}`, before: before ?? ZERO, after: sha },
    ]);
    return sha;
  });
}
