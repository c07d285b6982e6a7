import { z } from "zod";
import { actorOf, isApp, openRepository } from "../access.js";
import type { Hub } from "../hub.js";
import { checkComment, openPull } from "../issue-access.js";
import { reviewCommentJson } from "../json/pull.js";
import { pullFiles } from "../pull-facts.js";
import { invalid, notFound } from "../refusal.js";
import { addReview, placeComment, tellReview, type PlacedComment } from "../reviewing.js";
import { bodyOf, listed, numberOf, type Answer, type Call, type Route } from "../router.js";
import { isPull } from "../lookup.js";
import type { PullIssue, Repository, ReviewComment } from "../state.js";

const SIDE = z.enum(["LEFT", "RIGHT"]);

const NewReviewComment = z.object({
  body: z.string(),
  commit_id: z.string().optional(),
  path: z.string().optional(),
  line: z.int().positive().optional(),
  side: SIDE.optional(),
  start_line: z.int().positive().nullish(),
  start_side: SIDE.optional(),
  position: z.int().positive().optional(),
  subject_type: z.enum(["line", "file"]).optional(),
  in_reply_to: z.int().optional(),
});

const Reply = z.object({ body: z.string() });

const REPOSITORY = "/repos/{owner}/{repo}";
const PULL = `${REPOSITORY}/pulls/{pull_number}`;

interface Place {
  repository: Repository;
  issue: PullIssue;
  comment: ReviewComment;
}

/** Comments on lines of a pull request's diff. */
export function reviewCommentRoutes(hub: Hub): Route[] {
  const { state } = hub;
  return [
    {
      method: "GET",
      template: `${PULL}/comments`,
      serve(call) {
        const { repository, issue } = openPull(state, call, { level: "read" });
        return listed(call, issue.pull.reviewComments, (one) =>
          reviewCommentJson(state, repository, issue, one),
        );
      },
    },
    { method: "POST", template: `${PULL}/comments`, serve: (call) => createComment(hub, call) },
    {
      method: "POST",
      template: `${PULL}/comments/{comment_id}/replies`,
      serve(call) {
        openPull(state, call, { level: "write", person: "read" });
        const { body } = bodyOf(call, Reply, "PullRequestReviewComment");
        return reply(hub, call, findReviewComment(hub, call, "write"), body);
      },
    },
    {
      method: "GET",
      template: `${REPOSITORY}/pulls/comments/{comment_id}`,
      serve(call) {
        const { repository, issue, comment } = findReviewComment(hub, call, "read");
        return { status: 200, body: reviewCommentJson(state, repository, issue, comment) };
      },
    },
  ];
}

/** The comment that `{comment_id}` names, with its pull request. */
export function findReviewComment(hub: Hub, call: Call, level: "read" | "write"): Place {
  const need = { permission: "pull_requests", level, person: "read" } as const;
  const repository = openRepository(hub.state, call, need);
  const place = commentIn(repository, numberOf(call, "comment_id"));
  if (!place) throw notFound();
  return place;
}

function commentIn(repository: Repository, id: number): Place | null {
  for (const issue of repository.issues.values()) {
    if (!isPull(issue)) continue;
    const comment = issue.pull.reviewComments.find((one) => one.id === id);
    if (comment) return { repository, issue, comment };
  }
  return null;
}

async function createComment(hub: Hub, call: Call): Promise<Answer> {
  const { repository, issue } = openPull(hub.state, call, { level: "write", person: "read" });
  const wish = bodyOf(call, NewReviewComment, "PullRequestReviewComment");
  if (wish.in_reply_to !== undefined) {
    const place = commentIn(repository, wish.in_reply_to);
    if (!place) throw invalid("PullRequestReviewComment", "in_reply_to", "invalid");
    return reply(hub, call, place, wish.body);
  }
  checkComment("PullRequestReviewComment", wish.body);
  if (!wish.path) throw invalid("PullRequestReviewComment", "path", "missing_field");
  if (!wish.commit_id) throw invalid("PullRequestReviewComment", "commit_id", "missing_field");
  const files = await pullFiles(hub, repository, issue);
  const placed = placeComment(files, {
    ...wish,
    path: wish.path,
    start_line: wish.start_line ?? undefined,
  });
  if (typeof placed === "string")
    throw invalid(
      "PullRequestReviewComment",
      `pull_request_review_thread.${placed}`,
      "custom",
      `pull_request_review_thread.${placed} must be part of the diff`,
    );
  return say(hub, call, { repository, issue }, placed);
}

function reply(hub: Hub, call: Call, { repository, issue, comment }: Place, body: string): Answer {
  checkComment("PullRequestReviewComment", body);
  // GitHub keeps threads flat: a reply to a reply answers the first comment.
  const first = comment.replyTo ?? comment.id;
  return say(hub, call, { repository, issue }, { ...comment, body, replyTo: first });
}

function say(
  hub: Hub,
  call: Call,
  { repository, issue }: { repository: Repository; issue: PullIssue },
  placed: PlacedComment & { replyTo?: number },
): Answer {
  const act = { repository, issue, actor: actorOf(hub.state, call) };
  const added = addReview(hub, act, {
    body: "",
    state: "COMMENTED",
    commitId: issue.pull.headSha,
    viaApp: isApp(call),
    comments: [placed],
    ...(placed.replyTo === undefined ? {} : { replyTo: placed.replyTo }),
  });
  const [comment] = added.comments;
  return {
    status: 201,
    body: comment && reviewCommentJson(hub.state, repository, issue, comment),
    after: () => tellReview(hub, act, added),
  };
}
