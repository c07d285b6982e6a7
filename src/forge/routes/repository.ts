import type { components } from "@octokit/openapi-types";
import { actorOf, openRepository, roleIn } from "../access.js";
import { branchTip, readCommits, readRefs } from "../git-read.js";
import type { Hub } from "../hub.js";
import { accountJson } from "../json/account.js";
import { commitJson } from "../json/commit.js";
import { fullRepositoryJson, roleFlags } from "../json/repository.js";
import { Refusal } from "../refusal.js";
import { listed, textOf, type Call, type Route } from "../router.js";
import { findAccount, nameOf } from "../lookup.js";
import type { ForgeState, Repository } from "../state.js";
import type { ForgeRole } from "../role.js";

type Schemas = components["schemas"];

const REPOSITORY = "/repos/{owner}/{repo}";

/** The older field for a role knows only four words. */
const OLD_WORDS: Partial<Record<ForgeRole | "none", string>> = { maintain: "write", triage: "read" };

/** A repository itself, who may do what in it, and its branches. */
export function repositoryRoutes(hub: Hub): Route[] {
  const { state } = hub;
  return [
    {
      method: "GET",
      template: REPOSITORY,
      serve(call) {
        const repository = openRepository(state, call, { permission: "metadata", level: "read" });
        const role = askerRole(state, call, repository);
        return { status: 200, body: fullRepositoryJson(state, repository, role) };
      },
    },
    {
      method: "GET",
      template: `${REPOSITORY}/collaborators/{username}/permission`,
      serve(call) {
        const need = { permission: "metadata", level: "read", person: "write" } as const;
        const repository = openRepository(state, call, need);
        return permissionOf(state, repository, textOf(call, "username"));
      },
    },
    ...branchRoutes(hub),
  ];
}

function askerRole(state: ForgeState, call: Call, repository: Repository): ForgeRole | "none" {
  const { credential } = call;
  if (credential.kind === "user") return roleIn(repository, actorOf(state, call));
  if (credential.kind !== "installation") return "read";
  return credential.permissions.contents === "write" ? "write" : "read";
}

function permissionOf(state: ForgeState, repository: Repository, login: string) {
  const account = findAccount(state, login);
  if (!account) throw new Refusal(404, `${login} is not a user`);
  const role = roleIn(repository, account);
  const permission = OLD_WORDS[role] ?? role;
  return {
    status: 200,
    body: {
      permission,
      role_name: role,
      user: { ...accountJson(state, account), permissions: roleFlags(role), role_name: role },
    } satisfies Schemas["repository-collaborator-permission"],
  };
}

function branchRoutes({ state, git }: Hub): Route[] {
  const open = (call: Call) => openRepository(state, call, { permission: "contents", level: "read" });
  return [
    {
      method: "GET",
      template: `${REPOSITORY}/branches`,
      async serve(call) {
        const repository = open(call);
        const branches = [...(await readRefs(git, repository.path))].filter(([ref]) =>
          ref.startsWith("refs/heads/"),
        );
        return listed(call, branches, ([ref, sha]) => {
          const name = ref.slice("refs/heads/".length);
          const url = `${state.api}/repos/${nameOf(repository)}/commits/${sha}`;
          return { name, commit: { sha, url }, protected: repository.protectedBranches.has(name) };
        });
      },
    },
    {
      method: "GET",
      template: `${REPOSITORY}/branches/{+branch}`,
      async serve(call) {
        const repository = open(call);
        const name = textOf(call, "branch");
        const tip = await branchTip(git, repository.path, name);
        const [commit] = tip === null ? [] : await readCommits(git, repository.path, [tip]);
        if (!commit) throw new Refusal(404, "Branch not found");
        return {
          status: 200,
          body: branchJson(state, repository, name, commitJson(state, repository, commit)),
        };
      },
    },
  ];
}

function branchJson(state: ForgeState, repository: Repository, name: string, commit: Schemas["commit"]) {
  const self = `${state.api}/repos/${nameOf(repository)}/branches/${encodeURIComponent(name)}`;
  return {
    name,
    commit,
    _links: { self, html: `${state.web}/${nameOf(repository)}/tree/${name}` },
    protected: repository.protectedBranches.has(name),
    protection: {
      enabled: repository.protectedBranches.has(name),
      required_status_checks: { enforcement_level: "off", contexts: [], checks: [] },
    },
    protection_url: `${self}/protection`,
  } satisfies Schemas["branch-with-protection"];
}
