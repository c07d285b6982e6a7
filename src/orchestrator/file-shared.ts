import { type Deposit, type Tree, fold, formatDeposit, parseDeposit, qualify } from "../knowledge/index.js";
import { AccrueError, type Language, inertSubject, isAccrueError, isoTime } from "../shared/index.js";
import { keepMergeable } from "./keep-mergeable.js";
import { knowledgeWith } from "./knowledge-tree.js";
import { pushKnowledge, standingPlace } from "./push-knowledge.js";
import { showReview } from "./review.js";
import type { SharedHome, SharedPlace } from "./shared-place.js";
import { GUARDED } from "./standing-pull.js";
import type { EngineDeps } from "./types.js";
import { MOVED, untilPushed } from "./until-pushed.js";

/** What of a repository's deposits went to the one that several share. */
export interface FiledShared {
  /** Paths of the deposits that need not stay at home. */
  paths: ReadonlySet<string>;
  /** `knowledge.repository`, where there was something for it; else empty. */
  name: string;
  /** Its pull request that they wait in, if its base branch takes no push. */
  waitsIn: number | null;
  /** Why they stay at home; empty when they do not. */
  reason: string;
}

/** A repository's deposits, and whose they are. */
interface Learnt {
  tree: Tree;
  /** `owner/name`. */
  own: string;
  language: Language;
}

type Deps = Pick<EngineDeps, "clock" | "log">;

const NOTHING: FiledShared = { paths: new Set(), name: "", waitsIn: null, reason: "" };

/**
 * Files the deposits that a merge brought in the repository that several share. What is there already is not written again, so that
 * it may be called until the deposits are gone at home. Deposits with problems stay: their text is a person's to put right.
 */
export async function fileShared(home: SharedHome, learnt: Learnt, deps: Deps): Promise<FiledShared> {
  const deposits = home.kind === "none" ? [] : movable(learnt.tree);
  if (home.kind === "none" || deposits.length === 0) return NOTHING;
  if (home.kind === "closed") return { ...NOTHING, name: home.name, reason: home.reason };
  const { name, scene, mirror } = home.place;
  const { signal } = scene;
  try {
    await mirror.fetch({}, signal);
    const what = `What goes to ${name}`;
    const filing = () => fileOnce(home.place, { ...learnt, deposits }, deps);
    const waitsIn = await untilPushed({ what, mirror, clock: deps.clock }, filing, signal);
    const place = {
      mirror,
      base: baseOf(home.place),
      doors: scene.doors,
      language: learnt.language,
      pattern: scene.settings.branch,
    };
    await showReview(place, deps, signal);
    await keepMergeable(place, deps, signal);
    return { ...NOTHING, paths: new Set(deposits.map(({ note }) => note.file)), name, waitsIn };
  } catch (error) {
    if (!isAccrueError(error) || error.retryable || signal.aborted) throw error;
    return { ...NOTHING, name, reason: error.message };
  }
}

/** What has no problems, and brings up no document that only the service has: such as what it was told of other services. */
function movable(tree: Tree): Deposit[] {
  return [...tree].flatMap(([path, text]) => {
    if (!path.startsWith("context/deposits/")) return [];
    const { deposit, problems } = parseDeposit(path, text);
    if (deposit === null || problems.length > 0) return [];
    const target = deposit.into ?? "";
    const loaded = deposit.rules.flatMap(({ load }) => load);
    return loaded.some((file) => file !== target && tree.has(file)) ? [] : [deposit];
  });
}

function baseOf({ scene }: SharedPlace): string {
  return scene.settings.base || scene.ask.defaultBranch;
}

/** Gives the pull request that it waits in, or null where it is filed. */
async function fileOnce(
  place: SharedPlace,
  { deposits, own, language }: Omit<Learnt, "tree"> & { deposits: readonly Deposit[] },
  deps: Deps,
): Promise<number | null | typeof MOVED> {
  const { name, scene, mirror } = place;
  const base = baseOf(place);
  const head = await mirror.resolve(`refs/remotes/origin/${base}`);
  if (head === null) throw new AccrueError("WORKSPACE_EMPTY", `${name} has no branch ${base}.`);
  const { tree: known } = await knowledgeWith(mirror, head);
  const fresh = new Map(
    deposits
      .filter((deposit) => !isHeld(known, deposit))
      .map((deposit) => [deposit.note.file, formatDeposit(qualify(deposit, own))]),
  );
  const subject = `Keep what ${inertSubject(own)} learnt`;
  if (fresh.size === 0) return scene.attempt > 1 ? offer(place, { fresh, subject }, deps) : null;
  const before = await mirror.readFiles(head, ["context/"]);
  const now = isoTime(deps.clock.now());
  const folded = fold(new Map([...before, ...fresh]), { completed: [], now, language });
  const writes = new Map([...fresh, ...folded.writes]);
  // What was folded at once never lies there as a deposit.
  for (const [path, text] of writes) if (text === null && !before.has(path)) writes.delete(path);
  const message = [subject, "", ...folded.summary.map((line) => inertSubject(line))].join("\n");
  const sha = await mirror.commit({ parent: head, writes, message });
  const pushed = await mirror.push({ sha, branch: base, create: false, onto: head }, scene.signal);
  if (pushed.kind !== "refused") return null;
  if (pushed.reason === "stale") return MOVED;
  if (GUARDED.includes(pushed.reason)) return offer(place, { fresh, subject }, deps);
  throw new AccrueError("GIT_PUSH_REJECTED", pushed.message);
}

/** A base branch that takes no push gets them through the standing pull request: there they count until somebody merges it. */
async function offer(
  { scene, mirror }: SharedPlace,
  { fresh, subject }: { fresh: ReadonlyMap<string, string>; subject: string },
  { clock }: Deps,
): Promise<number | null> {
  const body = `Learnt up to a merge of @${scene.ask.actor?.login ?? "unknown"}`;
  const { pull } = await pushKnowledge(scene, { mirror, clock, findPlace: standingPlace }, ({ before }) =>
    Promise.resolve({
      made: null,
      commit: before === null ? { writes: fresh, subject, body: inertSubject(body) } : null,
    }),
  );
  return pull;
}

/** True when the note is there, as a file of its own or in its document, or waits there. */
function isHeld(tree: Tree, { note, into }: Deposit): boolean {
  const id = note.id.toUpperCase();
  if (tree.has(note.file)) return true;
  if (into !== undefined && (tree.get(into) ?? "").toUpperCase().includes(id)) return true;
  return [...tree.keys()].some((path) => path.toUpperCase().endsWith(`${id}.MD`));
}
