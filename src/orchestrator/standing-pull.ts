import type { GitHubPort } from "../github/index.js";
import { AccrueError } from "../shared/index.js";
import type { Mirror } from "../workspace/index.js";
import { bringUpToDate } from "./bring-up-to-date.js";
import { MOVED } from "./until-pushed.js";

/** Refusals that no second try changes: what a base branch does not take from us is offered to people. */
export const GUARDED: readonly string[] = ["protected", "rules"];
const MAX_NAMED = 5;

/** A branch of the bot with one pull request, which later work is added to as long as it is open. */
export interface Standing {
  mirror: Mirror;
  branch: string;
  /** Name of the base branch, and its newest commit. */
  base: string;
  baseSha: string;
}

/** Where a standing branch goes on from. */
export interface StandingStart {
  /** What the next commit stands on. */
  start: string;
  /** The branch as it is; null where there is none. */
  tip: string | null;
  /** A tip that is not in `start`: the next commit follows it too, since nothing is ever pushed by force. */
  follows: string | null;
}

/** From the base itself: what the branch held before is left behind. */
export async function fromBase({ mirror, branch, baseSha }: Standing): Promise<StandingStart> {
  const tip = await mirror.resolve(`refs/remotes/origin/${branch}`);
  const isAhead = tip !== null && (await mirror.ahead(baseSha, tip)) > 0;
  return { start: baseSha, tip, follows: isAhead ? tip : null };
}

/** From the branch with its base merged in, so that what stands on it stays. Rejects where that needs a person. */
export async function fromBranch(standing: Standing): Promise<StandingStart> {
  const { mirror, branch, base, baseSha } = standing;
  const tip = await mirror.resolve(`refs/remotes/origin/${branch}`);
  if (tip === null) return fromBase(standing);
  const message = `Merge branch '${base}' into ${branch}`;
  const merged = await bringUpToDate(mirror, { branch: tip, base: baseSha, message });
  if (merged.kind === "merged") return { start: merged.sha, tip, follows: null };
  throw new AccrueError(
    "GIT_PUSH_REJECTED",
    `${branch} and ${base} changed the same places of ${merged.paths.slice(0, MAX_NAMED).join(", ")}: merge ${base} into it or close its pull request, then ask again.`,
  );
}

/** Commits and pushes to the branch; `null` when it holds all of this already, and nothing was done. */
export async function pushStanding(
  { mirror, branch }: Standing,
  { start, tip, follows }: StandingStart,
  change: { writes: ReadonlyMap<string, string | null>; message: string; signal: AbortSignal },
): Promise<string | null | typeof MOVED> {
  const { writes, message, signal } = change;
  const sha = await mirror.commit({
    parent: start,
    writes,
    message,
    ...(follows === null ? {} : { follows }),
  });
  const isSame =
    tip !== null && (await mirror.ahead(tip, start)) === 0 && (await mirror.changes(tip, sha)).length === 0;
  if (isSame || (tip === null && writes.size === 0)) return null;
  const onto = tip === null ? {} : { onto: tip };
  const pushed = await mirror.push({ sha, branch, create: tip === null, ...onto }, signal);
  if (pushed.kind !== "refused") return sha;
  if (pushed.reason === "stale" || pushed.reason === "exists") return MOVED;
  throw new AccrueError("GIT_PUSH_REJECTED", pushed.message);
}

/** The one open pull request of a standing branch, with what it says brought up to date. */
export async function showStanding(
  port: GitHubPort,
  { branch, base }: Pick<Standing, "branch" | "base">,
  words: { title: string; body: string },
): Promise<number> {
  const pull = await port.openPull({ head: branch, base, ...words, draft: false });
  await port.updatePullBlock(pull.number, words.body);
  return pull.number;
}
