import { type Tree, type WaitingDeposit, fold } from "../knowledge/index.js";
import { isAccrueError, isoTime } from "../shared/index.js";
import type { GitHubPort } from "../github/index.js";
import { bringUpToDate } from "./bring-up-to-date.js";
import type { KnowledgePlace } from "./keep-mergeable.js";
import { REVIEW_BRANCH } from "./knowledge-tree.js";
import { reviewText } from "./review-text.js";
import { type Standing, type StandingStart, fromBase, pushStanding, showStanding } from "./standing-pull.js";
import type { EngineDeps } from "./types.js";
import { MOVED, untilPushed } from "./until-pushed.js";

const INDEX = "context/INDEX.md";

/** What the review would change, what waits for it, and what of that not even a look can bring in. */
interface Review {
  writes: Map<string, string | null>;
  waiting: readonly WaitingDeposit[];
  stuck: ReadonlySet<string>;
}

/** What is folded stays folded, also where the review of the rest cannot be shown for good: the next fold tries again. */
export async function showReview(
  place: KnowledgePlace,
  deps: Pick<EngineDeps, "clock" | "log">,
  signal: AbortSignal,
): Promise<number | null> {
  try {
    return await keepReview(place, deps, signal);
  } catch (error) {
    if (!isAccrueError(error) || error.retryable) throw error;
    deps.log.error({ error: error.message }, "the review of knowledge could not be shown");
    return null;
  }
}

/**
 * Keeps the one pull request in which people look at what the fold may not file by itself: text of people without write access,
 * and rules that stop work. Merging it makes them count; closing it leaves them waiting, until something new waits.
 */
async function keepReview(
  place: KnowledgePlace,
  deps: Pick<EngineDeps, "clock">,
  signal: AbortSignal,
): Promise<number | null> {
  const { port } = place.doors;
  if (!port) return null;
  const now = isoTime(deps.clock.now());
  const shown = await untilPushed(
    { what: `The review in ${REVIEW_BRANCH}`, mirror: place.mirror, clock: deps.clock },
    () => pushReview({ ...place, port, now }, signal),
    signal,
  );
  if (shown === null) return null;
  return showStanding(
    port,
    { branch: REVIEW_BRANCH, base: place.base },
    reviewText(shown, { language: place.language, now, base: place.base }),
  );
}

interface ReviewPlace extends KnowledgePlace {
  port: GitHubPort;
  now: string;
}

/** Null when there is nothing to look at, or a person has closed what there is. */
async function pushReview(place: ReviewPlace, signal: AbortSignal): Promise<Review | null | typeof MOVED> {
  const { mirror, base, port } = place;
  const baseSha = await mirror.resolve(`refs/remotes/origin/${base}`);
  if (baseSha === null) return null;
  const fresh = reviewOf(await mirror.readFiles(baseSha, ["context/"]), place);
  const isOpen = (await port.findPull(REVIEW_BRANCH)) !== null;
  if (!isOpen && (fresh.writes.size === 0 || (await wasDeclined(port, fresh.waiting)))) return null;
  const standing = { mirror, branch: REVIEW_BRANCH, base, baseSha };
  const edited = isOpen ? await editedStart(standing, place) : null;
  const from = edited ?? (await fromBase(standing));
  const review =
    edited === null ? fresh : reviewOf(await mirror.readFiles(edited.start, ["context/"]), place);
  const message = `Show what a person has to look at\n\n${fresh.waiting.map(({ path }) => path).join("\n")}`;
  const pushed = await pushStanding(standing, from, { writes: review.writes, message, signal });
  return pushed === MOVED ? MOVED : { ...fresh, stuck: new Set([...fresh.stuck, ...review.stuck]) };
}

/** A person's commits on the branch stay: it is gone on with. Null while only we wrote there, and it can be made anew. */
async function editedStart(standing: Standing, { doors }: ReviewPlace): Promise<StandingStart | null> {
  const { mirror, branch, base, baseSha } = standing;
  const tip = await mirror.resolve(`refs/remotes/origin/${branch}`);
  if (tip === null) return null;
  const authors = await mirror.authors(baseSha, tip);
  if (authors.every((email) => email === doors.identity.email)) return null;
  const message = `Merge branch '${base}' into ${branch}`;
  const merged = await bringUpToDate(mirror, { branch: tip, base: baseSha, message });
  return { start: merged.kind === "merged" ? merged.sha : tip, tip, follows: null };
}

/** True when all of this was in the last pull request, and a person closed that. */
async function wasDeclined(port: GitHubPort, waiting: readonly WaitingDeposit[]): Promise<boolean> {
  const last = await port.lastPull(REVIEW_BRANCH);
  return last !== null && !last.merged && waiting.every(({ path }) => last.body.includes(path));
}

/** Folds what waits, as if a person had looked at it. The index is left to the fold after the merge. */
function reviewOf(tree: Tree, { now, language }: Pick<ReviewPlace, "now" | "language">): Review {
  const input = { completed: [], now, language };
  const { review: waiting } = fold(tree, input);
  const held = new Set(waiting.map(({ path }) => path));
  const others = [...tree].filter(([path]) => !path.startsWith("context/deposits/") || held.has(path));
  const { writes, review } = fold(new Map(others), { ...input, reviewed: held });
  writes.delete(INDEX);
  return { writes, waiting, stuck: new Set(review.map(({ path }) => path)) };
}
