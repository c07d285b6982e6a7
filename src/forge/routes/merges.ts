import { z } from "zod";
import { actorOf, openRepository } from "../access.js";
import { moveRef } from "../git-write.js";
import type { Hub } from "../hub.js";
import { openPull } from "../issue-access.js";
import { writeMerge } from "../merging.js";
import { afterPush, markMerged } from "../pushes.js";
import { notFound } from "../refusal.js";
import { bodyOf, type Answer, type Call, type Route } from "../router.js";

const Merge = z.object({
  commit_title: z.string().optional(),
  commit_message: z.string().optional(),
  sha: z.string().optional(),
  merge_method: z.enum(["merge", "squash", "rebase"]).default("merge"),
});

const TEMPLATE = "/repos/{owner}/{repo}/pulls/{pull_number}/merge";

/** Merging a pull request, and asking whether it was. */
export function mergeRoutes(hub: Hub): Route[] {
  return [
    {
      method: "GET",
      template: TEMPLATE,
      serve(call) {
        const { issue } = openPull(hub.state, call, { level: "read" });
        if (issue.pull.mergedAt === null) throw notFound();
        return { status: 204 };
      },
    },
    { method: "PUT", template: TEMPLATE, serve: (call) => merge(hub, call) },
  ];
}

async function merge(hub: Hub, call: Call): Promise<Answer> {
  openRepository(hub.state, call, { permission: "contents", level: "write" });
  const { repository, issue } = openPull(hub.state, call, { level: "read" });
  const wish = bodyOf(call, Merge, "PullRequest");
  const actor = actorOf(hub.state, call);
  const act = { repository, issue, actor };
  const { base, commit } = await writeMerge(hub, act, {
    method: wish.merge_method,
    title: wish.commit_title,
    message: wish.commit_message,
    sha: wish.sha,
  });
  const change = { ref: `refs/heads/${issue.pull.baseRef}`, before: base, after: commit };
  await moveRef(hub.git, repository.path, change);
  issue.pull.baseSha = base;
  return {
    status: 200,
    body: { sha: commit, merged: true, message: "Pull Request successfully merged" },
    async after() {
      await markMerged(hub, act, commit);
      await afterPush(hub, repository, actor, [change]);
    },
  };
}
