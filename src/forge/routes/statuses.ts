import type { components } from "@octokit/openapi-types";
import { z } from "zod";
import { actorOf, openRepository } from "../access.js";
import { findCommit } from "../git-read.js";
import type { Hub } from "../hub.js";
import { simpleStatusJson, statusJson } from "../json/check.js";
import { repositoryJson } from "../json/repository.js";
import { notFound, unprocessable } from "../refusal.js";
import { bodyOf, listed, textOf, type Call, type Route } from "../router.js";
import { nameOf, nextId } from "../lookup.js";
import type { CommitStatus, Repository } from "../state.js";

type Schemas = components["schemas"];

/** GitHub keeps this many statuses for one commit and context. */
const MAX_STATUSES = 1000;

const NewStatus = z.object({
  state: z.enum(["error", "failure", "pending", "success"]),
  target_url: z.string().nullish(),
  description: z.string().max(140).nullish(),
  context: z.string().default("default"),
});

const REPOSITORY = "/repos/{owner}/{repo}";

/** Commit statuses, one by one and combined. */
export function statusRoutes(hub: Hub): Route[] {
  const { state, git, clock } = hub;
  const open = async (call: Call) => {
    const repository = openRepository(state, call, { permission: "statuses", level: "read" });
    const sha = await findCommit(git, repository.path, textOf(call, "ref"));
    if (sha === null) throw notFound();
    return { repository, sha, statuses: statusesOf(repository, sha) };
  };
  return [
    {
      method: "POST",
      template: `${REPOSITORY}/statuses/{sha}`,
      async serve(call) {
        const repository = openRepository(state, call, { permission: "statuses", level: "write" });
        const wish = bodyOf(call, NewStatus, "Status");
        const sha = textOf(call, "sha");
        if ((await findCommit(git, repository.path, sha)) !== sha)
          throw unprocessable(`No commit found for SHA: ${sha}`);
        if (statusesOf(repository, sha).filter((one) => one.context === wish.context).length >= MAX_STATUSES)
          throw unprocessable("This SHA and context has reached the maximum number of statuses.");
        const status: CommitStatus = {
          id: nextId(state),
          sha,
          state: wish.state,
          context: wish.context,
          description: wish.description ?? null,
          targetUrl: wish.target_url ?? null,
          creatorId: actorOf(state, call).id,
          createdAt: clock.now(),
        };
        repository.statuses.push(status);
        return { status: 201, body: statusJson(state, repository, status) };
      },
    },
    {
      method: "GET",
      template: `${REPOSITORY}/commits/{+ref}/statuses`,
      async serve(call) {
        const { repository, statuses } = await open(call);
        return listed(call, statuses, (one) => statusJson(state, repository, one));
      },
    },
    {
      method: "GET",
      template: `${REPOSITORY}/commits/{+ref}/status`,
      async serve(call) {
        const { repository, sha, statuses } = await open(call);
        const latest = [...new Map(statuses.toReversed().map((one) => [one.context, one])).values()];
        const url = `${state.api}/repos/${nameOf(repository)}/commits/${sha}`;
        return {
          status: 200,
          body: {
            state: combined(latest),
            statuses: latest.map((one) => simpleStatusJson(state, repository, one)),
            sha,
            total_count: latest.length,
            repository: repositoryJson(state, repository),
            commit_url: url,
            url: `${url}/status`,
          } satisfies Schemas["combined-commit-status"],
        };
      },
    },
  ];
}

/** Newest first. */
function statusesOf(repository: Repository, sha: string): CommitStatus[] {
  return repository.statuses.filter((one) => one.sha === sha).toReversed();
}

function combined(statuses: CommitStatus[]): "failure" | "pending" | "success" {
  if (statuses.some(({ state }) => state === "failure" || state === "error")) return "failure";
  return statuses.length > 0 && statuses.every(({ state }) => state === "success") ? "success" : "pending";
}
