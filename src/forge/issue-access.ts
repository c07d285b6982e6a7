import { demand, openRepository } from "./access.js";
import type { PermissionName } from "./app.js";
import { invalid, notFound } from "./refusal.js";
import { numberOf, type Call } from "./router.js";
import { isPull, nextId } from "./lookup.js";
import type { ForgeState, Issue, Label, PullIssue, Repository } from "./state.js";
import type { ForgeRole } from "./role.js";

/** GitHub's limits on what people and Apps write, in UTF-16 units. */
const MAX_BODY = 65_536;
const MAX_TITLE = 256;
const MAX_LABEL = 50;

/** What an operation on an issue asks: a pull request also opens to whoever may handle pull requests. */
export interface IssueNeed {
  level: "read" | "write";
  person?: ForgeRole;
}

/** The issue or pull request that `{issue_number}` names. */
export function openIssue(
  state: ForgeState,
  call: Call,
  need: IssueNeed,
): { repository: Repository; issue: Issue } {
  const repository = openRepository(state, call, { permission: ["issues", "pull_requests"], ...need });
  const issue = repository.issues.get(numberOf(call, "issue_number"));
  if (!issue) throw notFound();
  demandIssue(state, call, { repository, issue }, need);
  return { repository, issue };
}

/** Checks the need on one issue of a repository that is already open. */
export function demandIssue(
  state: ForgeState,
  call: Call,
  place: { repository: Repository; issue: Issue },
  need: IssueNeed,
): void {
  const permission: PermissionName[] = place.issue.pull ? ["issues", "pull_requests"] : ["issues"];
  demand(state, call, place.repository, { permission, ...need });
}

/** The pull request that `{pull_number}` names. */
export function openPull(
  state: ForgeState,
  call: Call,
  need: IssueNeed,
): { repository: Repository; issue: PullIssue } {
  const repository = openRepository(state, call, { permission: "pull_requests", ...need });
  const issue = repository.issues.get(numberOf(call, "pull_number"));
  if (!issue || !isPull(issue)) throw notFound();
  return { repository, issue };
}

/** Refuses a text that GitHub would not store. */
export function checkBody(resource: string, body: string | null | undefined): void {
  if ((body?.length ?? 0) <= MAX_BODY) return;
  throw invalid(
    resource,
    resource === "IssueComment" ? "data" : "body",
    resource === "IssueComment" ? "unprocessable" : "custom",
    `${resource === "IssueComment" ? "Body" : "body"} is too long (maximum is ${MAX_BODY} characters)`,
  );
}

/** Refuses a comment without text, or with too much. */
export function checkComment(resource: string, body: string): void {
  if (body.trim() === "") throw invalid(resource, "body", "missing_field");
  checkBody(resource, body);
}

/** Refuses an empty or over-long title. */
export function checkTitle(resource: string, title: string): void {
  if (title.trim() === "") throw invalid(resource, "title", "missing_field");
  if (title.length > MAX_TITLE)
    throw invalid(resource, "title", "custom", `title is too long (maximum is ${MAX_TITLE} characters)`);
}

/** The label of a name, in any case; made when the repository does not have it, as GitHub does. */
export function labelNamed(state: ForgeState, repository: Repository, name: string): Label {
  const key = name.toLowerCase();
  const found = repository.labels.get(key);
  if (found) return found;
  if (name.trim() === "") throw invalid("Label", "name", "missing_field");
  if (name.length > MAX_LABEL)
    throw invalid("Label", "name", "custom", `name is too long (maximum is ${MAX_LABEL} characters)`);
  const label: Label = { id: nextId(state), name, color: "ededed", description: null };
  repository.labels.set(key, label);
  return label;
}
