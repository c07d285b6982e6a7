import { stat } from "node:fs/promises";
import { basename, relative, resolve } from "node:path";
import {
  type ServicePlace,
  configuredService,
  findEach,
  pathsOf,
  repositoryNamed,
  serviceName,
} from "../orchestrator/index.js";
import { AccrueError } from "../shared/index.js";
import type { Remote } from "../workspace/index.js";
import { type FindDeps, findPlaces, localReference } from "./local.js";

/** A repository on GitHub as the command line reaches it. */
export type GitHubRemote = (repository: { owner: string; name: string }) => Remote & { host: string };

/** What finding sources needs. */
export interface SourceDeps extends FindDeps {
  gitHubRemote: GitHubRemote;
}

/** Where sources are typed, and what they may name. */
export interface SourcesOf {
  /** The checkout that gets the documents. */
  root: string;
  /** The folder that paths count from. */
  from: string;
  services: Parameters<typeof configuredService>[1];
}

const ADDRESS = /^https?:\/\/(?<host>[^/@\s]+)\/(?:(?<owner>.+)\/)?(?<name>[^/\s]+?)(?:\.git)?\/?$/;

/** Finds what was typed: a name of the configuration, a folder, an address, or `owner/name` on GitHub. One that is none holds up no other. */
export function findSources(
  deps: SourceDeps,
  sources: readonly string[],
  of: SourcesOf,
): ReturnType<typeof findEach> {
  return findEach(sources, (source) => placeOf(deps, source, configuredService(source, of.services), of));
}

async function placeOf(
  deps: SourceDeps,
  source: string,
  configured: ReturnType<typeof configuredService>,
  of: SourcesOf,
): Promise<ServicePlace> {
  if (configured) return configuredPlace(deps, configured, of);
  const folder = resolve(of.from, source);
  if (await isFolder(folder)) return folderPlace(deps, folder, of.root);
  const address = ADDRESS.exec(source)?.groups;
  if (address) {
    const { host = "", owner = "", name = "" } = address;
    const branch = await headOf(deps, source, of.root);
    const repository = { host, owner: owner.replaceAll(/[^\w.-]+/g, "-") || "git", name };
    const remote = { url: source, authorization: () => Promise.resolve(null) };
    const there = { service: serviceName(name), folder: "" };
    return { ...there, label: source, repository, remote, branch, paths: pathsOf(there, false) };
  }
  const named = repositoryNamed(source);
  if (!named) {
    const cure =
      "name a folder, an https address, owner/name, or a name under `services` of .github/agent.yml";
    throw new AccrueError("INPUT_INVALID", `There is no service "${source}": ${cure}.`);
  }
  return gitHubPlace(deps, named, { service: serviceName(named.name), folder: "" });
}

/** The configuration says how a service is called, and which part of its repository it is: here, or on GitHub. */
async function configuredPlace(
  deps: SourceDeps,
  { name: service, repository, folder, base, paths }: NonNullable<ReturnType<typeof configuredService>>,
  { root }: SourcesOf,
): Promise<ServicePlace> {
  const own = await folderPlace(deps, root, root);
  if (own.label.toLowerCase() === repository.toLowerCase())
    return { ...own, service, folder, paths: paths.length > 0 ? paths : own.paths };
  const [owner = "", name = ""] = repository.split("/");
  return { ...gitHubPlace(deps, { owner, name }, { service, folder }), branch: base || null };
}

function gitHubPlace(
  { gitHubRemote }: SourceDeps,
  { owner, name }: { owner: string; name: string },
  there: Pick<ServicePlace, "service" | "folder">,
): ServicePlace {
  const { host, ...remote } = gitHubRemote({ owner, name });
  const repository = { host, owner, name };
  return {
    ...there,
    label: `${owner}/${name}`,
    repository,
    remote,
    branch: null,
    paths: pathsOf(there, false),
  };
}

/** A folder of a checkout, as its branch was last committed. */
async function folderPlace(deps: SourceDeps, folder: string, own: string): Promise<ServicePlace> {
  const places = await findPlaces(deps, folder);
  if (!places)
    throw new AccrueError("INPUT_INVALID", `${folder} is in no git working tree: commit it first.`);
  const { root } = places;
  const ask = async (...args: string[]) => {
    const { exitCode, stdout } = await deps.git.attempt(args, { folder: root, signal: deps.signal });
    return exitCode === 0 ? stdout.trim() : "";
  };
  const branch = await ask("symbolic-ref", "--short", "-q", "HEAD");
  if (branch === "") {
    const cure = "run `git switch <branch>` there first";
    throw new AccrueError("INPUT_INVALID", `${root} has no branch checked out: ${cure}.`);
  }
  const prefix = await ask("-C", folder, "rev-parse", "--show-prefix");
  const inside = prefix.replace(/\/$/, "");
  const origin = ADDRESS.exec(await ask("remote", "get-url", "origin"))?.groups;
  const label = origin ? [origin["owner"], origin["name"]].filter(Boolean).join("/") : basename(root);
  return {
    service: serviceName(inside === "" ? basename(root) : inside),
    label: inside === "" ? label : `${label}/${inside}`,
    repository: localReference(root),
    remote: { url: root, authorization: () => Promise.resolve(null) },
    branch,
    folder: inside,
    paths: root === own ? pathsOf({ service: "", folder: inside }, true) : pathsIn(own, root),
  };
}

/** A checkout that lies inside of this one, such as one in `workspace/`. */
function pathsIn(own: string, root: string): string[] {
  const path = relative(own, root);
  return path === "" || path.startsWith("..") ? [] : [`${path}/**`];
}

/** The branch that a server shows first; null where it does not say. */
async function headOf(deps: FindDeps, url: string, folder: string): Promise<string | null> {
  const { stdout } = await deps.git.attempt(["ls-remote", "--symref", "--end-of-options", url, "HEAD"], {
    folder,
    signal: deps.signal,
  });
  return /^ref: refs\/heads\/(\S+)\s+HEAD$/m.exec(stdout)?.[1] ?? null;
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" || error.code === "ENOTDIR") return false;
      throw error;
    },
  );
}
