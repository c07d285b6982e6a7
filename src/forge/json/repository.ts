import type { components } from "@octokit/openapi-types";
import { gitHubTime, nameOf, nodeId, ownerOf } from "../lookup.js";
import type { ForgeState, Installation, Label, Repository } from "../state.js";
import type { ForgeRole } from "../role.js";
import { accountJson } from "./account.js";

type Schemas = components["schemas"];

/** The addresses below a repository's own. */
function linksJson(url: string) {
  return {
    archive_url: `${url}/{archive_format}{/ref}`,
    assignees_url: `${url}/assignees{/user}`,
    blobs_url: `${url}/git/blobs{/sha}`,
    branches_url: `${url}/branches{/branch}`,
    collaborators_url: `${url}/collaborators{/collaborator}`,
    comments_url: `${url}/comments{/number}`,
    commits_url: `${url}/commits{/sha}`,
    compare_url: `${url}/compare/{base}...{head}`,
    contents_url: `${url}/contents/{+path}`,
    contributors_url: `${url}/contributors`,
    deployments_url: `${url}/deployments`,
    downloads_url: `${url}/downloads`,
    events_url: `${url}/events`,
    forks_url: `${url}/forks`,
    git_commits_url: `${url}/git/commits{/sha}`,
    git_refs_url: `${url}/git/refs{/sha}`,
    git_tags_url: `${url}/git/tags{/sha}`,
    hooks_url: `${url}/hooks`,
    issue_comment_url: `${url}/issues/comments{/number}`,
    issue_events_url: `${url}/issues/events{/number}`,
    issues_url: `${url}/issues{/number}`,
    keys_url: `${url}/keys{/key_id}`,
    labels_url: `${url}/labels{/name}`,
    languages_url: `${url}/languages`,
    merges_url: `${url}/merges`,
    milestones_url: `${url}/milestones{/number}`,
    notifications_url: `${url}/notifications{?since,all,participating}`,
    pulls_url: `${url}/pulls{/number}`,
    releases_url: `${url}/releases{/id}`,
    stargazers_url: `${url}/stargazers`,
    statuses_url: `${url}/statuses/{sha}`,
    subscribers_url: `${url}/subscribers`,
    subscription_url: `${url}/subscription`,
    tags_url: `${url}/tags`,
    teams_url: `${url}/teams`,
    trees_url: `${url}/git/trees{/sha}`,
  };
}

/** A repository, as in its own answer and in every webhook. */
export function repositoryJson(state: ForgeState, repository: Repository) {
  const fullName = nameOf(repository);
  const url = `${state.api}/repos/${fullName}`;
  const page = `${state.web}/${fullName}`;
  const open = [...repository.issues.values()].filter((issue) => issue.state === "open").length;
  return {
    id: repository.id,
    node_id: nodeId("R", repository.id),
    name: repository.name,
    full_name: fullName,
    private: repository.isPrivate,
    owner: accountJson(state, ownerOf(state, repository.owner)),
    html_url: page,
    description: repository.description,
    fork: repository.forkOfId !== null,
    url,
    ...linksJson(url),
    created_at: gitHubTime(repository.createdAt),
    updated_at: gitHubTime(repository.pushedAt),
    pushed_at: gitHubTime(repository.pushedAt),
    git_url: `git://${new URL(state.web).host}/${fullName}.git`,
    ssh_url: `git@${new URL(state.web).hostname}:${fullName}.git`,
    clone_url: `${page}.git`,
    svn_url: page,
    mirror_url: null,
    homepage: null,
    size: 0,
    stargazers_count: 0,
    watchers_count: 0,
    forks_count: 0,
    open_issues_count: open,
    language: null,
    has_issues: true,
    has_projects: false,
    has_downloads: true,
    has_wiki: false,
    has_pages: false,
    has_discussions: false,
    archived: repository.archived,
    disabled: false,
    license: null,
    allow_forking: true,
    is_template: false,
    web_commit_signoff_required: false,
    topics: [],
    visibility: repository.isPrivate ? ("private" as const) : ("public" as const),
    forks: 0,
    open_issues: open,
    watchers: 0,
    default_branch: repository.defaultBranch,
  } satisfies Schemas["repository"] & Schemas["repository-webhooks"];
}

/** A repository's own answer, with what the asker may do. */
export function fullRepositoryJson(state: ForgeState, repository: Repository, role: ForgeRole | "none") {
  return {
    ...repositoryJson(state, repository),
    permissions: roleFlags(role),
    network_count: 0,
    subscribers_count: 0,
    allow_merge_commit: true,
    allow_squash_merge: true,
    allow_rebase_merge: true,
    delete_branch_on_merge: false,
  } satisfies Schemas["full-repository"];
}

/** A role as the five flags that GitHub shows. */
export function roleFlags(role: ForgeRole | "none") {
  const rank = ["none", "read", "triage", "write", "maintain", "admin"].indexOf(role);
  return { admin: rank >= 5, maintain: rank >= 4, push: rank >= 3, triage: rank >= 2, pull: rank >= 1 };
}

/** A repository in the list of an installation's event. */
export function shortRepositoryJson(repository: Repository) {
  return {
    id: repository.id,
    node_id: nodeId("R", repository.id),
    name: repository.name,
    full_name: nameOf(repository),
    private: repository.isPrivate,
  };
}

/** A label of a repository. */
export function labelJson(state: ForgeState, repository: Repository, label: Label) {
  return {
    id: label.id,
    node_id: nodeId("LA", label.id),
    url: `${state.api}/repos/${nameOf(repository)}/labels/${encodeURIComponent(label.name)}`,
    name: label.name,
    color: label.color,
    default: false,
    description: label.description,
  } satisfies Schemas["label"];
}

/** The App's installation on an account. */
export function installationJson(state: ForgeState, installation: Installation) {
  const { app } = state;
  const account = ownerOf(state, installation.owner);
  return {
    id: installation.id,
    client_id: app.clientId,
    account: accountJson(state, account),
    repository_selection: installation.selected === null ? ("all" as const) : ("selected" as const),
    access_tokens_url: `${state.api}/app/installations/${installation.id}/access_tokens`,
    repositories_url: `${state.api}/installation/repositories`,
    html_url: `${state.web}/settings/installations/${installation.id}`,
    app_id: app.id,
    app_slug: app.slug,
    target_id: account.id,
    target_type: account.type,
    permissions: app.permissions,
    events: app.events,
    created_at: gitHubTime(installation.createdAt),
    updated_at: gitHubTime(installation.createdAt),
    single_file_name: null,
    has_multiple_single_files: false,
    single_file_paths: [],
    suspended_by: installation.suspendedAt === null ? null : accountJson(state, account),
    suspended_at: installation.suspendedAt === null ? null : gitHubTime(installation.suspendedAt),
  } satisfies Schemas["installation"];
}

/** An installation in the App's list of them, where GitHub's description wants the account as a user and as an enterprise at once. */
export function listedInstallationJson(state: ForgeState, installation: Installation) {
  const json = installationJson(state, installation);
  const { login } = json.account;
  const { created_at, updated_at } = json;
  return { ...json, account: { ...json.account, name: login, slug: login, created_at, updated_at } };
}
