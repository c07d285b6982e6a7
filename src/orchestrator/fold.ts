import type { Tree } from "../knowledge/index.js";
import { AccrueError, type Language, inertSubject } from "../shared/index.js";
import type { Mirror } from "../workspace/index.js";
import { unbookedCosts } from "./books.js";
import { type FiledShared, fileShared } from "./file-shared.js";
import { type Completed, foldWrites } from "./fold-writes.js";
import type { Ask } from "./intent.js";
import { keepMergeable } from "./keep-mergeable.js";
import { FOLD_BRANCH, readKnowledge } from "./knowledge-tree.js";
import { openMirror } from "./resources.js";
import { showReview } from "./review.js";
import type { SharedHome } from "./shared-place.js";
import { fullName } from "./site.js";
import { GUARDED, fromBase, fromBranch, pushStanding, showStanding } from "./standing-pull.js";
import type { Doors, EngineDeps, Settings } from "./types.js";
import { MOVED, untilPushed } from "./until-pushed.js";

/** What the fold after a merge works with. */
export interface CompleteInput extends Pick<Completed, "requirement" | "merged" | "ticked"> {
  ask: Ask;
  doors: Doors;
  settings: Settings;
  language: Language;
  /** Where several repositories share what they know. */
  shared: SharedHome;
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
  /** What went to the repository that several share, or why it did not. */
  filed: FiledShared;
}

type Deps = Pick<EngineDeps, "clock" | "newId" | "workspaces" | "log" | "ledger">;

/** A base branch as it is now. */
interface Base {
  mirror: Mirror;
  name: string;
  completed: Omit<Completed, "filed">;
  /** `knowledge.roots`. */
  roots: readonly string[];
  /** Brings deposits of a tree where several repositories share them. */
  share(tree: Tree): Promise<FiledShared>;
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
  const { ask, doors, settings, requirement, merged, ticked, language, shared } = input;
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
  const own = fullName(ask.repository);
  const base: Base = {
    mirror,
    name,
    completed,
    roots: settings.knowledge.roots,
    share: (tree) => fileShared(shared, { tree, own, language }, deps),
  };
  const what = `The fold into ${name}`;
  const pushed = await untilPushed(
    { what, mirror, clock: deps.clock },
    () => foldOnce(base, deps, signal),
    signal,
  );
  const folded = pushed.isGuarded ? await offerFold(base, { ...input, deps, signal }) : pushed;
  const place = { mirror, base: name, doors, language, pattern: settings.branch };
  const reviewedIn = await showReview(place, deps, signal);
  await keepMergeable(place, deps, signal);
  const waiting = reviewedIn === null ? "" : `; what a person has to look at waits in #${reviewedIn}`;
  return { ...folded, summary: folded.summary + waiting, reviewedIn };
}

/** The commit of the base branch as last fetched. */
async function headOf({ mirror, name }: Base): Promise<string> {
  const head = await mirror.resolve(`refs/remotes/origin/${name}`);
  if (head) return head;
  throw new AccrueError("WORKSPACE_EMPTY", `The branch ${name} is gone: nothing can be folded.`);
}

type Pushed = Omit<Folded, "reviewedIn"> & { isGuarded: boolean };

async function foldOnce(base: Base, deps: Deps, signal: AbortSignal): Promise<Pushed | typeof MOVED> {
  const { mirror, name, completed } = base;
  const head = await headOf(base);
  const tree = await readTree(base, head);
  const filed = await base.share(tree);
  const { writes, summary, waitsFor } = foldWrites({ ...completed, filed }, deps, tree);
  const done = { waitsIn: null, isGuarded: false, waitsFor, filed };
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
): Promise<Omit<Folded, "reviewedIn">> {
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
      const tree = await readTree(base, from.start);
      const filed = await base.share(tree);
      const { writes, summary: lines, waitsFor } = foldWrites({ ...completed, filed }, deps, tree);
      const message = messageOf(completed, lines);
      const pushed = await pushStanding(standing, from, { writes, message, signal });
      return pushed === MOVED ? MOVED : { lines, waitsFor, filed, isThere: isOpen || writes.size > 0 };
    },
    signal,
  );
  const { waitsFor, filed } = offered;
  if (!offered.isThere) return { summary: "nothing to fold", waitsIn: null, waitsFor, filed };
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
  const summary = `${name} is protected: the fold waits in #${number}${what}`;
  return { summary, waitsIn: number, waitsFor, filed };
}

function readTree({ mirror, roots }: Base, revision: string): Promise<Tree> {
  return readKnowledge(mirror, revision, { own: ["context/", "requirements/"], roots });
}

function messageOf({ requirement, merged }: Base["completed"], summary: readonly string[]): string {
  // A commit notifies and closes as a comment does, and titles are people's words.
  const lines = summary.map((line) => inertSubject(line));
  return [`Fold ${requirement ?? "knowledge"} after #${merged.pull}`, "", ...lines].join("\n");
}
