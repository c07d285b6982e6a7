import { countCommits, isAncestor, listCommits, mergeTree, readCommits, type Signature } from "./git-read.js";
import { writeCommit } from "./git-write.js";
import type { Hub } from "./hub.js";
import { noreplyEmail } from "./json/commit.js";
import { headRepositoryOf } from "./json/pull.js";
import { pullRange } from "./pull-facts.js";
import { Refusal } from "./refusal.js";
import type { Account, PullIssue, Repository } from "./state.js";

/** How a person or the App wants a pull request merged. */
interface MergeWish {
  method: "merge" | "squash" | "rebase";
  title?: string | undefined;
  message?: string | undefined;
  sha?: string | undefined;
}

interface Place {
  repository: Repository;
  issue: PullIssue;
  actor: Account;
}

const NOT_MERGEABLE = "Pull Request is not mergeable";

/** Writes the commits of a merge; no ref moves yet. Refuses with 405 or 409 as GitHub does. */
export async function writeMerge(
  hub: Hub,
  place: Place,
  wish: MergeWish,
): Promise<{ base: string; commit: string }> {
  const { repository, issue } = place;
  if (issue.state !== "open") throw new Refusal(405, NOT_MERGEABLE);
  if (issue.pull.draft) throw new Refusal(405, "Pull Request is still a draft");
  if (wish.sha !== undefined && wish.sha !== issue.pull.headSha)
    throw new Refusal(409, "Head branch was modified. Review and try the merge again.");
  const { base, head } = await pullRange(hub, repository, issue);
  if (wish.method === "rebase") return { base, commit: await rebase(hub, place, base) };
  const tree = await mergeTree(hub.git, repository.path, base, head);
  if (tree === null) throw new Refusal(405, NOT_MERGEABLE);
  const isSquash = wish.method === "squash";
  const count = await countCommits(hub.git, repository.path, `${base}..${head}`);
  const author = signatureOf(hub, place.actor);
  const commit = await writeCommit(hub.git, repository.path, {
    tree,
    parents: isSquash ? [base] : [base, head],
    message: messageOf(hub, issue, wish, count),
    author,
    committer: gitHub(author.date),
  });
  return { base, commit };
}

/** The name and address under which GitHub records what an account does in the browser. */
export function signatureOf(hub: Hub, account: Account): Signature {
  return {
    name: account.login,
    email: noreplyEmail(hub.state, account),
    date: hub.clock.now(),
  };
}

function gitHub(date: number): Signature {
  return { name: "GitHub", email: "noreply@github.com", date };
}

function messageOf(hub: Hub, issue: PullIssue, wish: MergeWish, commits: number): string {
  if (wish.method === "squash") {
    const title = wish.title ?? `${issue.title} (#${issue.number})`;
    return `${title}\n\n${wish.message ?? (commits > 1 ? (issue.body ?? "") : "")}`.trimEnd();
  }
  const from = `${headRepositoryOf(hub.state, issue).owner}/${issue.pull.headRef}`;
  const title = wish.title ?? `Merge pull request #${issue.number} from ${from}`;
  return `${title}\n\n${wish.message ?? issue.title}`.trimEnd();
}

/** Commits anew what lies on top of the base; what would need a real rebase is refused. */
async function rebase(hub: Hub, { repository, issue }: Place, base: string): Promise<string> {
  const head = issue.pull.headSha;
  if (!(await isAncestor(hub.git, repository.path, { ancestor: base, descendant: head })))
    throw new Refusal(405, "This branch can't be rebased");
  const shas = await listCommits(hub.git, repository.path, { revisions: [`${base}..${head}`] });
  let parent = base;
  for (const commit of await readCommits(hub.git, repository.path, shas.toReversed())) {
    parent = await writeCommit(hub.git, repository.path, {
      tree: commit.tree,
      parents: [parent],
      message: commit.message,
      author: commit.author,
      committer: gitHub(hub.clock.now()),
    });
  }
  return parent;
}
