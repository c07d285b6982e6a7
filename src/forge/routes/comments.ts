import { z } from "zod";
import { actorOf, atLeast, isApp, mayChange, openRepository, roleIn } from "../access.js";
import type { Hub } from "../hub.js";
import { checkComment, demandIssue, openIssue } from "../issue-access.js";
import { commentJson, issueEventJson } from "../json/issue.js";
import { notFound, Refusal } from "../refusal.js";
import { bodyOf, listed, numberOf, type Answer, type Call, type Route } from "../router.js";
import { nextId } from "../lookup.js";
import type { Comment, Issue, Repository } from "../state.js";

const NewComment = z.object({ body: z.string() });

const REPOSITORY = "/repos/{owner}/{repo}";

interface Place {
  repository: Repository;
  issue: Issue;
  comment: Comment;
}

/** The conversation of issues and pull requests. */
export function commentRoutes(hub: Hub): Route[] {
  const { state } = hub;
  return [
    {
      method: "GET",
      template: `${REPOSITORY}/issues/{issue_number}/comments`,
      serve(call) {
        const { repository, issue } = openIssue(state, call, { level: "read" });
        const since = Date.parse(call.url.searchParams.get("since") ?? "") || 0;
        const comments = issue.comments.filter(({ updatedAt }) => updatedAt >= since);
        return listed(call, comments, (one) => commentJson(state, repository, issue, one));
      },
    },
    {
      method: "POST",
      template: `${REPOSITORY}/issues/{issue_number}/comments`,
      serve: (call) => createComment(hub, call),
    },
    {
      method: "GET",
      template: `${REPOSITORY}/issues/comments/{comment_id}`,
      serve(call) {
        const { repository, issue, comment } = findComment(hub, call, "read");
        return { status: 200, body: commentJson(state, repository, issue, comment) };
      },
    },
    {
      method: "PATCH",
      template: `${REPOSITORY}/issues/comments/{comment_id}`,
      serve: (call) => editComment(hub, call),
    },
    {
      method: "DELETE",
      template: `${REPOSITORY}/issues/comments/{comment_id}`,
      serve: (call) => deleteComment(hub, call),
    },
  ];
}

/** The comment that `{comment_id}` names, with what it stands in. */
export function findComment(hub: Hub, call: Call, level: "read" | "write"): Place {
  const need = { level, person: "read" } as const;
  const repository = openRepository(hub.state, call, { permission: ["issues", "pull_requests"], ...need });
  const id = numberOf(call, "comment_id");
  for (const issue of repository.issues.values()) {
    const comment = issue.comments.find((one) => one.id === id);
    if (!comment) continue;
    demandIssue(hub.state, call, { repository, issue }, need);
    return { repository, issue, comment };
  }
  throw notFound();
}

function createComment(hub: Hub, call: Call): Answer {
  const { state, clock } = hub;
  const { repository, issue } = openIssue(state, call, { level: "write", person: "read" });
  const { body } = bodyOf(call, NewComment, "IssueComment");
  checkComment("IssueComment", body);
  const actor = actorOf(state, call);
  const mayAlways = !isApp(call) && atLeast(roleIn(repository, actor), "write");
  if (issue.locked && !mayAlways) throw new Refusal(403, "Unable to create comment because issue is locked.");
  const now = clock.now();
  const comment: Comment = {
    id: nextId(state),
    authorId: actor.id,
    viaApp: isApp(call),
    body,
    createdAt: now,
    updatedAt: now,
    reactions: [],
  };
  issue.comments.push(comment);
  issue.updatedAt = now;
  return {
    status: 201,
    body: commentJson(state, repository, issue, comment),
    after() {
      const subject = subjectOf(hub, { repository, issue, comment });
      hub.webhooks.send({ name: "issue_comment.created", repository, sender: actor, subject });
    },
  };
}

function editComment(hub: Hub, call: Call): Answer {
  const { state, clock } = hub;
  const place = findComment(hub, call, "write");
  const { repository, issue, comment } = place;
  const { body } = bodyOf(call, NewComment, "IssueComment");
  checkComment("IssueComment", body);
  demandOwn(hub, call, place);
  const from = comment.body ?? "";
  comment.body = body;
  comment.updatedAt = clock.now();
  return {
    status: 200,
    body: commentJson(state, repository, issue, comment),
    after() {
      if (from === body) return;
      const subject = { ...subjectOf(hub, place), changes: { body: { from } } };
      hub.webhooks.send({
        name: "issue_comment.edited",
        repository,
        sender: actorOf(state, call),
        subject,
      });
    },
  };
}

function deleteComment(hub: Hub, call: Call): Answer {
  const place = findComment(hub, call, "write");
  const { repository, issue, comment } = place;
  demandOwn(hub, call, place);
  const subject = subjectOf(hub, place);
  issue.comments = issue.comments.filter((one) => one !== comment);
  return {
    status: 204,
    after: () =>
      hub.webhooks.send({
        name: "issue_comment.deleted",
        repository,
        sender: actorOf(hub.state, call),
        subject,
      }),
  };
}

function demandOwn(hub: Hub, call: Call, { repository, comment }: Place): void {
  if (!mayChange(hub.state, call, repository, comment.authorId))
    throw new Refusal(403, "Must have admin rights to Repository.");
}

function subjectOf({ state }: Hub, { repository, issue, comment }: Place) {
  return {
    issue: issueEventJson(state, repository, issue),
    comment: commentJson(state, repository, issue, comment),
  };
}
