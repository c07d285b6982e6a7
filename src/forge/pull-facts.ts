import { diffFiles, diffText, listChanges, type FileChange } from "./git-diff.js";
import { branchTip, countCommits, listCommits, mergeBase, mergeTree } from "./git-read.js";
import type { Hub } from "./hub.js";
import { fullPullJson, type PullFacts } from "./json/pull.js";
import type { PullIssue, Repository } from "./state.js";

/** What a pull request has over its base: counted from where they parted. */
interface PullRange {
  /** Where the branch parted from its base. */
  from: string;
  /** The base branch now, or when it was merged. */
  base: string;
  head: string;
}

/** The commits that a pull request stands between. */
export async function pullRange(hub: Hub, repository: Repository, issue: PullIssue): Promise<PullRange> {
  const { pull } = issue;
  const tip = pull.mergedAt === null ? await branchTip(hub.git, repository.path, pull.baseRef) : null;
  const base = tip ?? pull.baseSha;
  const from = (await mergeBase(hub.git, repository.path, base, pull.headSha)) ?? base;
  return { from, base, head: pull.headSha };
}

/** The changed files of a pull request. */
export async function pullFiles(hub: Hub, repository: Repository, issue: PullIssue): Promise<FileChange[]> {
  const { from, head } = await pullRange(hub, repository, issue);
  return diffFiles(hub.git, repository.path, from, head);
}

/** Its diff as text. */
export async function pullDiff(hub: Hub, repository: Repository, issue: PullIssue): Promise<Buffer> {
  const { from, head } = await pullRange(hub, repository, issue);
  return diffText(hub.git, repository.path, from, head);
}

/** Its commits, oldest first. */
export async function pullCommits(hub: Hub, repository: Repository, issue: PullIssue): Promise<string[]> {
  const { base, head } = await pullRange(hub, repository, issue);
  return (await listCommits(hub.git, repository.path, { revisions: [`${base}..${head}`] })).toReversed();
}

async function readFacts(
  hub: Hub,
  repository: Repository,
  issue: PullIssue,
  mergeable: boolean | null,
): Promise<PullFacts> {
  const { from, base, head } = await pullRange(hub, repository, issue);
  const [files, commits] = await Promise.all([
    listChanges(hub.git, repository.path, from, head),
    countCommits(hub.git, repository.path, `${base}..${head}`),
  ]);
  return {
    mergeable,
    commits,
    additions: files.reduce((sum, file) => sum + file.additions, 0),
    deletions: files.reduce((sum, file) => sum + file.deletions, 0),
    changedFiles: files.length,
  };
}

/** A pull request as in a webhook or right after a change, when GitHub does not yet know whether it can be merged. */
export async function freshPullJson(hub: Hub, repository: Repository, issue: PullIssue) {
  return fullPullJson(hub.state, repository, issue, await readFacts(hub, repository, issue, null));
}

/** A pull request as asked for: the first question only starts the test merge, as on GitHub. */
export async function askedPullJson(hub: Hub, repository: Repository, issue: PullIssue) {
  const { base, head } = await pullRange(hub, repository, issue);
  const pair = `${base} ${head}`;
  const isKnown = issue.state === "open" && issue.pull.mergeAsked === pair;
  const mergeable = isKnown ? (await mergeTree(hub.git, repository.path, base, head)) !== null : null;
  issue.pull.mergeAsked = pair;
  return fullPullJson(hub.state, repository, issue, await readFacts(hub, repository, issue, mergeable));
}
