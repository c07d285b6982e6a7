import { diffFiles, type FileChange } from "../git-diff.js";
import { branchTip, listCommits, mergeBase, readCommits, type CommitRecord } from "../git-read.js";
import type { PullIssue, Review } from "../state.js";
import { checkRows, checksOf } from "./check-page.js";
import { commitRows } from "./commit-page.js";
import { counts, diffFile, diffTable, type LineComment } from "./diff.js";
import { html, type Html } from "./html.js";
import { tabLine, time } from "./layout.js";
import {
  aside,
  closedEntries,
  commentEntries,
  labels,
  threadHead,
  timeline,
  writing,
  type Entry,
} from "./thread.js";
import { addressOf, author, prose, repositoryPage, type View } from "./view.js";

/** The views of a pull request, by the last part of their address. */
export type PullTab = "conversation" | "commits" | "checks" | "files";

const REVIEWS: Readonly<Record<Review["state"], string>> = {
  APPROVED: "approved these changes",
  CHANGES_REQUESTED: "requested changes",
  COMMENTED: "reviewed",
  PENDING: "started a review",
  DISMISSED: "had a review dismissed",
};

/** A pull request: what was said, its commits, its checks or its diff. */
export async function pullPage(view: View, issue: PullIssue, tab: PullTab): Promise<string> {
  const [files, commits] = await contents(view, issue);
  const { pull } = issue;
  const home = addressOf(view.repository, "pull", issue.number);
  const checks = checksOf(view.repository, pull.headSha);
  const tabOf = (name: string, key: PullTab, count?: number) => ({
    name,
    address: key === "conversation" ? home : `${home}/${key}`,
    isCurrent: key === tab,
    ...(count === undefined ? {} : { count }),
  });
  const total = {
    additions: files.reduce((sum, file) => sum + file.additions, 0),
    deletions: files.reduce((sum, file) => sum + file.deletions, 0),
  };
  const about = html`wants to merge ${commits.length} ${commits.length === 1 ? "commit" : "commits"} into
    <code>${pull.baseRef}</code> from <code>${pull.headRef}</code> ${labels(issue)} ${counts(total)}`;
  const views: Record<PullTab, () => Html> = {
    conversation: () => conversation(view, issue, commits),
    commits: () => commitRows(view, commits),
    checks: () => checkRows(view, checks),
    files: () => html`${files.map((file) => diffFile(file, lineComments(view, issue, file.path)))}`,
  };
  const body = html`${threadHead(view, issue, about)}
  ${tabLine([
    tabOf("Conversation", "conversation", issue.comments.length),
    tabOf("Commits", "commits", commits.length),
    tabOf("Checks", "checks", checks.length),
    tabOf("Files changed", "files", files.length),
  ])}
  ${views[tab]()}`;
  return repositoryPage(view, {
    title: `${issue.title} · Pull request #${issue.number}`,
    tab: "pulls",
    body,
  });
}

async function contents(
  { git, repository }: View,
  { pull }: PullIssue,
): Promise<[FileChange[], CommitRecord[]]> {
  const tip = pull.mergedAt === null ? await branchTip(git, repository.path, pull.baseRef) : null;
  const base = tip ?? pull.baseSha;
  const from = (await mergeBase(git, repository.path, base, pull.headSha)) ?? base;
  const shas = await listCommits(git, repository.path, { revisions: [`${base}..${pull.headSha}`] });
  return [
    await diffFiles(git, repository.path, from, pull.headSha),
    await readCommits(git, repository.path, shas.toReversed()),
  ];
}

function conversation(view: View, issue: PullIssue, commits: readonly CommitRecord[]): Html {
  const checks = checksOf(view.repository, issue.pull.headSha);
  const entries: Entry[] = [
    ...commentEntries(view, issue),
    ...issue.pull.reviews.map((review) => ({
      at: review.submittedAt,
      shown: reviewBox(view, issue, review),
    })),
    ...closedEntries(view, issue),
  ];
  return html`<div class="side">
    <div>
      ${writing(view, issue, `issue-${issue.id}`)} ${commits.length > 0 && commitRows(view, commits)}
      ${timeline(entries)} ${checks.length > 0 && checkRows(view, checks)}
    </div>
    ${aside(view, issue)}
  </div>`;
}

function reviewBox(view: View, issue: PullIssue, review: Review): Html {
  const own = issue.pull.reviewComments.filter(({ reviewId }) => reviewId === review.id);
  const comments = own.map(
    (comment) =>
      html`<section class="box file">
          <header><code>${comment.path}</code></header>
          ${comment.diffHunk !== "" && diffTable(comment.diffHunk, [])}
        </section>
        ${writing(view, comment, `discussion_r${comment.id}`)}`,
  );
  return html`<section id="pullrequestreview-${review.id}">
    <p class="event">
      ${author(view.state, review.authorId)} ${REVIEWS[review.state]} ${time(review.submittedAt)}
    </p>
    ${review.body !== "" && html`<div class="box">${prose(view, review.body)}</div>`} ${comments}
  </section>`;
}

function lineComments(view: View, issue: PullIssue, path: string): LineComment[] {
  return issue.pull.reviewComments
    .filter((comment) => comment.path === path)
    .map((comment) => ({
      line: comment.line,
      side: comment.side,
      shown: writing(view, comment, `discussion_r${comment.id}`),
    }));
}
