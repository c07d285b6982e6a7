import type { components } from "@octokit/openapi-types";
import { randomBytes } from "node:crypto";
import { z } from "zod";
import { parsePermissions, type Permissions } from "../app.js";
import { actorOf, allows, demandApp, reaches } from "../access.js";
import type { Hub } from "../hub.js";
import { appJson, profileJson } from "../json/account.js";
import { installationJson, listedInstallationJson, repositoryJson } from "../json/repository.js";
import { notAccessible, notFound, Refusal, unprocessable } from "../refusal.js";
import { bodyOf, listed, numberOf, paginate, textOf, type Answer, type Call, type Route } from "../router.js";
import { findAccount, findRepository, gitHubTime, installationOn } from "../lookup.js";
import type { ForgeState, Installation, Repository } from "../state.js";

type Schemas = components["schemas"];

const TOKEN_LIFETIME_MS = 60 * 60 * 1000;
const RATE_LIMIT = 5000;

const NewToken = z.object({
  repositories: z.array(z.string()).optional(),
  repository_ids: z.array(z.number()).optional(),
  permissions: z.unknown().optional(),
});

/** The App and its installations, the asker's own account, and accounts in general. */
export function appRoutes(hub: Hub): Route[] {
  const { state, clock } = hub;
  const installation = (call: Call) => {
    const found = state.installations.get(numberOf(call, "installation_id"));
    if (!found) throw notFound();
    return found;
  };
  return [
    {
      method: "GET",
      template: "/app",
      serve(call) {
        demandApp(call);
        return { status: 200, body: { ...appJson(state), installations_count: state.installations.size } };
      },
    },
    {
      method: "GET",
      template: "/app/installations",
      serve(call) {
        demandApp(call);
        return listed(call, [...state.installations.values()], (one) => listedInstallationJson(state, one));
      },
    },
    {
      method: "GET",
      template: "/app/installations/{installation_id}",
      serve(call) {
        demandApp(call);
        return { status: 200, body: installationJson(state, installation(call)) };
      },
    },
    {
      method: "POST",
      template: "/app/installations/{installation_id}/access_tokens",
      serve(call) {
        demandApp(call);
        return createToken(state, clock.now(), call, installation(call));
      },
    },
    {
      method: "GET",
      template: "/repos/{owner}/{repo}/installation",
      serve(call) {
        demandApp(call);
        const repository = findRepository(state, `${textOf(call, "owner")}/${textOf(call, "repo")}`);
        const found = repository && installationOn(state, repository);
        if (!found) throw notFound();
        return { status: 200, body: installationJson(state, found) };
      },
    },
    { method: "GET", template: "/installation/repositories", serve: (call) => ownRepositories(state, call) },
    { method: "DELETE", template: "/installation/token", serve: (call) => revokeToken(state, call) },
    ...accountRoutes(hub),
  ];
}

function accountRoutes({ state, clock }: Hub): Route[] {
  return [
    {
      method: "GET",
      template: "/rate_limit",
      serve() {
        const core = {
          limit: RATE_LIMIT,
          used: 0,
          remaining: RATE_LIMIT,
          reset: Math.floor(clock.now() / 1000) + 3600,
        };
        return {
          status: 200,
          body: {
            resources: { core, search: core, graphql: core },
            rate: core,
          } satisfies Schemas["rate-limit-overview"],
        };
      },
    },
    {
      method: "GET",
      template: "/user",
      serve(call) {
        if (call.credential.kind === "installation") throw notAccessible("");
        return { status: 200, body: profileJson(state, actorOf(state, call)) };
      },
    },
    {
      method: "GET",
      template: "/users/{username}",
      serve(call) {
        const account = findAccount(state, textOf(call, "username"));
        if (!account) throw notFound();
        return { status: 200, body: profileJson(state, account) };
      },
    },
  ];
}

function createToken(state: ForgeState, now: number, call: Call, installation: Installation): Answer {
  if (installation.suspendedAt !== null) throw new Refusal(403, "This installation has been suspended");
  const wish = bodyOf(call, NewToken, "Installation");
  const repositories = chosenRepositories(state, installation, wish);
  const permissions = narrowed(state.app.permissions, wish.permissions);
  const token = `ghs_${randomBytes(18).toString("hex")}`;
  const expiresAt = now + TOKEN_LIFETIME_MS;
  state.tokens.set(token, {
    kind: "installation",
    installationId: installation.id,
    permissions,
    repositoryIds: repositories?.map(({ id }) => id) ?? null,
    expiresAt,
  });
  return {
    status: 201,
    body: {
      token,
      expires_at: gitHubTime(expiresAt),
      permissions,
      repository_selection: repositories ? ("selected" as const) : ("all" as const),
      ...(repositories ? { repositories: repositories.map((one) => repositoryJson(state, one)) } : {}),
    } satisfies Schemas["installation-token"],
  };
}

function chosenRepositories(
  state: ForgeState,
  installation: Installation,
  wish: z.infer<typeof NewToken>,
): Repository[] | null {
  if (!wish.repositories && !wish.repository_ids) return null;
  const wanted = [
    ...(wish.repositories ?? []).map((name) => findRepository(state, `${installation.owner}/${name}`)),
    ...(wish.repository_ids ?? []).map((id) => state.repositories.get(id)),
  ];
  return wanted.map((repository) => {
    if (repository && installationOn(state, repository)?.id === installation.id) return repository;
    throw unprocessable(
      "There is at least one repository that does not exist or is not accessible to the parent installation.",
    );
  });
}

function narrowed(granted: Permissions, wish: unknown): Permissions {
  if (wish === undefined || wish === null) return granted;
  const wanted = parsePermissions(wish);
  const isGranted = (Object.keys(wanted ?? {}) as (keyof Permissions)[]).every((name) =>
    allows(granted, [name], wanted?.[name] ?? "read"),
  );
  if (!wanted || !isGranted)
    throw unprocessable("The permissions requested are not granted to this installation.");
  return { metadata: "read", ...wanted };
}

function ownRepositories(state: ForgeState, call: Call): Answer {
  const { credential } = call;
  if (credential.kind !== "installation")
    throw new Refusal(
      403,
      "You must authenticate with an installation access token in order to list repositories for an installation.",
    );
  const all = [...state.repositories.values()].filter((one) => reaches(state, credential, one));
  const page = paginate(call, all);
  return {
    status: 200,
    headers: page.headers,
    body: { total_count: all.length, repositories: page.items.map((one) => repositoryJson(state, one)) },
  };
}

function revokeToken(state: ForgeState, call: Call): Answer {
  for (const [token, known] of state.tokens)
    if (known === call.credential && known.kind === "installation") {
      state.tokens.delete(token);
      return { status: 204 };
    }
  throw new Refusal(403, "You must authenticate with an installation access token in order to revoke it.");
}
