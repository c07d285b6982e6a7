import type { FileChange } from "./git-diff.js";
import { locateLine, locatePosition } from "./diff-lines.js";
import type { PullAct } from "./happenings.js";
import type { Hub } from "./hub.js";
import { pullJson, reviewCommentJson, reviewJson } from "./json/pull.js";
import { nextId } from "./lookup.js";
import type { Review, ReviewComment } from "./state.js";

/** What somebody wants to say about a line. */
interface CommentWish {
  path: string;
  body: string;
  line?: number | undefined;
  side?: "LEFT" | "RIGHT" | undefined;
  start_line?: number | undefined;
  position?: number | undefined;
  subject_type?: "line" | "file" | undefined;
}

/** A comment that has found its line; without review and commit. */
export type PlacedComment = Pick<
  ReviewComment,
  "path" | "line" | "startLine" | "side" | "position" | "diffHunk" | "body"
>;

/** Puts a comment on its line of the diff, or says which part of the wish is not in the diff. */
export function placeComment(files: FileChange[], wish: CommentWish): PlacedComment | "path" | "line" {
  const patch = files.find(({ path }) => path === wish.path)?.patch;
  if (patch === undefined) return "path";
  const common = { path: wish.path, body: wish.body };
  if (wish.subject_type === "file")
    return { ...common, line: null, startLine: null, side: "RIGHT", position: 1, diffHunk: "" };
  const target =
    wish.line !== undefined
      ? { line: wish.line, side: wish.side ?? "RIGHT" }
      : locatePosition(patch ?? "", wish.position ?? -1);
  const found = target && locateLine(patch ?? "", target.line, target.side);
  if (!target || !found) return "line";
  return {
    ...common,
    ...target,
    startLine: wish.start_line ?? null,
    position: found.position,
    diffHunk: found.hunk,
  };
}

/** Adds a review and its comments to a pull request; tells nobody. */
export function addReview(
  hub: Hub,
  { issue, actor }: PullAct,
  input: Pick<Review, "body" | "state" | "commitId"> & {
    viaApp: boolean;
    comments: PlacedComment[];
    replyTo?: number;
  },
): { review: Review; comments: ReviewComment[] } {
  const now = hub.clock.now();
  const { body, state, commitId } = input;
  const review: Review = {
    id: nextId(hub.state),
    authorId: actor.id,
    body,
    state,
    commitId,
    submittedAt: now,
  };
  const comments = input.comments.map((comment): ReviewComment => ({
    ...comment,
    id: nextId(hub.state),
    authorId: actor.id,
    viaApp: input.viaApp,
    createdAt: now,
    updatedAt: now,
    reactions: [],
    reviewId: review.id,
    commitId,
    replyTo: input.replyTo ?? null,
  }));
  issue.pull.reviews.push(review);
  issue.pull.reviewComments.push(...comments);
  issue.updatedAt = now;
  return { review, comments };
}

/** Tells the App of a submitted review and each of its comments. */
export function tellReview(
  hub: Hub,
  { repository, issue, actor }: PullAct,
  { review, comments }: { review: Review; comments: ReviewComment[] },
): void {
  const pull = pullJson(hub.state, repository, issue);
  const shown = reviewJson(hub.state, repository, issue, review);
  // In webhooks GitHub writes the verdict in small letters.
  const subject = { pull_request: pull, review: { ...shown, state: shown.state.toLowerCase() } };
  hub.webhooks.send({ name: "pull_request_review.submitted", repository, sender: actor, subject });
  for (const comment of comments)
    hub.webhooks.send({
      name: "pull_request_review_comment.created",
      repository,
      sender: actor,
      subject: {
        pull_request: pull,
        comment: reviewCommentJson(hub.state, repository, issue, comment),
      },
    });
}
