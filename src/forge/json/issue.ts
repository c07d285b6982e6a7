import type { components } from "@octokit/openapi-types";
import { gitHubTime, nameOf, nodeId } from "../lookup.js";
import type {
  Authored,
  Comment,
  ForgeState,
  Issue,
  Reaction,
  ReactionContent,
  Repository,
} from "../state.js";
import { accountJson, appJson, authorJson, authorOrGhostJson } from "./account.js";
import { labelJson } from "./repository.js";

type Schemas = components["schemas"];

/** How the writer stands to the repository, as shown beside a comment. */
export function associationJson(state: ForgeState, repository: Repository, authorId: number) {
  const account = state.accounts.get(authorId);
  if (!account) return "NONE" as const;
  if (account.login.toLowerCase() === repository.owner.toLowerCase()) return "OWNER" as const;
  if (!repository.collaborators.has(authorId)) return "NONE" as const;
  const owner = [...state.accounts.values()].find(({ login }) => login === repository.owner);
  return owner?.type === "Organization" ? ("MEMBER" as const) : ("COLLABORATOR" as const);
}

/** How many of each reaction something got. */
export function rollupJson(url: string, reactions: Reaction[]) {
  const count = (content: ReactionContent) =>
    reactions.filter((reaction) => reaction.content === content).length;
  return {
    url,
    total_count: reactions.length,
    "+1": count("+1"),
    "-1": count("-1"),
    laugh: count("laugh"),
    hooray: count("hooray"),
    confused: count("confused"),
    heart: count("heart"),
    rocket: count("rocket"),
    eyes: count("eyes"),
  } satisfies Schemas["reaction-rollup"];
}

/** One person's reaction. */
export function reactionJson(state: ForgeState, reaction: Reaction) {
  return {
    id: reaction.id,
    node_id: nodeId("REA", reaction.id),
    user: authorJson(state, reaction.accountId),
    content: reaction.content,
    created_at: gitHubTime(reaction.createdAt),
  } satisfies Schemas["reaction"];
}

function viaAppJson(state: ForgeState, authored: Authored) {
  return authored.viaApp ? appJson(state) : null;
}

/** The page of an issue or pull request. */
export function issuePage(state: ForgeState, repository: Repository, issue: Issue): string {
  return `${state.web}/${nameOf(repository)}/${issue.pull ? "pull" : "issues"}/${issue.number}`;
}

/** An issue, or a pull request seen as one. */
export function issueJson(state: ForgeState, repository: Repository, issue: Issue) {
  const root = `${state.api}/repos/${nameOf(repository)}`;
  const url = `${root}/issues/${issue.number}`;
  const page = issuePage(state, repository, issue);
  const assignees = issue.assigneeIds.flatMap((id) => state.accounts.get(id) ?? []);
  return {
    url,
    repository_url: root,
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    html_url: page,
    id: issue.id,
    node_id: nodeId(issue.pull ? "PR" : "I", issue.id),
    number: issue.number,
    title: issue.title,
    user: authorJson(state, issue.authorId),
    labels: issue.labels.map((label) => labelJson(state, repository, label)),
    state: issue.state,
    locked: issue.locked,
    assignee: assignees[0] ? accountJson(state, assignees[0]) : null,
    assignees: assignees.map((account) => accountJson(state, account)),
    milestone: null,
    comments: issue.comments.length,
    created_at: gitHubTime(issue.createdAt),
    updated_at: gitHubTime(issue.updatedAt),
    closed_at: issue.closedAt === null ? null : gitHubTime(issue.closedAt),
    author_association: associationJson(state, repository, issue.authorId),
    active_lock_reason: null,
    body: issue.body,
    reactions: rollupJson(`${url}/reactions`, issue.reactions),
    timeline_url: `${url}/timeline`,
    performed_via_github_app: viaAppJson(state, issue),
    state_reason: issue.stateReason,
    ...(issue.pull
      ? {
          draft: issue.pull.draft,
          pull_request: {
            url: `${root}/pulls/${issue.number}`,
            html_url: page,
            diff_url: `${page}.diff`,
            patch_url: `${page}.patch`,
            merged_at: issue.pull.mergedAt === null ? null : gitHubTime(issue.pull.mergedAt),
          },
        }
      : {}),
  } satisfies Schemas["issue"];
}

/** An issue as in a webhook, where GitHub's schema wants its author always. */
export function issueEventJson(state: ForgeState, repository: Repository, issue: Issue) {
  return { ...issueJson(state, repository, issue), user: authorOrGhostJson(state, issue.authorId) };
}

/** An issue's own answer, which also says who closed it. */
export function fullIssueJson(state: ForgeState, repository: Repository, issue: Issue) {
  return {
    ...issueJson(state, repository, issue),
    closed_by: authorJson(state, issue.closedById),
  } satisfies Schemas["issue"];
}

/** A comment in the conversation of an issue or pull request. */
export function commentJson(state: ForgeState, repository: Repository, issue: Issue, comment: Comment) {
  const root = `${state.api}/repos/${nameOf(repository)}/issues`;
  const url = `${root}/comments/${comment.id}`;
  return {
    url,
    html_url: `${issuePage(state, repository, issue)}#issuecomment-${comment.id}`,
    issue_url: `${root}/${issue.number}`,
    id: comment.id,
    node_id: nodeId("IC", comment.id),
    user: authorJson(state, comment.authorId),
    created_at: gitHubTime(comment.createdAt),
    updated_at: gitHubTime(comment.updatedAt),
    body: comment.body ?? "",
    author_association: associationJson(state, repository, comment.authorId),
    reactions: rollupJson(`${url}/reactions`, comment.reactions),
    performed_via_github_app: viaAppJson(state, comment),
  } satisfies Schemas["issue-comment"];
}
