import { basename, dirname, resolve } from "node:path";
import { type SharedTree, type Tree, shareKnowledge } from "../knowledge/index.js";
import { AccrueError, isAccrueError } from "../shared/index.js";
import { askAt } from "./ask-at.js";
import { knowledgeWith } from "./knowledge-tree.js";
import { mainBranch } from "./main-branch.js";
import { readableBranch } from "./readable-branch.js";
import { openMirror } from "./resources.js";
import type { Scene } from "./scene.js";
import { sharedName } from "./shared-place.js";
import { fullName } from "./site.js";
import type { EngineDeps } from "./types.js";

/** Whose run it is, and what its own repository knows. */
export interface SharedFor extends Pick<Scene, "ask" | "doors" | "settings" | "signal"> {
  own: Tree;
  /** Told why nothing is shared. */
  warn(message: string): void;
}

/**
 * What a run knows besides its own repository: `knowledge.repository` as its default branch has it, and the deposits that wait there. Where it cannot be read, people are told, and the run goes on with what is its own.
 */
export async function withSharedKnowledge(of: SharedFor, deps: EngineDeps): Promise<SharedTree> {
  const { ask, doors, own, signal } = of;
  if (sharedName(of) === "") return { tree: own, shared: new Set() };
  try {
    return shareKnowledge(own, await read(of, deps), doors.knownAs ?? fullName(ask.repository));
  } catch (error) {
    if (!isAccrueError(error) || error.retryable || signal.aborted) throw error;
    of.warn(`knowledge.repository: ${error.message}`);
    return { tree: own, shared: new Set() };
  }
}

async function read(of: SharedFor, deps: EngineDeps): Promise<Tree> {
  const { settings, signal } = of;
  const there = await placeOf(of, deps);
  const mirror = await openMirror(deps, { ...there, settings }, signal);
  const branch = there.branch ?? (await mainBranch(mirror));
  const base = await mirror.resolve(`refs/remotes/origin/${branch}`);
  if (base === null)
    throw new AccrueError("WORKSPACE_EMPTY", `${settings.knowledge.repository} has no branch ${branch}.`);
  return knowledgeWith(mirror, base);
}

async function placeOf({ ask, doors, settings }: SharedFor, deps: EngineDeps) {
  const { repository: named } = settings.knowledge;
  if (!doors.port) {
    // On a person's machine it is a folder beside their repository.
    const url = resolve(doors.remote.url, named);
    const repository = { host: "local", owner: basename(dirname(url)) || "root", name: basename(url) };
    const remote = { url, authorization: () => Promise.resolve(null) };
    return { ask: { ...ask, repository }, doors: { ...doors, remote }, branch: null };
  }
  const [owner = "", name = ""] = named.split("/");
  const other = askAt(ask, { owner, name });
  const opened = await deps.doors(other);
  const branch = await readableBranch(opened, { name: named, login: ask.actor?.login ?? "" });
  return { ask: other, doors: opened, branch };
}
