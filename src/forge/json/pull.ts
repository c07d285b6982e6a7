import type { components } from "@octokit/openapi-types";
import { AccrueError } from "../../shared/index.js";
import { gitHubTime, nameOf, nodeId } from "../lookup.js";
import type { ForgeState, PullIssue, Repository, Review, ReviewComment } from "../state.js";
import { accountJson, authorJson, authorOrGhostJson } from "./account.js";
import { associationJson, issueJson, issuePage, rollupJson } from "./issue.js";
import { repositoryJson } from "./repository.js";

type Schemas = components["schemas"];

/** What only git knows of a pull request. */
export interface PullFacts {
  /** Null when the pull request is not open. */
  mergeable: boolean | null;
  commits: number;
  additions: number;
  deletions: number;
  changedFiles: number;
}

/** The repository that a pull request's branch lies in: its own, or a fork. */
export function headRepositoryOf(state: ForgeState, issue: PullIssue): Repository {
  const repository = state.repositories.get(issue.pull.headRepositoryId);
  if (repository) return repository;
  throw new AccrueError(
    "INPUT_INVALID",
    `The fork behind pull request #${issue.number} is not in the forge.`,
  );
}

function sideJson(state: ForgeState, repository: Repository, side: { ref: string; sha: string }) {
  const json = repositoryJson(state, repository);
  return { label: `${repository.owner}:${side.ref}`, ...side, user: json.owner, repo: json };
}

function linksJson(issue: string, pull: string, statuses: string) {
  return {
    comments_url: `${issue}/comments`,
    commits_url: `${pull}/commits`,
    review_comments_url: `${pull}/comments`,
    review_comment_url: `${pull.replace(/\/\d+$/, "")}/comments{/number}`,
    statuses_url: statuses,
    issue_url: issue,
  };
}

/** A pull request as in lists. */
export function pullJson(state: ForgeState, repository: Repository, issue: PullIssue) {
  const { pull } = issue;
  const root = `${state.api}/repos/${nameOf(repository)}`;
  const url = `${root}/pulls/${issue.number}`;
  const page = issuePage(state, repository, issue);
  const links = linksJson(`${root}/issues/${issue.number}`, url, `${root}/statuses/${pull.headSha}`);
  const { assignee, assignees, author_association, labels } = issueJson(state, repository, issue);
  const reviewers = pull.requestedReviewerIds.flatMap((id) => state.accounts.get(id) ?? []);
  return {
    url,
    id: issue.id,
    node_id: nodeId("PR", issue.id),
    html_url: page,
    diff_url: `${page}.diff`,
    patch_url: `${page}.patch`,
    ...links,
    number: issue.number,
    state: issue.state,
    locked: issue.locked,
    title: issue.title,
    user: authorOrGhostJson(state, issue.authorId),
    body: issue.body,
    created_at: gitHubTime(issue.createdAt),
    updated_at: gitHubTime(issue.updatedAt),
    closed_at: issue.closedAt === null ? null : gitHubTime(issue.closedAt),
    merged_at: pull.mergedAt === null ? null : gitHubTime(pull.mergedAt),
    merge_commit_sha: pull.mergeCommit,
    assignee,
    assignees,
    requested_reviewers: reviewers.map((account) => accountJson(state, account)),
    requested_teams: [],
    labels,
    milestone: null,
    draft: pull.draft,
    head: sideJson(state, headRepositoryOf(state, issue), { ref: pull.headRef, sha: pull.headSha }),
    base: sideJson(state, repository, { ref: pull.baseRef, sha: pull.baseSha }),
    _links: {
      self: { href: url },
      html: { href: page },
      issue: { href: links.issue_url },
      comments: { href: links.comments_url },
      review_comments: { href: links.review_comments_url },
      review_comment: { href: links.review_comment_url },
      commits: { href: links.commits_url },
      statuses: { href: links.statuses_url },
    },
    author_association,
    auto_merge: null,
    active_lock_reason: null,
  };
}

function mergeableState(issue: PullIssue, mergeable: boolean | null): string {
  if (mergeable === null) return "unknown";
  if (!mergeable) return "dirty";
  return issue.pull.draft ? "draft" : "clean";
}

/** A pull request's own answer, and that of its webhooks. */
export function fullPullJson(state: ForgeState, repository: Repository, issue: PullIssue, facts: PullFacts) {
  return {
    ...pullJson(state, repository, issue),
    merged: issue.pull.mergedAt !== null,
    mergeable: facts.mergeable,
    rebaseable: facts.mergeable,
    mergeable_state: mergeableState(issue, facts.mergeable),
    merged_by: authorJson(state, issue.pull.mergedById),
    comments: issue.comments.length,
    review_comments: issue.pull.reviewComments.length,
    maintainer_can_modify: false,
    commits: facts.commits,
    additions: facts.additions,
    deletions: facts.deletions,
    changed_files: facts.changedFiles,
  } satisfies Schemas["pull-request"];
}

/** A pull request as a check run names it. */
export function minimalPullJson(state: ForgeState, repository: Repository, issue: PullIssue) {
  const short = (side: Repository) => ({
    id: side.id,
    url: `${state.api}/repos/${nameOf(side)}`,
    name: side.name,
  });
  return {
    id: issue.id,
    number: issue.number,
    url: `${state.api}/repos/${nameOf(repository)}/pulls/${issue.number}`,
    head: {
      ref: issue.pull.headRef,
      sha: issue.pull.headSha,
      repo: short(headRepositoryOf(state, issue)),
    },
    base: { ref: issue.pull.baseRef, sha: issue.pull.baseSha, repo: short(repository) },
  } satisfies Schemas["pull-request-minimal"];
}

/** A review with its verdict. */
export function reviewJson(state: ForgeState, repository: Repository, issue: PullIssue, review: Review) {
  const page = `${issuePage(state, repository, issue)}#pullrequestreview-${review.id}`;
  const pull = `${state.api}/repos/${nameOf(repository)}/pulls/${issue.number}`;
  return {
    id: review.id,
    node_id: nodeId("PRR", review.id),
    user: authorJson(state, review.authorId),
    body: review.body,
    state: review.state,
    html_url: page,
    pull_request_url: pull,
    author_association: associationJson(state, repository, review.authorId),
    _links: { html: { href: page }, pull_request: { href: pull } },
    submitted_at: gitHubTime(review.submittedAt),
    commit_id: review.commitId,
  } satisfies Schemas["pull-request-review"];
}

/** A comment on a line of the diff. */
export function reviewCommentJson(
  state: ForgeState,
  repository: Repository,
  issue: PullIssue,
  comment: ReviewComment,
) {
  const root = `${state.api}/repos/${nameOf(repository)}/pulls`;
  const url = `${root}/comments/${comment.id}`;
  const page = `${issuePage(state, repository, issue)}#discussion_r${comment.id}`;
  const pull = `${root}/${issue.number}`;
  return {
    url,
    pull_request_review_id: comment.reviewId,
    id: comment.id,
    node_id: nodeId("PRRC", comment.id),
    diff_hunk: comment.diffHunk,
    path: comment.path,
    position: comment.position,
    original_position: comment.position,
    commit_id: comment.commitId,
    original_commit_id: comment.commitId,
    user: authorJson(state, comment.authorId),
    body: comment.body ?? "",
    created_at: gitHubTime(comment.createdAt),
    updated_at: gitHubTime(comment.updatedAt),
    html_url: page,
    pull_request_url: pull,
    author_association: associationJson(state, repository, comment.authorId),
    _links: { self: { href: url }, html: { href: page }, pull_request: { href: pull } },
    ...lineJson(comment),
    subject_type: comment.line === null ? ("file" as const) : ("line" as const),
    reactions: rollupJson(`${url}/reactions`, comment.reactions),
    ...(comment.replyTo === null ? {} : { in_reply_to_id: comment.replyTo }),
  } satisfies Schemas["review-comment"];
}

function lineJson(comment: ReviewComment) {
  return {
    line: comment.line ?? 1,
    original_line: comment.line ?? 1,
    start_line: comment.startLine,
    original_start_line: comment.startLine,
    side: comment.side,
    start_side: comment.startLine === null ? null : comment.side,
  };
}
