import type { Octokit } from "octokit";
import { attempt, hasStatus } from "./errors.js";
import type { GitHub } from "./types.js";

type Identity = Awaited<ReturnType<GitHub["identity"]>>;

/** Whom the token of GitHub Actions writes as; it may not ask for its own name. */
const ACTIONS = { appId: 15_368, slug: "github-actions", userId: 41_898_282 };

/**
 * Finds out which account an app writes as. `reader` gives a client that may read accounts, through an installation if
 * there is one.
 */
export function appIdentity(
  app: Octokit,
  reader: () => Promise<Octokit>,
  noreply: string,
): Promise<Identity> {
  return attempt("read the app's own account", async () => {
    const { data: self } = await app.rest.apps.getAuthenticated();
    const slug = self?.slug ?? "";
    const login = `${slug}[bot]`;
    const { data: user } = await (await reader()).rest.users.getByUsername({ username: login });
    // With the account's id in front, GitHub shows commits as the app's own.
    return { appId: self?.id ?? null, slug, login, email: `${user.id}+${login}@${noreply}` };
  });
}

/** Finds out which account a token writes as. */
export function tokenIdentity(octokit: Octokit, noreply: string): Promise<Identity> {
  return attempt("read the token's own account", async () => {
    try {
      const { data: user } = await octokit.rest.users.getAuthenticated();
      return {
        appId: null,
        slug: user.login,
        login: user.login,
        email: `${user.id}+${user.login}@${noreply}`,
      };
    } catch (error) {
      if (!hasStatus(error, 403)) throw error;
      const { appId, slug, userId } = ACTIONS;
      return { appId, slug, login: `${slug}[bot]`, email: `${userId}+${slug}[bot]@${noreply}` };
    }
  });
}
