import { appendFile, mkdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Git } from "../git/index.js";
import type { Ask } from "../orchestrator/index.js";
import { AccrueError, type Clock, isoTime, type RepositoryRef } from "../shared/index.js";

/** Ends in owner and name, by HTTP as by SSH. */
const ORIGIN = /[/:](?<owner>[^/:\s]+)\/(?<name>[^/\s]+?)(?:\.git)?\/?$/;

/** Asks git about a folder; empty when git has no answer. */
export type AskGit = (...args: string[]) => Promise<string>;

/** Where a person's checkout and its git folder are. */
export interface Places {
  root: string;
  /** Ours: mirrors, checkouts, ledger. In the main worktree, and not made yet. */
  data: string;
  /** The file that keeps `data` out of the person's sight. */
  exclude: string;
}

/** A person's git repository on this machine. */
export interface LocalRepository {
  root: string;
  /** The branch that is checked out: work starts from its last commit. */
  branch: string;
  /** Name and e-mail of the person, as git knows them. */
  person: { name: string; email: string };
  /** What knowledge that several repositories share calls it. */
  knownAs: string;
  /** Folder for mirrors, checkouts, ledger; ignored by git. */
  data: string;
  ask: AskGit;
  /** A file as it is committed on that branch, or null. */
  read(path: string): Promise<string | null>;
}

/** What finding a repository needs; `home` is where git's own settings of the person lie. */
export interface FindDeps {
  git: Git;
  home: string | null;
  signal: AbortSignal;
}

/** The checkout around a folder, or null when the folder is in none. Changes nothing. */
export async function findPlaces({ git, signal }: FindDeps, folder: string): Promise<Places | null> {
  const found = await stat(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
    throw error;
  });
  if (!found?.isDirectory()) {
    throw new AccrueError("INPUT_INVALID", `There is no folder ${folder}: correct --repo.`);
  }
  const ask = askIn(git, folder, signal);
  const root = await ask("rev-parse", "--show-toplevel");
  if (!root) return null;
  const common = await ask("rev-parse", "--path-format=absolute", "--git-common-dir");
  const main = basename(common) === ".git" ? dirname(common) : root;
  return { root, data: join(main, ".agent"), exclude: join(common, "info", "exclude") };
}

/** The same; throws `INPUT_INVALID` when the folder is in no checkout. */
export async function requirePlaces(deps: FindDeps, folder: string): Promise<Places> {
  const places = await findPlaces(deps, folder);
  if (places) return places;
  const cure = "run `git init` and commit once, or name one with --repo";
  throw new AccrueError("INPUT_INVALID", `${folder} is in no git working tree: ${cure}.`);
}

/** Finds the repository around a folder, to work in it. Errors say what is missing. */
export async function findRepository(deps: FindDeps, folder: string): Promise<LocalRepository> {
  const places = await requirePlaces(deps, folder);
  const { root } = places;
  const ask = askIn(deps.git, root, deps.signal);
  const branch = await ask("symbolic-ref", "--short", "-q", "HEAD");
  if (!branch) {
    const cure = "run `git switch <branch>` first";
    throw new AccrueError("INPUT_INVALID", `${root} has no branch checked out: ${cure}.`);
  }
  const head = `refs/heads/${branch}`;
  if (!(await ask("rev-parse", "-q", "--verify", head))) {
    const cure = "make a first commit, then run again";
    throw new AccrueError("WORKSPACE_EMPTY", `${root} has no commit yet: ${cure}.`);
  }
  const data = await makeData(places);
  const read = async (path: string) => {
    const run = { folder: root, signal: deps.signal };
    const { exitCode, stdout } = await deps.git.attempt(["cat-file", "blob", `${head}:${path}`], run);
    return exitCode === 0 ? stdout : null;
  };
  const knownAs = await nameAmongOthers(deps, root);
  return { root, branch, knownAs, person: await personOf(ask, deps.home), data, ask, read };
}

/** Makes the data folder, and keeps it out of the person's sight without touching a tracked file. */
export async function makeData({ data, exclude }: Places): Promise<string> {
  await mkdir(data, { recursive: true });
  const line = "/.agent/";
  await mkdir(dirname(exclude), { recursive: true });
  const text = await readFile(exclude, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  if (text.split("\n").includes(line)) return data;
  await appendFile(exclude, `${text === "" || text.endsWith("\n") ? "" : "\n"}${line}\n`);
  return data;
}

/** How the ledger names a repository that is on this machine only. */
export function localReference(root: string): RepositoryRef {
  return { host: "local", owner: basename(dirname(root)) || "root", name: basename(root) };
}

/** `owner/name` of the server that a checkout is from, so that everybody's shared notes name it alike; else the names of its folders. */
export async function nameAmongOthers({ git, signal }: FindDeps, root: string): Promise<string> {
  const origin = await askIn(git, root, signal)("remote", "get-url", "origin");
  const { owner, name } = ORIGIN.exec(origin)?.groups ?? localReference(root);
  return `${owner}/${name}`;
}

/** What a person typed, as the engine takes it: the same as from an issue, without a thread. */
export function localAsk(repository: LocalRepository, intent: Ask["intent"], clock: Clock): Ask {
  const { root, branch, person } = repository;
  return {
    intent,
    repository: localReference(root),
    installation: null,
    defaultBranch: branch,
    actor: { id: 0, login: person.name, type: "User" },
    thread: null,
    comment: null,
    headRef: null,
    key: `local-${clock.now()}`,
    at: isoTime(clock.now()),
  };
}

function askIn(git: Git, folder: string, signal: AbortSignal): AskGit {
  return async (...args) => {
    const { exitCode, stdout } = await git.attempt(args, { folder, signal });
    return exitCode === 0 ? stdout.trim() : "";
  };
}

/** Our git does not read the person's own settings, so their name is looked up there. */
async function personOf(ask: AskGit, home: string | null): Promise<LocalRepository["person"]> {
  const own = home === null ? [] : [join(home, ".gitconfig"), join(home, ".config", "git", "config")];
  const places = [[], ...own.map((file) => ["--file", file])];
  const setting = async (key: string) => {
    for (const place of places) {
      const value = await ask("config", "--includes", ...place, key);
      if (value) return value;
    }
    return "";
  };
  const [name, email] = [await setting("user.name"), await setting("user.email")];
  return { name: name || "unknown", email: email || "unknown@localhost" };
}
