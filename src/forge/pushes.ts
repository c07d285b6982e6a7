import { pathsOfCommit } from "./git-diff.js";
import { branchTip, isAncestor, listCommits, readCommits, readRefs, type CommitRecord } from "./git-read.js";
import { changeState, closeNamed, tellState } from "./happenings.js";
import { startSuite } from "./checks.js";
import type { Hub } from "./hub.js";
import { accountOfEmail } from "./json/commit.js";
import { freshPullJson } from "./pull-facts.js";
import { gitHubTime, isPull, nameOf } from "./lookup.js";
import type { Account, PullIssue, Repository } from "./state.js";

/** What an absent ref points to. */
export const ZERO = "0".repeat(40);

/** GitHub puts no more commits into the payload of a push. */
const MAX_PUSHED_COMMITS = 2048;

/** One ref that moved. */
export interface RefChange {
  ref: string;
  before: string;
  after: string;
}

/** The refs that differ between two readings. */
export function changedRefs(before: Map<string, string>, after: Map<string, string>): RefChange[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((ref) => ({ ref, before: before.get(ref) ?? ZERO, after: after.get(ref) ?? ZERO }))
    .filter((change) => change.before !== change.after)
    .filter(({ ref }) => !ref.startsWith("refs/pull/"));
}

/** Everything that follows from refs that moved: webhooks, pull requests that go on, close or count as merged. */
export async function afterPush(
  hub: Hub,
  repository: Repository,
  actor: Account,
  changes: RefChange[],
): Promise<void> {
  repository.pushedAt = hub.clock.now();
  for (const change of changes) {
    const records = await newCommits(hub, repository, change);
    await tellPush(hub, { repository, actor }, change, records);
    tellCreatedOrDeleted(hub, repository, actor, change);
    if (!change.ref.startsWith("refs/heads/")) continue;
    const branch = change.ref.slice("refs/heads/".length);
    for (const [base, issue] of openPulls(hub, repository, branch))
      await moveHead(hub, { base, issue, head: repository, actor }, change);
    if (change.after === ZERO) continue;
    const pushed = new Set(records.map(({ sha }) => sha));
    await countAsMerged(hub, { repository, actor }, { branch, after: change.after, pushed });
    await startSuite(hub, repository, actor, { branch, before: change.before, sha: change.after });
  }
}

function openPulls(hub: Hub, head: Repository, branch: string): [Repository, PullIssue][] {
  return [...hub.state.repositories.values()].flatMap((base) =>
    [...base.issues.values()]
      .filter(isPull)
      .filter(({ state, pull }) => state === "open" && pull.headRef === branch)
      .filter(({ pull }) => pull.headRepositoryId === head.id)
      .map((issue): [Repository, PullIssue] => [base, issue]),
  );
}

/** Keeps `refs/pull/N/head` at the head of its pull request, wherever that branch lies. */
export async function trackHead(
  hub: Hub,
  base: Repository,
  head: Repository,
  issue: PullIssue,
): Promise<void> {
  const ref = `refs/pull/${issue.number}/head`;
  if (base === head) await hub.git.text(base.path, ["update-ref", ref, issue.pull.headSha]);
  else
    await hub.git.text(base.path, [
      "fetch",
      "--quiet",
      head.path,
      `+refs/heads/${issue.pull.headRef}:${ref}`,
    ]);
}

async function moveHead(
  hub: Hub,
  place: { base: Repository; head: Repository; issue: PullIssue; actor: Account },
  change: RefChange,
): Promise<void> {
  const { base, head, issue, actor } = place;
  if (change.after === ZERO) {
    changeState(hub, { repository: base, issue, actor }, "closed", null);
    await tellState(hub, { repository: base, issue, actor });
    return;
  }
  issue.pull.headSha = change.after;
  issue.pull.baseSha = (await branchTip(hub.git, base.path, issue.pull.baseRef)) ?? issue.pull.baseSha;
  issue.updatedAt = hub.clock.now();
  await trackHead(hub, base, head, issue);
  const pull = await freshPullJson(hub, base, issue);
  hub.webhooks.send({
    name: "pull_request.synchronize",
    repository: base,
    sender: actor,
    subject: { number: issue.number, before: change.before, after: change.after, pull_request: pull },
  });
}

/** A pull request whose head reached its base by any way counts as merged. */
async function countAsMerged(
  hub: Hub,
  { repository, actor }: { repository: Repository; actor: Account },
  push: { branch: string; after: string; pushed: Set<string> },
): Promise<void> {
  for (const issue of [...repository.issues.values()].filter(isPull)) {
    if (issue.state !== "open" || issue.pull.baseRef !== push.branch) continue;
    if (push.pushed.has(issue.pull.headSha)) await markMerged(hub, { repository, issue, actor }, push.after);
  }
}

/** Ends a pull request as merged, with what GitHub tells and closes because of it. */
export async function markMerged(
  hub: Hub,
  act: { repository: Repository; issue: PullIssue; actor: Account },
  mergeCommit: string,
): Promise<void> {
  const { repository, issue, actor } = act;
  changeState(hub, act, "closed", null);
  issue.pull.mergedAt = hub.clock.now();
  issue.pull.mergedById = actor.id;
  issue.pull.mergeCommit = mergeCommit;
  await tellState(hub, act);
  if (issue.pull.baseRef === repository.defaultBranch)
    await closeNamed(hub, repository, issue.body ?? "", actor);
}

async function newCommits(hub: Hub, repository: Repository, change: RefChange): Promise<CommitRecord[]> {
  if (change.after === ZERO) return [];
  const others = [...(await readRefs(hub.git, repository.path))].filter(([ref]) => ref !== change.ref);
  const known = change.before === ZERO ? others.map(([, sha]) => `^${sha}`) : [`^${change.before}`];
  const shas = await listCommits(hub.git, repository.path, {
    revisions: [change.after, ...new Set(known)],
    limit: MAX_PUSHED_COMMITS,
  });
  return readCommits(hub.git, repository.path, shas.toReversed());
}

async function pushedJson(hub: Hub, repository: Repository, commit: CommitRecord) {
  const person = ({ name, email }: { name: string; email: string }) => {
    const account = accountOfEmail(hub.state, email);
    return { name, email, ...(account ? { username: account.login } : {}) };
  };
  return {
    id: commit.sha,
    tree_id: commit.tree,
    distinct: true,
    message: commit.message,
    timestamp: gitHubTime(commit.committer.date),
    url: `${hub.state.web}/${nameOf(repository)}/commit/${commit.sha}`,
    author: person(commit.author),
    committer: person(commit.committer),
    ...(await pathsOfCommit(hub.git, repository.path, commit.sha)),
  };
}

/** Tells of a push, and closes the issues that its commits name when they are on the default branch. */
async function tellPush(
  hub: Hub,
  { repository, actor }: { repository: Repository; actor: Account },
  change: RefChange,
  records: CommitRecord[],
): Promise<void> {
  const commits = await Promise.all(records.map((record) => pushedJson(hub, repository, record)));
  const [tip] = change.after === ZERO ? [] : await readCommits(hub.git, repository.path, [change.after]);
  const isForced =
    change.before !== ZERO &&
    change.after !== ZERO &&
    !(await isAncestor(hub.git, repository.path, { ancestor: change.before, descendant: change.after }));
  hub.webhooks.send({
    name: "push",
    repository,
    sender: actor,
    subject: {
      ref: change.ref,
      before: change.before,
      after: change.after,
      base_ref: null,
      created: change.before === ZERO,
      deleted: change.after === ZERO,
      forced: isForced,
      compare: `${hub.state.web}/${nameOf(repository)}/compare/${change.before.slice(0, 12)}...${change.after.slice(0, 12)}`,
      commits,
      head_commit: tip ? await pushedJson(hub, repository, tip) : null,
      pusher: { name: actor.login, email: null },
    },
  });
  if (change.ref !== `refs/heads/${repository.defaultBranch}`) return;
  for (const { message } of records) await closeNamed(hub, repository, message, actor);
}

function tellCreatedOrDeleted(hub: Hub, repository: Repository, actor: Account, change: RefChange): void {
  const [, kind = "", ...rest] = change.ref.split("/");
  const common = {
    ref: rest.join("/"),
    ref_type: kind === "tags" ? ("tag" as const) : ("branch" as const),
    pusher_type: "user" as const,
  };
  if (change.before === ZERO)
    hub.webhooks.send({
      name: "create",
      repository,
      sender: actor,
      subject: { ...common, description: null, master_branch: repository.defaultBranch },
    });
  if (change.after === ZERO)
    hub.webhooks.send({ name: "delete", repository, sender: actor, subject: common });
}
