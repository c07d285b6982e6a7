import type { Tree } from "../knowledge/index.js";
import { AccrueError, type Clock } from "../shared/index.js";
import type { Mirror } from "../workspace/index.js";
import { KNOWLEDGE_BRANCH, gatherKnowledge } from "./knowledge-tree.js";
import { requirementOf, stableUlid } from "./requirement-of.js";
import type { Scene } from "./scene.js";
import { MOVED, untilPushed } from "./until-pushed.js";

/** Somebody was faster: seen from there, the change is made anew. */
const OVERTAKEN = ["stale", "exists"];
const MAX_KNOWLEDGE_BRANCHES = 50;
/** How far back an earlier try's commit is looked for. */
const MAX_COMMITS_BACK = 30;

/** A branch that knowledge goes to: the bot's pull request it was said on, else the one standing knowledge pull request. */
export interface KnowledgePlace {
  branch: string;
  /** The commit that the next one goes on. */
  parent: string;
  isNew: boolean;
}

/** What is to be written, seen from where it goes. */
export interface KnowledgeView {
  place: KnowledgePlace;
  /** Files of the branch: `context/` and AGENTS.md. */
  files: Tree;
  /** All that counts there: the base, the branch over it, and deposits that wait. */
  tree: Tree;
  /** What an earlier try of the same ask committed there, as its message; null when there was none. */
  before: string | null;
}

/** A commit to make; null writes nothing. */
export interface KnowledgeChange<Made> {
  made: Made;
  commit: { writes: ReadonlyMap<string, string | null>; subject: string; body: string } | null;
}

/** What was made, and where people find it. */
export interface PushedKnowledge<Made> {
  made: Made;
  branch: string;
  sha: string;
  /** Its pull request; null without GitHub, and where nothing is written that one could show. */
  pull: number | null;
}

/** Finds the branch for an ask; the trailer marks what an earlier try of it committed. */
export type FindPlace = (scene: Scene, mirror: Mirror, trailer: string) => Promise<KnowledgePlace>;

/** Where knowledge is written. */
export interface KnowledgeGround {
  mirror: Mirror;
  clock: Clock;
  /** Default: where deposits go from here. */
  findPlace?: FindPlace;
}

/** The id of an ask's own writing: the same each time, so that a second try after a crash finds what is there. */
export function askId({ at, key }: Scene["ask"]): string {
  return stableUlid(Date.parse(at), key);
}

/**
 * Commits knowledge to where it goes from here, never to the default branch, and opens the pull request that shows it. When the
 * branch moves meanwhile, the change is made anew on top of it.
 */
export async function pushKnowledge<Made>(
  scene: Scene,
  { mirror, clock, findPlace = depositPlace }: KnowledgeGround,
  change: (view: KnowledgeView) => Promise<KnowledgeChange<Made>>,
): Promise<PushedKnowledge<Made>> {
  const { signal } = scene;
  const trailer = trailerOf(scene);
  await mirror.fetch({}, signal);
  const attempt = async (): Promise<PushedKnowledge<Made> | typeof MOVED> => {
    const place = await findPlace(scene, mirror, trailer);
    const view = await viewOf(scene, mirror, { place, trailer });
    const { made, commit } = await change(view);
    if (commit === null || commit.writes.size === 0)
      return { made, ...(await shown(scene, place, view.before !== null)) };
    const message = `${commit.subject}\n\n${commit.body}\n\n${trailer}`;
    const sha = await mirror.commit({ parent: place.parent, writes: commit.writes, message });
    const pushed = await mirror.push({ sha, branch: place.branch, create: place.isNew }, signal);
    if (pushed.kind === "pushed") return { made, ...(await shown(scene, { ...place, parent: sha }, true)) };
    if (pushed.kind === "refused" && !OVERTAKEN.includes(pushed.reason))
      throw new AccrueError("GIT_PUSH_REJECTED", pushed.message);
    return MOVED;
  };
  return untilPushed({ what: "Knowledge", mirror, clock }, attempt, signal);
}

/** The base branch as it is now. Throws `WORKSPACE_EMPTY` when it has no commit. */
async function baseOf({ ask, settings }: Scene, mirror: Mirror): Promise<{ name: string; sha: string }> {
  const name = settings.base || ask.defaultBranch;
  const sha = await mirror.resolve(`refs/remotes/origin/${name}`);
  if (sha !== null) return { name, sha };
  throw new AccrueError(
    "WORKSPACE_EMPTY",
    `The branch ${name} has no commits yet: make a first commit, then say it again.`,
  );
}

/**
 * Where what is said here is deposited: on the bot's own pull request its branch, unless the repository wants all of it in one
 * place; else the standing branch for knowledge.
 */
export async function depositPlace(scene: Scene, mirror: Mirror, trailer: string): Promise<KnowledgePlace> {
  const { ask, settings } = scene;
  const isWithWork = settings.knowledge.deposit === "pr-branch";
  if (isWithWork && ask.headRef && requirementOf(ask) !== `REQ-${ask.thread?.number ?? ""}`) {
    const parent = await mirror.resolve(`refs/remotes/origin/${ask.headRef}`);
    if (parent) return { branch: ask.headRef, parent, isNew: false };
  }
  return standingPlace(scene, mirror, trailer);
}

/** The standing branch for knowledge that its one open pull request is of. */
export async function standingPlace(scene: Scene, mirror: Mirror, trailer: string): Promise<KnowledgePlace> {
  const { doors } = scene;
  const base = await baseOf(scene, mirror);
  for (let index = 1; index <= MAX_KNOWLEDGE_BRANCHES; index++) {
    const branch = index === 1 ? KNOWLEDGE_BRANCH : `${KNOWLEDGE_BRANCH}-${index}`;
    const tip = await mirror.resolve(`refs/remotes/origin/${branch}`);
    if (!tip) return { branch, parent: base.sha, isNew: true };
    const isAhead = (await mirror.ahead(base.sha, tip)) > 0;
    // An earlier try got this far and no further.
    if (isAhead && (await messageWith(mirror, tip, trailer)) !== null)
      return { branch, parent: tip, isNew: false };
    if (!isAhead) return { branch, parent: base.sha, isNew: false };
    if (!doors.port || (await doors.port.findPull(branch))) return { branch, parent: tip, isNew: false };
  }
  throw new AccrueError(
    "GIT_PUSH_REJECTED",
    `There are ${MAX_KNOWLEDGE_BRANCHES} left-over branches ${KNOWLEDGE_BRANCH}-*: delete the merged ones.`,
  );
}

async function viewOf(
  scene: Scene,
  mirror: Mirror,
  { place, trailer }: { place: KnowledgePlace; trailer: string },
): Promise<KnowledgeView> {
  const base = await baseOf(scene, mirror);
  const gathered = await gatherKnowledge(mirror, {
    base: base.sha,
    baseTip: base.sha,
    head: place.parent,
    branch: place.branch,
    requirement: scene.requirement ?? "",
    roots: scene.settings.knowledge.roots,
  });
  return {
    place,
    files: await mirror.readFiles(place.parent, ["context/", "AGENTS.md"]),
    tree: await withSpokenOf(scene, mirror, { place, tree: gathered.tree }),
    before: await messageWith(mirror, place.parent, trailer),
  };
}

/** What the pull request that is spoken on has deposited counts there too, wherever the next lesson goes. */
async function withSpokenOf(
  { ask }: Scene,
  mirror: Mirror,
  { place, tree }: { place: KnowledgePlace; tree: Tree },
): Promise<Tree> {
  if (ask.headRef === null || ask.headRef === place.branch) return tree;
  const tip = await mirror.resolve(`refs/remotes/origin/${ask.headRef}`);
  return tip === null ? tree : new Map([...(await mirror.readFiles(tip, ["context/deposits/"])), ...tree]);
}

/** The message of the commit below a tip that has this trailer; null when none has. */
export async function messageWith(mirror: Mirror, tip: string, trailer: string): Promise<string | null> {
  const commits = await mirror.history(tip, MAX_COMMITS_BACK);
  return commits.find(({ message }) => message.split("\n").includes(trailer))?.message ?? null;
}

/** All that counts where something is said, seen from where it would be deposited. */
export async function knowledgeHere(scene: Scene, mirror: Mirror): Promise<Tree> {
  const trailer = trailerOf(scene);
  await mirror.fetch({}, scene.signal);
  const place = await depositPlace(scene, mirror, trailer);
  return (await viewOf(scene, mirror, { place, trailer })).tree;
}

function trailerOf({ ask }: Pick<Scene, "ask">): string {
  return `Asked-In: ${askId(ask)}`;
}

/** Where people see it; `isWritten` when there is something of the ask that a pull request has to show. */
async function shown(
  { doors, settings, ask, language }: Scene,
  { branch, parent }: KnowledgePlace,
  isWritten: boolean,
): Promise<{ branch: string; sha: string; pull: number | null }> {
  const { port } = doors;
  const at = { branch, sha: parent };
  if (!port) return { ...at, pull: null };
  if (branch === ask.headRef) return { ...at, pull: ask.thread?.number ?? null };
  if (!isWritten || !branch.startsWith(KNOWLEDGE_BRANCH))
    return { ...at, pull: (await port.findPull(branch))?.number ?? null };
  const zh = language === "zh";
  const pull = await port.openPull({
    head: branch,
    base: settings.base || ask.defaultBranch,
    title: zh ? "经验记录" : "What people taught",
    body: zh
      ? "团队教给机器人的经验。合并后整理到 `context/`。"
      : "What people taught. Merging it files it under `context/`.",
    draft: false,
  });
  return { ...at, pull: pull.number };
}
