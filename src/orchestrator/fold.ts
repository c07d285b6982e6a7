import type { Tree } from "../knowledge/index.js";
import { AccrueError, type Language, inertSubject, isAccrueError } from "../shared/index.js";
import type { Mirror } from "../workspace/index.js";
import { unbookedCosts } from "./books.js";
import { type Completed, foldWrites } from "./fold-writes.js";
import type { Ask } from "./intent.js";
import { type KnowledgePlace, keepMergeable } from "./keep-mergeable.js";
import { FOLD_BRANCH, readKnowledge } from "./knowledge-tree.js";
import { openMirror } from "./resources.js";
import { keepReview } from "./review.js";
import { fromBase, fromBranch, pushStanding, showStanding } from "./standing-pull.js";
import type { Doors, EngineDeps, Settings } from "./types.js";
import { MOVED, untilPushed } from "./until-pushed.js";

/** Refusals that no second try changes: what the base branch does not take from us is offered to people. */
const GUARDED = ["protected", "rules"];

/** What the fold after a merge works with. */
export interface CompleteInput extends Pick<Completed, "requirement" | "merged" | "ticked"> {
  ask: Ask;
  doors: Doors;
  settings: Settings;
  language: Language;
}

/** What the fold did, and the pull requests that something of it waits in. */
export interface Folded {
  summary: string;
  /** Where the base branch takes no push: all of it. */
  waitsIn: number | null;
  /** Where a person has to look first: some of it. */
  reviewedIn: number | null;
  /** Parts of others that keep the requirement open; empty when nothing does. */
  waitsFor: string;
}

type Deps = Pick<EngineDeps, "clock" | "newId" | "workspaces" | "log" | "ledger">;

/** A base branch as it is now. */
interface Base {
  mirror: Mirror;
  name: string;
  completed: Completed;
  /** `knowledge.roots`. */
  roots: readonly string[];
}

/**
 * After a merge: completes the requirement, moves its folder, applies deposits to notes and rules, and writes both indexes, all
 * in one commit on the base branch. Everything is computed from the newest tree and pushed onto exactly that, so that what people
 * or another fold write meanwhile is never lost: then it starts over.
 */
export async function completeAndFold(
  input: CompleteInput,
  deps: Deps,
  signal: AbortSignal,
): Promise<Folded> {
  const { ask, doors, settings, requirement, merged, ticked, language } = input;
  const mirror = await openMirror(deps, { ask, doors, settings }, signal);
  const name = settings.base || ask.defaultBranch;
  const costs: Completed["costs"] = (events) =>
    unbookedCosts(deps, {
      repository: ask.repository,
      requirement: requirement ?? "",
      events,
      own: null,
    });
  const completed = { requirement, merged, ticked, key: ask.key, language, costs };
  const base: Base = { mirror, name, completed, roots: settings.knowledge.roots };
  const what = `The fold into ${name}`;
  const pushed = await untilPushed(
    { what, mirror, clock: deps.clock },
    () => foldOnce(base, deps, signal),
    signal,
  );
  const folded = pushed.isGuarded ? await offerFold(base, { ...input, deps, signal }) : pushed;
  const place = { mirror, base: name, doors, language, pattern: settings.branch };
  const reviewedIn = await reviewed(place, deps, signal);
  await keepMergeable(place, deps, signal);
  const waiting = reviewedIn === null ? "" : `; what a person has to look at waits in #${reviewedIn}`;
  const { waitsIn, waitsFor } = folded;
  return { summary: folded.summary + waiting, waitsIn, reviewedIn, waitsFor };
}

/** What is folded stays folded, also where the review cannot be shown for good: the next fold tries again. */
async function reviewed(place: KnowledgePlace, deps: Deps, signal: AbortSignal): Promise<number | null> {
  try {
    return await keepReview(place, deps, signal);
  } catch (error) {
    if (!isAccrueError(error) || error.retryable) throw error;
    deps.log.error({ error: error.message }, "the review of knowledge could not be shown");
    return null;
  }
}

/** The commit of the base branch as last fetched. */
async function headOf({ mirror, name }: Base): Promise<string> {
  const head = await mirror.resolve(`refs/remotes/origin/${name}`);
  if (head) return head;
  throw new AccrueError("WORKSPACE_EMPTY", `The branch ${name} is gone: nothing can be folded.`);
}

type Pushed = Pick<Folded, "summary" | "waitsIn" | "waitsFor"> & { isGuarded: boolean };

async function foldOnce(base: Base, deps: Deps, signal: AbortSignal): Promise<Pushed | typeof MOVED> {
  const { mirror, name, completed } = base;
  const head = await headOf(base);
  const { writes, summary, waitsFor } = foldWrites(completed, deps, await readTree(base, head));
  const done = { waitsIn: null, isGuarded: false, waitsFor };
  if (writes.size === 0) return { ...done, summary: "nothing to fold" };
  const sha = await mirror.commit({ parent: head, writes, message: messageOf(completed, summary) });
  const pushed = await mirror.push({ sha, branch: name, create: false, onto: head }, signal);
  if (pushed.kind !== "refused") return { ...done, summary: summary.join("; ") };
  if (pushed.reason === "stale") return MOVED;
  if (GUARDED.includes(pushed.reason)) return { ...done, summary: "", isGuarded: true };
  throw new AccrueError("GIT_PUSH_REJECTED", pushed.message);
}

/** A protected base gets all folds that nobody merged yet as one pull request, which each later one is added to. */
async function offerFold(
  base: Base,
  { doors, deps, signal }: Pick<CompleteInput, "doors"> & { deps: Deps; signal: AbortSignal },
): Promise<Pick<Folded, "summary" | "waitsIn" | "waitsFor">> {
  const { mirror, name, completed } = base;
  const { port } = doors;
  if (!port)
    throw new AccrueError(
      "GIT_PUSH_REJECTED",
      `${name} is protected, and there is no pull request to fold in.`,
    );
  const offered = await untilPushed(
    { what: `The fold in ${FOLD_BRANCH}`, mirror, clock: deps.clock },
    async () => {
      const standing = { mirror, branch: FOLD_BRANCH, base: name, baseSha: await headOf(base) };
      const isOpen = (await port.findPull(FOLD_BRANCH)) !== null;
      const from = isOpen ? await fromBranch(standing) : await fromBase(standing);
      const made = foldWrites(completed, deps, await readTree(base, from.start));
      const { writes, summary: lines, waitsFor } = made;
      const message = messageOf(completed, lines);
      const pushed = await pushStanding(standing, from, { writes, message, signal });
      return pushed === MOVED ? MOVED : { lines, waitsFor, isThere: isOpen || writes.size > 0 };
    },
    signal,
  );
  const { waitsFor } = offered;
  if (!offered.isThere) return { summary: "nothing to fold", waitsIn: null, waitsFor };
  const isChinese = completed.language === "zh";
  const number = await showStanding(
    port,
    { branch: FOLD_BRANCH, base: name },
    {
      title: isChinese ? "整理经验与需求" : "File knowledge and requirements",
      body: isChinese
        ? `\`${name}\` 不接受机器人的推送，所以归并放在这里；之后的归并也会加到这里。最近一次在 #${completed.merged.pull} 之后。`
        : `\`${name}\` takes no push from the bot, so the fold waits here, and later ones are added. The last one came after #${completed.merged.pull}.`,
    },
  );
  const what = offered.lines.length > 0 ? `: ${offered.lines.join("; ")}` : "";
  return { summary: `${name} is protected: the fold waits in #${number}${what}`, waitsIn: number, waitsFor };
}

function readTree({ mirror, roots }: Base, revision: string): Promise<Tree> {
  return readKnowledge(mirror, revision, { own: ["context/", "requirements/"], roots });
}

function messageOf({ requirement, merged }: Completed, summary: readonly string[]): string {
  // A commit notifies and closes as a comment does, and titles are people's words.
  const lines = summary.map((line) => inertSubject(line));
  return [`Fold ${requirement ?? "knowledge"} after #${merged.pull}`, "", ...lines].join("\n");
}
