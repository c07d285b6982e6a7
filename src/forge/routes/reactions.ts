import { z } from "zod";
import { actorOf, isApp } from "../access.js";
import type { Hub } from "../hub.js";
import { openIssue } from "../issue-access.js";
import { reactionJson } from "../json/issue.js";
import { notFound, Refusal } from "../refusal.js";
import { bodyOf, listed, numberOf, type Call, type Route } from "../router.js";
import { nextId } from "../lookup.js";
import type { Authored, Reaction } from "../state.js";
import { findComment } from "./comments.js";
import { findReviewComment } from "./review-comments.js";

const NewReaction = z.object({
  content: z.enum(["+1", "-1", "laugh", "confused", "heart", "hooray", "rocket", "eyes"]),
});

/** Reactions on issues, pull requests, and both kinds of comments. GitHub sends no webhook for them. */
export function reactionRoutes(hub: Hub): Route[] {
  const root = "/repos/{owner}/{repo}";
  return [
    ...routesOn(
      hub,
      `${root}/issues/{issue_number}/reactions`,
      (call, level) => openIssue(hub.state, call, { level, person: "read" }).issue,
    ),
    ...routesOn(
      hub,
      `${root}/issues/comments/{comment_id}/reactions`,
      (call, level) => findComment(hub, call, level).comment,
    ),
    ...routesOn(
      hub,
      `${root}/pulls/comments/{comment_id}/reactions`,
      (call, level) => findReviewComment(hub, call, level).comment,
    ),
  ];
}

function routesOn(
  { state, clock }: Hub,
  template: string,
  find: (call: Call, level: "read" | "write") => Authored,
): Route[] {
  return [
    {
      method: "GET",
      template,
      serve(call) {
        const content = call.url.searchParams.get("content");
        const { reactions } = find(call, "read");
        const wanted = reactions.filter((one) => content === null || one.content === content);
        return listed(call, wanted, (one) => reactionJson(state, one));
      },
    },
    {
      method: "POST",
      template,
      serve(call) {
        const target = find(call, "write");
        const { content } = bodyOf(call, NewReaction, "Reaction");
        const actor = actorOf(state, call);
        const same = target.reactions.find((one) => one.accountId === actor.id && one.content === content);
        if (same) return { status: 200, body: reactionJson(state, same) };
        const reaction: Reaction = {
          id: nextId(state),
          accountId: actor.id,
          content,
          createdAt: clock.now(),
        };
        target.reactions.push(reaction);
        return { status: 201, body: reactionJson(state, reaction) };
      },
    },
    {
      method: "DELETE",
      template: `${template}/{reaction_id}`,
      serve(call) {
        const target = find(call, "write");
        const id = numberOf(call, "reaction_id");
        const reaction = target.reactions.find((one) => one.id === id);
        if (!reaction) throw notFound();
        if (reaction.accountId !== actorOf(state, call).id)
          throw new Refusal(403, isApp(call) ? "Resource not accessible by integration" : "Forbidden");
        target.reactions = target.reactions.filter((one) => one !== reaction);
        return { status: 204 };
      },
    },
  ];
}
