import { basename, dirname, resolve } from "node:path";
import { type Tree, shareKnowledge } from "../knowledge/index.js";
import { AccrueError, isAccrueError } from "../shared/index.js";
import { askAt } from "./ask-at.js";
import { knowledgeWith } from "./knowledge-tree.js";
import { mainBranch } from "./main-branch.js";
import { readableBranch } from "./readable-branch.js";
import { openMirror } from "./resources.js";
import type { Scene } from "./scene.js";
import { sharedName } from "./shared-place.js";
import { fullName } from "./site.js";
import { linksOf } from "./texts/links.js";
import type { EngineDeps } from "./types.js";

const RULE = /^## (R-\S+) /gm;

/** Whose run it is, and what its own repository knows. */
export interface SharedFor extends Pick<Scene, "ask" | "doors" | "settings" | "signal"> {
  own: Tree;
  /** Told why nothing is shared. */
  warn(message: string): void;
}

/** Knowledge with what several repositories share, and where people find that. */
export interface SharedKnowledge {
  tree: Tree;
  /** Address of a file that only the shared repository has, and of a rule of it, `path#R-…`; empty where there is no GitHub. */
  shared: ReadonlyMap<string, string>;
}

/**
 * What a run knows besides its own repository: `knowledge.repository` as its base branch has it, and the deposits that wait there.
 * Where it cannot be read, people are told, and the run goes on with what is its own.
 */
export async function withSharedKnowledge(of: SharedFor, deps: EngineDeps): Promise<SharedKnowledge> {
  const { ask, doors, own, signal } = of;
  if (sharedName(of) === "") return { tree: own, shared: new Map() };
  try {
    const { files, addressOf } = await read(of, deps);
    const { tree, shared } = shareKnowledge(own, files, doors.knownAs ?? fullName(ask.repository));
    const addresses = [...shared].map((path) => [path, addressOf(path)] as const);
    return { tree, shared: new Map([...addresses, ...ruleAddresses(own, files, addressOf)]) };
  } catch (error) {
    if (!isAccrueError(error) || error.retryable || signal.aborted) throw error;
    of.warn(`knowledge.repository: ${error.message}`);
    return { tree: own, shared: new Map() };
  }
}

interface Shared {
  files: Tree;
  addressOf(path: string): string;
}

async function read(of: SharedFor, deps: EngineDeps): Promise<Shared> {
  const { settings, signal } = of;
  const there = await placeOf(of, deps);
  const mirror = await openMirror(deps, { ...there, settings }, signal);
  const branch = there.branch ?? (await mainBranch(mirror));
  const base = await mirror.resolve(`refs/remotes/origin/${branch}`);
  if (base === null)
    throw new AccrueError("WORKSPACE_EMPTY", `${settings.knowledge.repository} has no branch ${branch}.`);
  const { tree: files, elsewhere } = await knowledgeWith(mirror, base);
  const links = there.doors.port && linksOf(there.doors.port);
  return { files, addressOf: (path) => links?.file(elsewhere.get(path) ?? branch, path) ?? "" };
}

/** Both repositories have rule files of the same names: each rule that is only there has its own address. */
function ruleAddresses(own: Tree, files: Tree, addressOf: Shared["addressOf"]): [string, string][] {
  return [...files].flatMap(([path, text]) => {
    const mine = path.startsWith("context/rules/") ? own.get(path) : undefined;
    if (mine === undefined) return [];
    const ids = [...text.matchAll(RULE)].map(([, id = ""]) => id).filter((id) => !mine.includes(`## ${id} `));
    return ids.map((id): [string, string] => [`${path}#${id}`, addressOf(path)]);
  });
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
  const { base } = await deps.settings({ ...other, defaultBranch: branch ?? "" }, opened);
  return { ask: other, doors: opened, branch: base || branch };
}
