import type { Octokit } from "octokit";
import type { Logger } from "pino";
import type { Clock } from "../shared/index.js";
import { type Addresses, addressesOf } from "./addresses.js";
import { createChecks } from "./checks.js";
import { createClient, type Credentials } from "./client.js";
import { createComments } from "./comments.js";
import type { Authorship, Door } from "./door.js";
import { attempt } from "./errors.js";
import { appIdentity, tokenIdentity } from "./identity.js";
import { createPatience, type Patience } from "./patience.js";
import { createPulls } from "./pulls.js";
import { createReads } from "./reads.js";
import { createAppJwt, createTokens, type TokenScope } from "./tokens.js";
import type { GitHub, GitHubPort } from "./types.js";

/** What GitHub needs from outside. */
export interface GitHubDeps {
  clock: Clock;
  log: Pick<Logger, "warn">;
}

/** How to prove to GitHub who we are: as an app, or with the token of an Action or a person. */
export type GitHubAuth =
  | { kind: "app"; appId: number; privateKey: string }
  | { kind: "token"; token: string };

/** Which GitHub it is, and how it is asked. */
export interface GitHubOptions {
  /** `https://api.github.com` or `https://HOST/api/v3`. */
  baseUrl: string;
  auth: GitHubAuth;
  /** Null: as GitHub advises, a second between writes and three between those that notify people. */
  writeSpacingMs: number | null;
  /** A second of waiting before another try; tests make it shorter. */
  retryBaseMs?: number;
}

type Place = { owner: string; name: string; installation: number | null };

/** How one kind of authentication does what all need. */
interface Access {
  clientFor: (place: Place) => Octokit;
  gitToken: (place: Place) => Promise<string>;
  identity: () => ReturnType<GitHub["identity"]>;
  authorship: () => Promise<Authorship>;
}

/** Opens GitHub for one app or token. Contract: throws `CONFIG_INVALID` for a bad address or key. */
export function createGitHub(deps: GitHubDeps, options: GitHubOptions): GitHub {
  const addresses = addressesOf(options.baseUrl);
  const patience = createPatience(deps, {
    writeSpacingMs: options.writeSpacingMs,
    retryBaseMs: options.retryBaseMs ?? 1000,
  });
  const client = (credentials: Credentials) =>
    createClient({ baseUrl: addresses.api, patience, credentials, log: deps.log });
  const access =
    options.auth.kind === "app"
      ? appAccess(options.auth, client, { clock: deps.clock, addresses })
      : tokenAccess(options.auth.token, client, addresses);

  return {
    identity: access.identity,
    repository: (place) => createPort(place, access, { ...deps, patience, addresses }),
    gitAuthorization: (place) =>
      attempt(`give out a token for ${place.owner}/${place.name}`, async () => {
        const token = await access.gitToken(place);
        return `Basic ${Buffer.from(`x-access-token:${token}`).toString("base64")}`;
      }),
    cloneUrl: ({ owner, name }) => `${addresses.web}/${owner}/${name}.git`,
  };
}

function createPort(
  place: Place,
  access: Access,
  deps: GitHubDeps & { patience: Patience; addresses: Addresses },
): GitHubPort {
  const { owner, name } = place;
  const { host, web } = deps.addresses;
  const door: Door = {
    octokit: access.clientFor(place),
    repo: { owner, repo: name },
    patience: deps.patience,
    clock: deps.clock,
    log: deps.log,
    authorship: access.authorship,
  };
  return {
    repository: { host, owner, name },
    web: (path) => `${web}/${owner}/${name}${path ? `/${path.replace(/^\/+/, "")}` : ""}`,
    ...createReads(door),
    ...createComments(door),
    ...createPulls(door),
    ...createChecks(door),
  };
}

function appAccess(
  auth: { appId: number; privateKey: string },
  client: (credentials: Credentials) => Octokit,
  deps: { clock: Clock; addresses: Addresses },
): Access {
  const jwt = createAppJwt(deps.clock, auth);
  const app = client({ authorization: async () => `Bearer ${jwt()}`, renew: () => false });
  const tokens = createTokens(deps.clock, app);
  const clientFor = (scope: TokenScope) =>
    client({
      authorization: async () => `token ${await tokens.get(scope)}`,
      renew: () => tokens.forget(scope),
    });

  /** A client that may read public accounts: Enterprise Server may want a token even for that. */
  async function reader(): Promise<Octokit> {
    const [installation] = (await app.rest.apps.listInstallations({ per_page: 1 })).data;
    return client({ authorization: () => readerToken(app, installation?.id), renew: () => false });
  }

  return {
    clientFor,
    gitToken: (place) => tokens.get({ ...place, permissions: { contents: "write" } }),
    identity: once(() => appIdentity(app, reader, deps.addresses.noreply)),
    authorship: async () => ({ appId: auth.appId, login: null }),
  };
}

async function readerToken(app: Octokit, installation: number | undefined): Promise<string | null> {
  if (installation === undefined) return null;
  const { data: minted } = await app.rest.apps.createInstallationAccessToken({
    installation_id: installation,
    permissions: { metadata: "read" },
  });
  return `token ${minted.token}`;
}

function tokenAccess(
  token: string,
  client: (credentials: Credentials) => Octokit,
  addresses: Addresses,
): Access {
  const octokit = client({ authorization: async () => `token ${token}`, renew: () => false });
  const identity = once(() => tokenIdentity(octokit, addresses.noreply));
  return {
    clientFor: () => octokit,
    gitToken: async () => token,
    identity,
    authorship: async () => ({ appId: null, login: (await identity()).login }),
  };
}

/** Asks once and keeps the answer, but not a failure. */
function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | null = null;
  return async () => {
    answer ??= ask();
    try {
      return await answer;
    } catch (error) {
      answer = null;
      throw error;
    }
  };
}
