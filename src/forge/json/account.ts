import type { components } from "@octokit/openapi-types";
import { accountOf, gitHubTime, nodeId } from "../lookup.js";
import type { Account, ForgeState } from "../state.js";

type Schemas = components["schemas"];

/** GitHub's account for what a deleted person left where a user is required. */
const GHOST: Account = { id: 10137, login: "ghost", type: "User", createdAt: 0 };

/** An account as it appears inside everything that it wrote. */
export function accountJson(state: ForgeState, account: Account) {
  const url = `${state.api}/users/${encodeURIComponent(account.login)}`;
  return {
    login: account.login,
    id: account.id,
    node_id: nodeId(account.type === "Bot" ? "BOT" : account.type === "User" ? "U" : "O", account.id),
    avatar_url: `${state.web}/avatars/u/${account.id}`,
    gravatar_id: "",
    url,
    html_url:
      account.type === "Bot" ? `${state.web}/apps/${state.app.slug}` : `${state.web}/${account.login}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type: account.type,
    user_view_type: "public",
    site_admin: false,
  } satisfies Schemas["simple-user"];
}

/** The author of something, or null when the account is gone. */
export function authorJson(state: ForgeState, id: number | null) {
  const account = id === null ? undefined : state.accounts.get(id);
  return account ? accountJson(state, account) : null;
}

/** The author of something that GitHub's schema gives a user always: a ghost when the account is gone. */
export function authorOrGhostJson(state: ForgeState, id: number) {
  return accountJson(state, state.accounts.get(id) ?? GHOST);
}

/** An account's own page in the API. */
export function profileJson(state: ForgeState, account: Account) {
  return {
    ...accountJson(state, account),
    name: null,
    company: null,
    blog: "",
    location: null,
    email: null,
    hireable: null,
    bio: null,
    public_repos: 0,
    public_gists: 0,
    followers: 0,
    following: 0,
    created_at: gitHubTime(account.createdAt),
    updated_at: gitHubTime(account.createdAt),
  } satisfies Schemas["public-user"];
}

/** The App, as it appears beside what it wrote. */
export function appJson(state: ForgeState) {
  const { app } = state;
  return {
    id: app.id,
    slug: app.slug,
    node_id: nodeId("A", app.id),
    client_id: app.clientId,
    owner: accountJson(state, accountOf(state, app.ownerId)),
    name: app.name,
    description: "",
    external_url: `${state.web}/apps/${app.slug}`,
    html_url: `${state.web}/apps/${app.slug}`,
    created_at: gitHubTime(app.createdAt),
    updated_at: gitHubTime(app.createdAt),
    permissions: app.permissions,
    events: app.events,
  } satisfies NonNullable<Schemas["integration"]>;
}
