import { z } from "zod";
import { actorOf, isApp } from "../access.js";
import type { Hub } from "../hub.js";
import { checkBody, openPull } from "../issue-access.js";
import { accountJson } from "../json/account.js";
import { pullJson, reviewJson } from "../json/pull.js";
import { freshPullJson, pullFiles } from "../pull-facts.js";
import { notFound, Refusal, unprocessable } from "../refusal.js";
import { addReview, placeComment, tellReview } from "../reviewing.js";
import { bodyOf, listed, numberOf, type Answer, type Call, type Route } from "../router.js";
import { findAccount } from "../lookup.js";
import type { Account, PullIssue, Review } from "../state.js";

const VERDICTS = {
  APPROVE: "APPROVED",
  REQUEST_CHANGES: "CHANGES_REQUESTED",
  COMMENT: "COMMENTED",
} as const;

const NewReview = z.object({
  body: z.string().nullish(),
  commit_id: z.string().optional(),
  event: z.enum(["APPROVE", "REQUEST_CHANGES", "COMMENT"]).optional(),
  comments: z
    .array(
      z.object({
        path: z.string(),
        body: z.string(),
        line: z.int().positive().optional(),
        side: z.enum(["LEFT", "RIGHT"]).optional(),
        start_line: z.int().positive().optional(),
        start_side: z.string().optional(),
        position: z.int().positive().optional(),
      }),
    )
    .optional(),
});

const Reviewers = z.object({
  reviewers: z.array(z.string()).optional(),
  team_reviewers: z.array(z.string()).optional(),
});

const PULL = "/repos/{owner}/{repo}/pulls/{pull_number}";

/** Reviews, and who was asked for one. */
export function reviewRoutes(hub: Hub): Route[] {
  const { state } = hub;
  return [
    {
      method: "GET",
      template: `${PULL}/reviews`,
      serve(call) {
        const { repository, issue } = openPull(state, call, { level: "read" });
        return listed(call, visible(hub, call, issue), (one) => reviewJson(state, repository, issue, one));
      },
    },
    {
      method: "GET",
      template: `${PULL}/reviews/{review_id}`,
      serve(call) {
        const { repository, issue } = openPull(state, call, { level: "read" });
        const id = numberOf(call, "review_id");
        const review = visible(hub, call, issue).find((one) => one.id === id);
        if (!review) throw notFound();
        return { status: 200, body: reviewJson(state, repository, issue, review) };
      },
    },
    { method: "POST", template: `${PULL}/reviews`, serve: (call) => createReview(hub, call) },
    {
      method: "GET",
      template: `${PULL}/requested_reviewers`,
      serve(call) {
        const { issue } = openPull(state, call, { level: "read" });
        const users = issue.pull.requestedReviewerIds.flatMap((id) => state.accounts.get(id) ?? []);
        return {
          status: 200,
          body: { users: users.map((account) => accountJson(state, account)), teams: [] },
        };
      },
    },
    {
      method: "POST",
      template: `${PULL}/requested_reviewers`,
      serve: (call) => changeReviewers(hub, call, true),
    },
    {
      method: "DELETE",
      template: `${PULL}/requested_reviewers`,
      serve: (call) => changeReviewers(hub, call, false),
    },
  ];
}

/** A pending review is its author's secret. */
function visible(hub: Hub, call: Call, issue: PullIssue): Review[] {
  const asker = call.credential.kind === "anonymous" ? null : actorOf(hub.state, call).id;
  return issue.pull.reviews.filter(({ state, authorId }) => state !== "PENDING" || authorId === asker);
}

function refuse(message: string): Refusal {
  return new Refusal(422, "Unprocessable Entity", { errors: [message] });
}

async function createReview(hub: Hub, call: Call): Promise<Answer> {
  const { state } = hub;
  const { repository, issue } = openPull(state, call, { level: "write", person: "read" });
  const wish = bodyOf(call, NewReview, "PullRequestReview");
  const actor = actorOf(state, call);
  checkVerdict(wish, issue, actor);
  checkBody("PullRequestReview", wish.body);
  const files = wish.comments?.length ? await pullFiles(hub, repository, issue) : [];
  const comments = (wish.comments ?? []).map((comment) => {
    const placed = placeComment(files, comment);
    if (placed === "path") throw refuse("Path could not be resolved");
    if (placed === "line") throw refuse("Line could not be resolved");
    return placed;
  });
  const act = { repository, issue, actor };
  const added = addReview(hub, act, {
    body: wish.body ?? "",
    state: wish.event ? VERDICTS[wish.event] : "PENDING",
    commitId: wish.commit_id ?? issue.pull.headSha,
    viaApp: isApp(call),
    comments,
  });
  return {
    status: 200,
    body: reviewJson(state, repository, issue, added.review),
    after: () => (wish.event ? tellReview(hub, act, added) : undefined),
  };
}

function checkVerdict(wish: z.infer<typeof NewReview>, issue: PullIssue, actor: Account): void {
  const isOwn = actor.id === issue.authorId;
  if (isOwn && wish.event === "APPROVE") throw refuse("Can not approve your own pull request");
  if (isOwn && wish.event === "REQUEST_CHANGES")
    throw refuse("Can not request changes on your own pull request");
  const isEmpty = !wish.body?.trim() && !wish.comments?.length;
  if (isEmpty && wish.event && wish.event !== "APPROVE") throw refuse("Body can't be blank");
}

async function changeReviewers(hub: Hub, call: Call, isAdding: boolean): Promise<Answer> {
  const { state } = hub;
  const { repository, issue } = openPull(state, call, { level: "write" });
  const wish = bodyOf(call, Reviewers, "PullRequest");
  const accounts = (wish.reviewers ?? []).map((login) => {
    const account = findAccount(state, login);
    if (!account || (isAdding && account.type === "User" && !isCollaborator(account)))
      throw unprocessable(
        `Reviews may only be requested from collaborators. One or more of the users or teams you specified is not a collaborator of the ${repository.owner}/${repository.name} repository.`,
      );
    return account;
  });
  function isCollaborator({ id, login }: Account): boolean {
    return login === repository.owner || repository.collaborators.has(id);
  }
  if (isAdding && accounts.some(({ id }) => id === issue.authorId))
    throw unprocessable("Review cannot be requested from pull request author.");
  const before = issue.pull.requestedReviewerIds;
  const ids = accounts.map(({ id }) => id);
  issue.pull.requestedReviewerIds = isAdding
    ? [...new Set([...before, ...ids])]
    : before.filter((id) => !ids.includes(id));
  const changed = accounts.filter(({ id }) => before.includes(id) !== isAdding);
  const name = isAdding ? "pull_request.review_requested" : "pull_request.review_request_removed";
  return {
    status: isAdding ? 201 : 200,
    body: pullJson(state, repository, issue),
    async after() {
      const pull = await freshPullJson(hub, repository, issue);
      for (const account of changed)
        hub.webhooks.send({
          name,
          repository,
          sender: actorOf(state, call),
          subject: {
            number: issue.number,
            pull_request: pull,
            requested_reviewer: accountJson(state, account),
          },
        });
    },
  };
}
