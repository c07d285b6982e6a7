import { z } from "zod";
import { actorOf, isApp, mayChange, openRepository } from "../access.js";
import { branchTip, countCommits, mergeBase, readCommits } from "../git-read.js";
import { changeState, newIssue, tellEdited, tellPull, tellState } from "../happenings.js";
import type { Hub } from "../hub.js";
import { checkBody, checkTitle, openPull } from "../issue-access.js";
import { changeJson, commitJson } from "../json/commit.js";
import { headRepositoryOf, pullJson } from "../json/pull.js";
import { askedPullJson, freshPullJson, pullCommits, pullDiff, pullFiles } from "../pull-facts.js";
import { trackHead } from "../pushes.js";
import { invalid, Refusal } from "../refusal.js";
import { bodyOf, listed, paginate, type Answer, type Call, type Route } from "../router.js";
import { findRepository, isPull } from "../lookup.js";
import type { PullIssue, Repository } from "../state.js";
import { changeTexts } from "./issues.js";

const NewPull = z.object({
  title: z.string(),
  head: z.string().min(1),
  head_repo: z.string().optional(),
  base: z.string().min(1),
  body: z.string().nullish(),
  draft: z.boolean().optional(),
  maintainer_can_modify: z.boolean().optional(),
});

const PullChange = z.object({
  title: z.string().optional(),
  body: z.string().nullish(),
  state: z.enum(["open", "closed"]).optional(),
  base: z.string().optional(),
  maintainer_can_modify: z.boolean().optional(),
});

const PULLS = "/repos/{owner}/{repo}/pulls";

/** Pull requests: list, open, read, change, and what they hold. */
export function pullRoutes(hub: Hub): Route[] {
  const { state } = hub;
  return [
    { method: "GET", template: PULLS, serve: (call) => listPulls(hub, call) },
    { method: "POST", template: PULLS, serve: (call) => createPull(hub, call) },
    {
      method: "GET",
      template: `${PULLS}/{pull_number}`,
      async serve(call) {
        const { repository, issue } = openPull(state, call, { level: "read" });
        if (!/\bdiff\b/.test(call.accept))
          return { status: 200, body: await askedPullJson(hub, repository, issue) };
        const bytes = await pullDiff(hub, repository, issue);
        return { status: 200, raw: { type: "application/vnd.github.diff; charset=utf-8", bytes } };
      },
    },
    { method: "PATCH", template: `${PULLS}/{pull_number}`, serve: (call) => changePull(hub, call) },
    {
      method: "GET",
      template: `${PULLS}/{pull_number}/files`,
      async serve(call) {
        const { repository, issue } = openPull(state, call, { level: "read" });
        const files = await pullFiles(hub, repository, issue);
        return listed(call, files, (one) => changeJson(state, repository, one, issue.pull.headSha));
      },
    },
    {
      method: "GET",
      template: `${PULLS}/{pull_number}/commits`,
      async serve(call) {
        const { repository, issue } = openPull(state, call, { level: "read" });
        const { items, headers } = paginate(call, await pullCommits(hub, repository, issue));
        const records = await readCommits(hub.git, repository.path, items);
        return { status: 200, headers, body: records.map((one) => commitJson(state, repository, one)) };
      },
    },
  ];
}

function listPulls({ state }: Hub, call: Call): Answer {
  const repository = openRepository(state, call, { permission: "pull_requests", level: "read" });
  const query = call.url.searchParams;
  const wanted = query.get("state") ?? "open";
  const head = query.get("head");
  const base = query.get("base");
  const byUpdate = query.get("sort") === "updated";
  const time = (issue: PullIssue) => (byUpdate ? issue.updatedAt : issue.createdAt);
  const label = (issue: PullIssue) => `${headRepositoryOf(state, issue).owner}:${issue.pull.headRef}`;
  const pulls = [...repository.issues.values()]
    .filter(isPull)
    .filter((issue) => wanted === "all" || issue.state === wanted)
    // GitHub ignores a head filter that does not name its owner.
    .filter((issue) => !head?.includes(":") || label(issue) === head)
    .filter((issue) => base === null || issue.pull.baseRef === base)
    .sort((a, b) => time(b) - time(a) || b.number - a.number);
  if (query.get("direction") === "asc") pulls.reverse();
  return listed(call, pulls, (issue) => pullJson(state, repository, issue));
}

/** The repository and branch that `head` names: `branch`, `owner:branch`, or a branch of `head_repo`. */
function headOf(hub: Hub, base: Repository, wish: z.infer<typeof NewPull>) {
  const [owner, ...rest] = wish.head.split(":");
  const branch = rest.length > 0 ? rest.join(":") : wish.head;
  const named = rest.length > 0 ? `${owner}/${base.name}` : `${base.owner}/${base.name}`;
  const head = findRepository(hub.state, wish.head_repo ?? named);
  const isRelated = head && (head === base || head.forkOfId === base.id);
  if (!isRelated) throw invalid("PullRequest", "head", "invalid");
  return { head, branch };
}

async function createPull(hub: Hub, call: Call): Promise<Answer> {
  const need = { permission: "pull_requests", level: "write", person: "read" } as const;
  const repository = openRepository(hub.state, call, need);
  const wish = bodyOf(call, NewPull, "PullRequest");
  checkTitle("PullRequest", wish.title);
  checkBody("PullRequest", wish.body);
  const { head, branch } = headOf(hub, repository, wish);
  const headSha = await branchTip(hub.git, head.path, branch);
  if (headSha === null) throw invalid("PullRequest", "head", "invalid");
  const baseSha = await branchTip(hub.git, repository.path, wish.base);
  if (baseSha === null) throw invalid("PullRequest", "base", "invalid");
  refuseDuplicate(repository, { head, branch, base: wish.base });
  const actor = actorOf(hub.state, call);
  const issue: PullIssue = Object.assign(
    newIssue(hub, repository, {
      title: wish.title,
      body: wish.body ?? null,
      author: actor,
      viaApp: isApp(call),
    }),
    {
      pull: {
        headRepositoryId: head.id,
        headRef: branch,
        headSha,
        baseRef: wish.base,
        baseSha,
        draft: wish.draft ?? false,
        mergeAsked: null,
        mergedAt: null,
        mergedById: null,
        mergeCommit: null,
        reviews: [],
        reviewComments: [],
        requestedReviewerIds: [],
      },
    },
  );
  await trackHead(hub, repository, head, issue);
  await refuseNothingNew(hub, repository, issue);
  return {
    status: 201,
    body: await freshPullJson(hub, repository, issue),
    after: () => tellPull(hub, { repository, issue, actor }, "opened"),
  };
}

function refuseDuplicate(
  repository: Repository,
  wish: { head: Repository; branch: string; base: string },
): void {
  const isSame = (issue: PullIssue) =>
    issue.state === "open" &&
    issue.pull.headRepositoryId === wish.head.id &&
    issue.pull.headRef === wish.branch &&
    issue.pull.baseRef === wish.base;
  if ([...repository.issues.values()].filter(isPull).some(isSame))
    throw custom(`A pull request already exists for ${wish.head.owner}:${wish.branch}.`);
}

function custom(message: string): Refusal {
  return new Refusal(422, "Validation Failed", {
    errors: [{ resource: "PullRequest", code: "custom", message }],
  });
}

/** GitHub refuses a pull request that would bring nothing; the number it had is given to the next. */
async function refuseNothingNew(hub: Hub, repository: Repository, issue: PullIssue): Promise<void> {
  const { headRef, headSha, baseRef, baseSha } = issue.pull;
  const { git } = hub;
  const isRelated = (await mergeBase(git, repository.path, baseSha, headSha)) !== null;
  const ahead = await countCommits(git, repository.path, `${baseSha}..${headSha}`);
  if (isRelated && ahead > 0) return;
  repository.issues.delete(issue.number);
  await git.text(repository.path, ["update-ref", "-d", `refs/pull/${issue.number}/head`]);
  throw custom(
    isRelated
      ? `No commits between ${baseRef} and ${headRef}`
      : `The ${headRef} branch has no history in common with ${baseRef}`,
  );
}

async function changePull(hub: Hub, call: Call): Promise<Answer> {
  const { repository, issue } = openPull(hub.state, call, { level: "write", person: "read" });
  if (!mayChange(hub.state, call, repository, issue.authorId))
    throw new Refusal(403, "Must have admin rights to Repository.");
  const wish = bodyOf(call, PullChange, "PullRequest");
  const act = { repository, issue, actor: actorOf(hub.state, call) };
  if (wish.state === "open" && issue.state === "closed") await checkReopening(hub, issue);
  const moved = wish.base === undefined ? {} : await moveBase(hub, repository, issue, wish.base);
  const changes = { ...changeTexts(hub, issue, wish), ...moved };
  const hasEnded = wish.state !== undefined && changeState(hub, act, wish.state, null);
  return {
    status: 200,
    body: await freshPullJson(hub, repository, issue),
    async after() {
      await tellEdited(hub, act, changes);
      if (hasEnded) await tellState(hub, act);
    },
  };
}

/** Lets a pull request be reopened only while its branch is there; the branch may have moved meanwhile. */
async function checkReopening(hub: Hub, issue: PullIssue): Promise<void> {
  const { headRef, mergedAt } = issue.pull;
  const tip = await branchTip(hub.git, headRepositoryOf(hub.state, issue).path, headRef);
  if (mergedAt !== null) throw custom("The pull request cannot be reopened.");
  if (tip === null) throw custom(`state cannot be changed. The ${headRef} branch has been deleted.`);
  issue.pull.headSha = tip;
}

async function moveBase(hub: Hub, repository: Repository, issue: PullIssue, base: string) {
  if (base === issue.pull.baseRef) return {};
  const sha = await branchTip(hub.git, repository.path, base);
  if (sha === null) throw invalid("PullRequest", "base", "invalid");
  const from = { ref: { from: issue.pull.baseRef }, sha: { from: issue.pull.baseSha } };
  issue.pull.baseRef = base;
  issue.pull.baseSha = sha;
  return { base: from };
}
