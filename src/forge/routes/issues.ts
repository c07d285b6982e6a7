import { z } from "zod";
import { actorOf, atLeast, isApp, mayChange, openRepository, roleIn } from "../access.js";
import { changeState, newIssue, tellAssigned, tellEdited, tellLabel, tellState } from "../happenings.js";
import type { Hub } from "../hub.js";
import { checkBody, checkTitle, labelNamed, openIssue } from "../issue-access.js";
import { fullIssueJson, issueJson } from "../json/issue.js";
import { Refusal } from "../refusal.js";
import { bodyOf, listed, type Answer, type Call, type Route } from "../router.js";
import { findAccount, isPull } from "../lookup.js";
import type { Issue, Label, Repository } from "../state.js";

const LabelName = z
  .union([z.string(), z.object({ name: z.string() })])
  .transform((label) => (typeof label === "string" ? label : label.name));

const NewIssue = z.object({
  title: z.union([z.string(), z.number()]).transform(String),
  body: z.string().nullish(),
  labels: z.array(LabelName).optional(),
  assignees: z.array(z.string()).optional(),
});

const IssueChange = z.object({
  title: z.union([z.string(), z.number()]).transform(String).nullish(),
  body: z.string().nullish(),
  state: z.enum(["open", "closed"]).optional(),
  state_reason: z.enum(["completed", "not_planned", "duplicate", "reopened"]).nullish(),
  labels: z.array(LabelName).optional(),
  assignees: z.array(z.string()).optional(),
});

/** Issues: list, create, read, change. */
export function issueRoutes(hub: Hub): Route[] {
  const { state } = hub;
  return [
    { method: "GET", template: "/repos/{owner}/{repo}/issues", serve: (call) => listIssues(hub, call) },
    { method: "POST", template: "/repos/{owner}/{repo}/issues", serve: (call) => createIssue(hub, call) },
    {
      method: "GET",
      template: "/repos/{owner}/{repo}/issues/{issue_number}",
      serve(call) {
        const { repository, issue } = openIssue(state, call, { level: "read" });
        return { status: 200, body: fullIssueJson(state, repository, issue) };
      },
    },
    {
      method: "PATCH",
      template: "/repos/{owner}/{repo}/issues/{issue_number}",
      serve: (call) => changeIssue(hub, call),
    },
  ];
}

function listIssues({ state }: Hub, call: Call): Answer {
  const repository = openRepository(state, call, { permission: "issues", level: "read" });
  const query = call.url.searchParams;
  const wanted = query.get("state") ?? "open";
  const labels = (query.get("labels") ?? "").toLowerCase().split(",").filter(Boolean);
  const creator = query.get("creator");
  const since = Date.parse(query.get("since") ?? "") || 0;
  const byUpdate = query.get("sort") === "updated";
  const time = (issue: Issue) => (byUpdate ? issue.updatedAt : issue.createdAt);
  const issues = [...repository.issues.values()]
    .filter((issue) => wanted === "all" || issue.state === wanted)
    .filter((issue) => labels.every((label) => issue.labels.some(({ name }) => name.toLowerCase() === label)))
    .filter((issue) => creator === null || state.accounts.get(issue.authorId)?.login === creator)
    .filter((issue) => issue.updatedAt >= since)
    .sort((a, b) => time(b) - time(a) || b.number - a.number);
  if (query.get("direction") === "asc") issues.reverse();
  return listed(call, issues, (issue) => issueJson(state, repository, issue));
}

function createIssue(hub: Hub, call: Call): Answer {
  const { state } = hub;
  const repository = openRepository(state, call, { permission: "issues", level: "write", person: "read" });
  const wish = bodyOf(call, NewIssue, "Issue");
  checkTitle("Issue", wish.title);
  checkBody("Issue", wish.body);
  const actor = actorOf(state, call);
  const issue = newIssue(hub, repository, {
    title: wish.title,
    body: wish.body ?? null,
    author: actor,
    viaApp: isApp(call),
  });
  // Labels of somebody who may not set any are dropped silently, as on GitHub.
  const mayLabel = isApp(call) || atLeast(roleIn(repository, actor), "triage");
  if (mayLabel) issue.labels = uniqueLabels(hub, repository, wish.labels ?? []);
  if (mayLabel) issue.assigneeIds = accountIds(hub, wish.assignees ?? []);
  return {
    status: 201,
    body: fullIssueJson(state, repository, issue),
    async after() {
      const subject = { issue: issueJson(state, repository, issue) };
      hub.webhooks.send({ name: "issues.opened", repository, sender: actor, subject });
      for (const label of issue.labels) await tellLabel(hub, { repository, issue, actor }, label, true);
    },
  };
}

async function changeIssue(hub: Hub, call: Call): Promise<Answer> {
  const { state } = hub;
  const { repository, issue } = openIssue(state, call, { level: "write", person: "read" });
  if (!mayChange(state, call, repository, issue.authorId))
    throw new Refusal(403, "Must have admin rights to Repository.");
  const wish = bodyOf(call, IssueChange, "Issue");
  const actor = actorOf(state, call);
  const act = { repository, issue, actor };
  const changes = changeTexts(hub, issue, wish);
  const before = { labels: issue.labels, assigneeIds: issue.assigneeIds };
  if (wish.labels) issue.labels = uniqueLabels(hub, repository, wish.labels);
  if (wish.assignees) issue.assigneeIds = accountIds(hub, wish.assignees);
  if (wish.state === "open" && isPull(issue) && issue.pull.mergedAt !== null)
    throw new Refusal(422, "Validation Failed", {
      errors: [
        {
          resource: "Issue",
          field: "state",
          code: "custom",
          message: "state cannot be changed. The pull request cannot be reopened.",
        },
      ],
    });
  const hasEnded = wish.state !== undefined && changeState(hub, act, wish.state, wish.state_reason ?? null);
  return {
    status: 200,
    body: fullIssueJson(state, repository, issue),
    async after() {
      await tellEdited(hub, act, changes);
      for (const [label, isAdded] of differences(before.labels, issue.labels))
        await tellLabel(hub, act, label, isAdded);
      for (const [id, isAdded] of differences(before.assigneeIds, issue.assigneeIds)) {
        const assignee = state.accounts.get(id);
        if (assignee) tellAssigned(hub, act, assignee, isAdded);
      }
      if (hasEnded) await tellState(hub, act);
    },
  };
}

/** Sets a new title and body; gives what was before, for the webhook. */
export function changeTexts(
  hub: Hub,
  issue: Issue,
  wish: { title?: string | null | undefined; body?: string | null | undefined },
): { title?: { from: string }; body?: { from: string } } {
  const resource = issue.pull ? "PullRequest" : "Issue";
  if (typeof wish.title === "string") checkTitle(resource, wish.title);
  checkBody(resource, wish.body);
  const changes: { title?: { from: string }; body?: { from: string } } = {};
  if (typeof wish.title === "string" && wish.title !== issue.title) {
    changes.title = { from: issue.title };
    issue.title = wish.title;
  }
  if (wish.body !== undefined && wish.body !== issue.body) {
    changes.body = { from: issue.body ?? "" };
    issue.body = wish.body;
  }
  issue.updatedAt = hub.clock.now();
  return changes;
}

function differences<Item>(before: Item[], after: Item[]): [Item, boolean][] {
  return [
    ...after.filter((item) => !before.includes(item)).map((item): [Item, boolean] => [item, true]),
    ...before.filter((item) => !after.includes(item)).map((item): [Item, boolean] => [item, false]),
  ];
}

function uniqueLabels(hub: Hub, repository: Repository, names: string[]): Label[] {
  return [...new Set(names.map((name) => labelNamed(hub.state, repository, name)))];
}

function accountIds(hub: Hub, logins: string[]): number[] {
  return [...new Set(logins.flatMap((login) => findAccount(hub.state, login)?.id ?? []))];
}
