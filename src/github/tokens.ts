import { createPrivateKey, type KeyObject, sign } from "node:crypto";
import type { Octokit } from "octokit";
import { AccrueError, type Clock } from "../shared/index.js";
import { hasStatus } from "./errors.js";

/** What a token may be used for: one repository, and optionally less than the installation's permissions. */
export interface TokenScope {
  owner: string;
  name: string;
  installation: number | null;
  permissions?: { contents: "write" };
}

/** Installation tokens, minted when needed and never older than they should be. */
export interface Tokens {
  get(scope: TokenScope): Promise<string>;
  /** Drops a cached token; true if there was one. */
  forget(scope: TokenScope): boolean;
}

// GitHub's tokens live an hour: one handed out near its end would die in the middle of a push.
const TOKEN_REUSE_MS = 50 * 60 * 1000;
const MAX_CACHED_TOKENS = 1000;
const CLOCK_SKEW_S = 60;
const JWT_LIFE_S = 9 * 60;

/** Makes the signer of the app's own JSON web tokens. Contract: throws `CONFIG_INVALID` for a key that is none. */
export function createAppJwt(clock: Clock, app: { appId: number; privateKey: string }): () => string {
  const key = readKey(app.privateKey);
  return () => {
    const now = Math.floor(clock.now() / 1000);
    const claims = { iat: now - CLOCK_SKEW_S, exp: now + JWT_LIFE_S, iss: String(app.appId) };
    const unsigned = [{ alg: "RS256", typ: "JWT" }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
      .join(".");
    return `${unsigned}.${sign("sha256", Buffer.from(unsigned), key).toString("base64url")}`;
  };
}

function readKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch (cause) {
    throw new AccrueError(
      "CONFIG_INVALID",
      "The app's private key is no PEM key: give the whole .pem file that GitHub made, with its line breaks.",
      { cause },
    );
  }
}

/** Makes the cache of installation tokens. `app` is a client that speaks as the app itself. */
export function createTokens(clock: Clock, app: Octokit): Tokens {
  const cached = new Map<string, { token: Promise<string>; mintedAt: number }>();

  async function mint(scope: TokenScope): Promise<string> {
    const installation =
      scope.installation ??
      (await app.rest.apps.getRepoInstallation({ owner: scope.owner, repo: scope.name })).data.id;
    try {
      const { data: minted } = await app.rest.apps.createInstallationAccessToken({
        installation_id: installation,
        repositories: [scope.name],
        ...(scope.permissions ? { permissions: scope.permissions } : {}),
      });
      return minted.token;
    } catch (cause) {
      // GitHub's answer for a repository outside of the installation, or one that does not exist.
      if (!hasStatus(cause, 422)) throw cause;
      const message = `The app has no access to ${scope.owner}/${scope.name}: install it there, or give it that repository.`;
      throw new AccrueError("GITHUB_MISSING", message, { cause });
    }
  }

  function remember(key: string, token: Promise<string>): void {
    const [oldest] = cached.keys();
    if (cached.size >= MAX_CACHED_TOKENS && oldest !== undefined) cached.delete(oldest);
    const entry = { token, mintedAt: clock.now() };
    cached.set(key, entry);
    // A failure is not kept: the next caller asks again. Who waits for this one gets it as well.
    token.catch(() => {
      if (cached.get(key) === entry) cached.delete(key);
    });
  }

  return {
    get(scope) {
      const key = keyOf(scope);
      const known = cached.get(key);
      if (known && clock.now() - known.mintedAt < TOKEN_REUSE_MS) return known.token;
      const token = mint(scope);
      cached.delete(key);
      remember(key, token);
      return token;
    },
    forget: (scope) => cached.delete(keyOf(scope)),
  };
}

function keyOf(scope: TokenScope): string {
  return JSON.stringify([scope.installation, scope.owner, scope.name, scope.permissions ?? null]);
}
