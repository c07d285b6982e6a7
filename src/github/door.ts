import type { Octokit } from "octokit";
import type { Logger } from "pino";
import type { Clock } from "../shared/index.js";
import { isUncertain } from "./errors.js";
import type { Patience } from "./patience.js";

/** Whose comments and checks are ours: those of this app, or without an app those of this account. */
export interface Authorship {
  appId: number | null;
  login: string | null;
}

/** What every part of a repository's port works with. */
export interface Door {
  octokit: Octokit;
  /** As Octokit's calls want it. */
  repo: { owner: string; repo: string };
  patience: Patience;
  clock: Clock;
  log: Pick<Logger, "warn">;
  authorship: () => Promise<Authorship>;
}

/** GitHub's largest page. */
export const PAGE_SIZE = 100;

/**
 * Makes something that must exist once only: after an answer that says nothing, it looks before it asks again.
 */
export async function createOnce<T>(
  patience: Patience,
  find: () => Promise<T | null>,
  create: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await create();
    } catch (error) {
      if (!isUncertain(error) || !(await patience.before(tries))) throw error;
      const found = await find();
      if (found !== null) return found;
    }
  }
}
