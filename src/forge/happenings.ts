import type { Hub } from "./hub.js";
import { accountJson } from "./json/account.js";
import { issueEventJson, issueJson } from "./json/issue.js";
import { labelJson } from "./json/repository.js";
import { freshPullJson } from "./pull-facts.js";
import { isPull, nextId } from "./lookup.js";
import type { Account, Issue, Label, PullIssue, Repository } from "./state.js";

/** Somebody does something to an issue or pull request. */
interface Act {
  repository: Repository;
  issue: Issue;
  actor: Account;
}

/** Somebody does something to a pull request. */
export interface PullAct extends Act {
  issue: PullIssue;
}

/** Makes an issue, or the issue half of a pull request; tells nobody. */
export function newIssue(
  hub: Hub,
  repository: Repository,
  input: { title: string; body: string | null; author: Account; viaApp: boolean },
): Issue {
  const now = hub.clock.now();
  const issue: Issue = {
    id: nextId(hub.state),
    number: Math.max(0, ...repository.issues.keys()) + 1,
    title: input.title,
    body: input.body,
    authorId: input.author.id,
    viaApp: input.viaApp,
    state: "open",
    stateReason: null,
    createdAt: now,
    updatedAt: now,
    closedAt: null,
    closedById: null,
    locked: false,
    labels: [],
    assigneeIds: [],
    comments: [],
    reactions: [],
    pull: null,
  };
  repository.issues.set(issue.number, issue);
  return issue;
}

/** Tells the App that a pull request was opened, closed, reopened, or changed between draft and ready. */
export async function tellPull(
  hub: Hub,
  { repository, issue, actor }: PullAct,
  action: "opened" | "closed" | "reopened" | "ready_for_review" | "converted_to_draft",
): Promise<void> {
  const pull = await freshPullJson(hub, repository, issue);
  hub.webhooks.send({
    name: `pull_request.${action}`,
    repository,
    sender: actor,
    subject: { number: issue.number, pull_request: pull },
  });
}

/** Tells the App of a new title, body or base, with what was before. */
export async function tellEdited(
  hub: Hub,
  { repository, issue, actor }: Act,
  changes: {
    title?: { from: string };
    body?: { from: string };
    base?: { ref: { from: string }; sha: { from: string } };
  },
): Promise<void> {
  if (Object.keys(changes).length === 0) return;
  if (isPull(issue)) {
    const pull = await freshPullJson(hub, repository, issue);
    const subject = { number: issue.number, pull_request: pull, changes };
    hub.webhooks.send({ name: "pull_request.edited", repository, sender: actor, subject });
  } else {
    const subject = { issue: issueJson(hub.state, repository, issue), changes };
    hub.webhooks.send({ name: "issues.edited", repository, sender: actor, subject });
  }
}

/** Tells the App of one label that came or went. */
export async function tellLabel(hub: Hub, act: Act, label: Label, isAdded: boolean): Promise<void> {
  const { repository, issue, actor } = act;
  const shown = labelJson(hub.state, repository, label);
  if (isPull(issue)) {
    const pull = await freshPullJson(hub, repository, issue);
    const subject = { number: issue.number, pull_request: pull, label: shown };
    const name = isAdded ? "pull_request.labeled" : "pull_request.unlabeled";
    hub.webhooks.send({ name, repository, sender: actor, subject });
  } else {
    const subject = { issue: issueJson(hub.state, repository, issue), label: shown };
    const name = isAdded ? "issues.labeled" : "issues.unlabeled";
    hub.webhooks.send({ name, repository, sender: actor, subject });
  }
}

/** Closes or opens again; tells nobody. False when it was so already. */
export function changeState(
  hub: Hub,
  { issue, actor }: Act,
  state: "open" | "closed",
  reason: Issue["stateReason"],
): boolean {
  if (issue.state === state) return false;
  const now = hub.clock.now();
  issue.state = state;
  issue.updatedAt = now;
  issue.closedAt = state === "closed" ? now : null;
  issue.closedById = state === "closed" ? actor.id : null;
  if (!issue.pull) issue.stateReason = state === "closed" ? (reason ?? "completed") : "reopened";
  return true;
}

/** Tells the App that something was closed or opened again. */
export async function tellState(hub: Hub, act: Act): Promise<void> {
  const { repository, issue, actor } = act;
  const isClosed = issue.state === "closed";
  if (isPull(issue)) {
    await tellPull(hub, { repository, issue, actor }, isClosed ? "closed" : "reopened");
    return;
  }
  const name = isClosed ? "issues.closed" : "issues.reopened";
  const subject = { issue: issueEventJson(hub.state, repository, issue) };
  hub.webhooks.send({ name, repository, sender: actor, subject });
}

/** Tells the App who was assigned or taken off. */
export function tellAssigned(hub: Hub, act: Act, assignee: Account, isAdded: boolean): void {
  if (isPull(act.issue)) return;
  hub.webhooks.send({
    name: isAdded ? "issues.assigned" : "issues.unassigned",
    repository: act.repository,
    sender: act.actor,
    subject: {
      issue: issueJson(hub.state, act.repository, act.issue),
      assignee: accountJson(hub.state, assignee),
    },
  });
}

const CLOSING = /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+#(\d+)/gi;

/** Closes the issues that a merged text names with a closing word. */
export async function closeNamed(
  hub: Hub,
  repository: Repository,
  text: string,
  actor: Account,
): Promise<void> {
  for (const match of text.matchAll(CLOSING)) {
    const issue = repository.issues.get(Number(match[1]));
    if (!issue || isPull(issue)) continue;
    if (changeState(hub, { repository, issue, actor }, "closed", "completed"))
      await tellState(hub, { repository, issue, actor });
  }
}
