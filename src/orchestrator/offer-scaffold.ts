import type { GitHubPort } from "../github/index.js";
import { type Tree, isScaffolded, languageOfReadme, scaffold, scaffoldSources } from "../knowledge/index.js";
import { type RepositoryRef, isAccrueError } from "../shared/index.js";
import type { Mirror } from "../workspace/index.js";
import type { Ask } from "./intent.js";
import { openMirror } from "./resources.js";
import { fromBase, pushStanding, showStanding } from "./standing-pull.js";
import { type Offer, offerText } from "./texts/offer.js";
import type { Doors, EngineDeps, Settings } from "./types.js";
import { MOVED, untilPushed } from "./until-pushed.js";

/** A repository that the app was given. */
export interface Arrival {
  repository: RepositoryRef;
  installation: number;
  /** The delivery that told of it. */
  key: string;
}

const BRANCH = "agent/init";
/** The Action's own file: beside the app both would answer, and an app needs a permission of its own to push it. */
const LEFT_OUT = /^\.github\/workflows\//;
const STANDS = "not offered: the scaffold stands already";
/** Files that say what was set up here. */
const SIGNS = [".github/agent.yml", "AGENTS.md"];

/**
 * Offers the scaffold to a repository that the app was given, as one pull request that a person merges or closes: never twice,
 * and never where it stands. Gives a sentence for the record. Called again after a crash it goes on where it was.
 */
export async function offerScaffold(
  arrival: Arrival,
  deps: EngineDeps,
  signal: AbortSignal,
): Promise<string> {
  const doors = await deps.doors(askOf(arrival, ""));
  const { port } = doors;
  if (!port) return "not offered: there is no GitHub";
  const { defaultBranch, description, isArchived, isFork } = await port.about();
  if (isArchived) return "not offered: the repository is archived";
  if (isFork) return "not offered: a fork has its files from where it comes; run `accrue init` in it";
  const last = await port.lastPull(BRANCH);
  if (last) return `not offered: it was in #${last.number}, which is ${last.merged ? "merged" : last.state}`;
  const ask = askOf(arrival, defaultBranch);
  const settings = await deps.settings(ask, doors);
  const base = settings.base || defaultBranch;
  if (await isThere(port, base)) return STANDS;
  try {
    return await offer({ ask, doors, port, settings, base, description }, deps, signal);
  } catch (error) {
    if (!isAccrueError(error, "WORKSPACE_EMPTY")) throw error;
    return "not offered: there is no commit yet; make a first one, then run `accrue init` in a checkout";
  }
}

/** Where it is offered. */
interface Place {
  ask: Ask;
  doors: Doors;
  port: GitHubPort;
  settings: Settings;
  base: string;
  description: string;
}

/** Nobody asks: that a repository comes is no wish. */
function askOf({ repository, installation, key }: Arrival, defaultBranch: string): Ask {
  const intent = { kind: "ignore" as const, reason: "the app was given the repository" };
  const nobody = { actor: null, thread: null, comment: null, headRef: null, at: "" };
  return { ...nobody, intent, repository, installation, defaultBranch, key };
}

/** Looked at before anything is cloned: most of many repositories need no more. */
async function isThere(port: GitHubPort, base: string): Promise<boolean> {
  const tree = new Map<string, string>();
  for (const path of SIGNS) {
    const text = await port.readFile(path, base);
    if (text !== null) tree.set(path, text);
  }
  return isScaffolded(tree);
}

async function offer(place: Place, deps: EngineDeps, signal: AbortSignal): Promise<string> {
  const { port, base } = place;
  const mirror = await openMirror(deps, place, signal);
  const shipped = new Map([...deps.scaffold].filter(([path]) => !LEFT_OUT.test(path)));
  const pushed = await untilPushed(
    { what: `The offer in ${BRANCH}`, mirror, clock: deps.clock },
    () => push(place, { mirror, shipped }, signal),
    signal,
  );
  if (typeof pushed === "string") return pushed;
  return `offered in #${await showStanding(port, { branch: BRANCH, base }, offerText(pushed))}`;
}

/** Gives what the pushed branch offers, or why nothing was pushed. */
async function push(
  { base, doors, settings, ask, description }: Place,
  { mirror, shipped }: { mirror: Mirror; shipped: Tree },
  signal: AbortSignal,
): Promise<Offer | string | typeof MOVED> {
  const baseSha = await mirror.resolve(`refs/remotes/origin/${base}`);
  if (baseSha === null) return `not offered: there is no branch ${base}; correct \`base\``;
  const standing = { mirror, branch: BRANCH, base, baseSha };
  const from = await fromBase(standing);
  // What stands there without a pull request is ours only if nobody else wrote it: a crash came between.
  const authors = from.follows === null ? [] : await mirror.authors(baseSha, from.follows);
  if (authors.some((email) => email !== doors.identity.email))
    return `not offered: somebody else's branch is named ${BRANCH}`;
  const tree = await mirror.readFiles(baseSha, scaffoldSources(shipped));
  const language = settings.language === "auto" ? languageOfReadme(tree) : settings.language;
  const said = { name: ask.repository.name, position: description.trim(), services: [], language };
  const { writes, created, updated, facts } = scaffold(tree, shipped, said);
  if (writes.size === 0) return STANDS;
  const paths = [...created, ...updated].map((path) => `- ${path}`);
  const message = `Set Accrue up\n\n${paths.join("\n")}`;
  const sha = await pushStanding(standing, from, { writes, message, signal });
  if (sha === MOVED) return MOVED;
  return { created, updated, facts, label: settings.label, mention: settings.mention, language };
}
